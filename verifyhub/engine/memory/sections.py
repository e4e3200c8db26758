"""Order memory in sections and lines, each name once, under its strongest source."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from verifyhub.engine.memory.distill import CLAIMS, CONTRADICTED, LOW_CONFIDENCE
from verifyhub.engine.memory.entries import (
    ABOUT_ANSWER,
    ABOUT_CLAIM,
    ABOUT_FACT,
    EntryKind,
    LearnedEntry,
    SharedConstraint,
    kind_word,
)
from verifyhub.engine.memory.right_names import is_right_name
from verifyhub.engine.memory.spelling import NameSpelling
from verifyhub.engine.reports import Status
from verifyhub.engine.text.quoting import is_name, plain, quoted
from verifyhub.engine.thresholds import Thresholds

# Warnings that an agent reads in other words (weak evidence), or can do nothing about.
OMITTED_WARNINGS = ("LOW_CONFIDENCE:", "NOTHING_TO_CHECK:")

_Name: TypeAlias = tuple[str, str]


class ContextSection(StrEnum):
    """The sections of the text, in order."""

    CORRECTIONS = "User corrections"
    PREFERENCES = "Preferences"
    FACTS = "Verified facts"
    HALLUCINATIONS = "Known hallucinations"
    GAPS = "Known gaps"
    CONSTRAINTS = "Shared constraints"


# The kind of feedback a section is, as effects are measured by kind.
KINDS = {
    ContextSection.CORRECTIONS: "corrections",
    ContextSection.PREFERENCES: "preferences",
    ContextSection.FACTS: "findings",
    ContextSection.HALLUCINATIONS: "findings",
    ContextSection.GAPS: "gaps",
    ContextSection.CONSTRAINTS: "constraints",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextLine:
    """One line of the context, and the data it was made of.

    `line` is safe in a prompt; `name` and `suggestion` are as the agent wrote them.
    `source` is the id of the entry or constraint that says it; `missing` whether the
    line says that there is no such name, and knows no right one.
    """

    section: ContextSection
    line: str
    name: str
    mention_kind: str = ""
    suggestion: str = ""
    confidence: float | None = None
    source: str = ""
    mention_key: str = ""
    missing: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """A line with its sort keys."""

    line: ContextLine
    at: float


def sections(
    entries: tuple[LearnedEntry, ...],
    constraints: tuple[SharedConstraint, ...],
    thresholds: Thresholds,
) -> dict[ContextSection, list[Item]]:
    """Assign every name to the section of its strongest source.

    A constraint that a lead pinned is the strongest, then the reviewers' corrections,
    then what the session itself found, then constraints, then blockers.
    """
    by_age = sorted(entries, key=_age, reverse=True)
    pinned = {_name(constraint) for constraint in constraints if constraint.pinned}
    of_kind = {
        kind: [entry for entry in by_age if entry.kind == kind] for kind in EntryKind
    }
    corrections = [
        entry for entry in of_kind[EntryKind.CORRECTION] if _name(entry) not in pinned
    ]
    findings, blockers = of_kind[EntryKind.FINDING], of_kind[EntryKind.BLOCKER]
    open_points = [
        *of_kind[EntryKind.GAP],
        *(entry for entry in blockers if not entry.mention_key),
    ]
    names = {_name(entry) for entry in findings}
    in_force = [
        constraint
        for constraint in sorted(constraints, key=_age, reverse=True)
        if constraint.pinned or _name(constraint) not in names
    ]
    used: set[_Name] = set()
    return {
        ContextSection.CORRECTIONS: list(_corrections(corrections, used)),
        ContextSection.PREFERENCES: list(_preferences(of_kind[EntryKind.PREFERENCE])),
        ContextSection.CONSTRAINTS: [
            _item(ContextSection.CONSTRAINTS, constraint, _instead(constraint))
            for constraint in in_force
            if _is_new(constraint, used)
        ],
        ContextSection.FACTS: list(_facts(findings, used, thresholds)),
        ContextSection.HALLUCINATIONS: [
            _item(ContextSection.HALLUCINATIONS, entry, _unsupported(entry))
            for entry in blockers
            if entry.mention_key and _is_new(entry, used)
        ],
        ContextSection.GAPS: list(_gaps(open_points)),
    }


def _name(item: LearnedEntry | SharedConstraint) -> _Name:
    return NameSpelling(item.mention_kind, item.mention_key).folded


def _age(item: LearnedEntry | SharedConstraint) -> float:
    return item.at.timestamp() if item.at else 0.0


def _is_new(item: LearnedEntry | SharedConstraint, used: set[_Name]) -> bool:
    """Return whether a name may still be told; tells of each once."""
    if _name(item) in used or not is_name(item.text):
        return False
    used.add(_name(item))
    return True


def _corrections(entries: Iterable[LearnedEntry], used: set[_Name]) -> Iterator[Item]:
    for entry in entries:
        if entry.mention_kind in _NO_NAMES or not entry.mention_key:
            line = _line_without_name(entry)
        elif not _is_new(entry, used):
            continue
        elif entry.status == Status.VERIFIED:
            line = f"{_named(entry)} is right: a reviewer confirmed it."
        else:
            line = _instead(entry)
        if line:
            yield _item(ContextSection.CORRECTIONS, entry, line)


_NO_NAMES = frozenset({ABOUT_CLAIM, ABOUT_FACT, ABOUT_ANSWER})


def _line_without_name(entry: LearnedEntry) -> str:
    """Return what a reviewer said of a claim, a fact or an answer; may be empty."""
    text, is_right = quoted(entry.text), entry.status == Status.VERIFIED
    if entry.mention_kind == ABOUT_CLAIM:
        holds = "holds." if is_right else "does not hold: do the work, then report."
        return f"A reviewer found that the claim {text} {holds}"
    if entry.mention_kind == ABOUT_FACT:
        return f"A reviewer found that it is {'' if is_right else 'not '}true: {text}."
    if entry.mention_kind == ABOUT_ANSWER:
        return (
            f"A reviewer corrected the answer to the task {text}. The right answer"
            f" begins {quoted(entry.suggestion)}."
        )
    if is_right:
        return f"A reviewer accepted an earlier answer to the task {text}."
    if entry.status == Status.UNVERIFIED:
        return (
            f"A reviewer rejected an earlier answer to the task {text}: answer it"
            " from what your tools return."
        )
    return ""


def _preferences(entries: Iterable[LearnedEntry]) -> Iterator[Item]:
    seen: set[str] = set()
    for entry in entries:
        if entry.text not in seen:
            seen.add(entry.text)
            yield _item(ContextSection.PREFERENCES, entry, plain(entry.text))


def _facts(
    entries: Iterable[LearnedEntry], used: set[_Name], thresholds: Thresholds
) -> Iterator[Item]:
    rows = list(entries)
    for entry in rows:
        confidence = entry.confidence or 0.0
        if confidence >= thresholds.fact_confidence and _is_new(entry, used):
            line = f"{_named(entry)} was found in tool output."
            yield _item(ContextSection.FACTS, entry, line)
    # Found, though in an unsure answer: no fact to tell, and no invention either.
    used.update(_name(entry) for entry in rows)


def _gaps(entries: Iterable[LearnedEntry]) -> Iterator[Item]:
    seen: set[str] = set()
    for entry in entries:
        weak = entry.key.startswith(LOW_CONFIDENCE)
        line = _gap_line(entry)
        # Weak evidence is reported once, of the latest answer.
        topic = LOW_CONFIDENCE if weak else line
        if topic not in seen and not entry.text.startswith(OMITTED_WARNINGS):
            seen.add(topic)
            yield _item(ContextSection.GAPS, entry, line)


def _gap_line(entry: LearnedEntry) -> str:
    if entry.key.startswith(LOW_CONFIDENCE):
        return (
            f"an earlier answer rested on weak evidence ({entry.confidence or 0:.2f})."
        )
    if entry.key.startswith(CONTRADICTED):
        claim = quoted(entry.text)
        if entry.check == CLAIMS:
            return f"the evidence contradicts the claim {claim}: do not repeat it."
        return f"tool output contradicts the claim {claim}: do the work, then report."
    return f"{quoted(entry.text)} is still open."


def _named(item: LearnedEntry | SharedConstraint) -> str:
    return f"{kind_word(item.mention_kind)} {quoted(item.text)}"


def _has_right_name(item: LearnedEntry | SharedConstraint) -> bool:
    return is_right_name(item.mention_kind, item.suggestion)


def _instead(item: LearnedEntry | SharedConstraint) -> str:
    if _has_right_name(item):
        return f"use {quoted(item.suggestion)}; there is no {_named(item)}."
    return f"there is no {_named(item)}: look the right name up."


def _unsupported(entry: LearnedEntry) -> str:
    if _has_right_name(entry):
        return _instead(entry)
    return f"{_named(entry)} was in no tool output: look it up before use."


def with_nearest(line: ContextLine, real: str) -> ContextLine:
    """Return the line of a missing name with the nearest existing name before it."""
    missing_name = f"{kind_word(line.mention_kind)} {quoted(line.name)}"
    return replace(
        line,
        suggestion=real,
        line=f"- {quoted(real)} exists, nearest to it; there is no {missing_name}.",
    )


def _is_missing(section: ContextSection, item: LearnedEntry | SharedConstraint) -> bool:
    if _has_right_name(item) or not item.mention_key:
        return False
    if section is ContextSection.CORRECTIONS:
        has_name = item.mention_kind not in _NO_NAMES
        return (
            has_name
            and isinstance(item, LearnedEntry)
            and item.status == Status.UNVERIFIED
        )
    return section in (ContextSection.CONSTRAINTS, ContextSection.HALLUCINATIONS)


def _item(
    section: ContextSection, item: LearnedEntry | SharedConstraint, line: str
) -> Item:
    return Item(
        ContextLine(
            section=section,
            line=f"- {line}",
            name=item.text,
            mention_kind=item.mention_kind,
            suggestion=item.suggestion,
            confidence=item.confidence if isinstance(item, LearnedEntry) else None,
            source=item.id,
            mention_key=item.mention_key,
            missing=_is_missing(section, item),
        ),
        _age(item),
    )
