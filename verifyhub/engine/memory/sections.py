"""Memory put into sections and lines, each name once, under its strongest source."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from verifyhub.engine.memory.distill import CLAIMS, CONTRADICTED, LOW_CONFIDENCE
from verifyhub.engine.memory.entries import (
    ABOUT_ANSWER,
    ABOUT_CLAIM,
    ABOUT_FACT,
    Entry,
    EntryKind,
    SharedConstraint,
    kind_word,
)
from verifyhub.engine.memory.right_names import is_right_name
from verifyhub.engine.memory.spelling import folded_name
from verifyhub.engine.reports import Status
from verifyhub.engine.text.quoting import is_name, plain, quoted
from verifyhub.engine.thresholds import Thresholds

# Warnings that an agent hears in other words (weak evidence), or can do nothing about.
TOLD_ELSEWHERE = ("LOW_CONFIDENCE:", "NOTHING_TO_CHECK:")

_Name: TypeAlias = tuple[str, str]


class Section(StrEnum):
    """The headings of the text, in the order in which they stand in it."""

    CORRECTIONS = "User corrections"
    PREFERENCES = "Preferences"
    FACTS = "Verified facts"
    HALLUCINATIONS = "Known hallucinations"
    GAPS = "Known gaps"
    CONSTRAINTS = "Shared constraints"


# The kind of feedback a section is, as effects are measured by kind.
KINDS = {
    Section.CORRECTIONS: "corrections",
    Section.PREFERENCES: "preferences",
    Section.FACTS: "findings",
    Section.HALLUCINATIONS: "findings",
    Section.GAPS: "gaps",
    Section.CONSTRAINTS: "constraints",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the context, and the data it was made of.

    `line` is safe in a prompt; `name` and `suggestion` are as the agent wrote them.
    `source` is the id of the entry or constraint that says it; `missing` whether the
    line says that there is no such name, and knows no right one.
    """

    section: Section
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
    """A line with what it is ordered by."""

    line: Line
    at: float


def sections(
    entries: tuple[Entry, ...],
    constraints: tuple[SharedConstraint, ...],
    thresholds: Thresholds,
) -> dict[Section, list[Item]]:
    """Put every name into the section of its strongest source.

    A constraint that a lead pinned is the strongest, then the reviewers' corrections,
    then what the session itself found, then constraints, then blockers.
    """
    by_age = sorted(entries, key=_age, reverse=True)
    pinned = {_name(constraint) for constraint in constraints if constraint.pinned}
    corrections = [
        entry
        for entry in by_age
        if entry.kind == EntryKind.CORRECTION and _name(entry) not in pinned
    ]
    findings = [entry for entry in by_age if entry.kind == EntryKind.FINDING]
    blockers = [entry for entry in by_age if entry.kind == EntryKind.BLOCKER]
    gaps = [entry for entry in by_age if entry.kind == EntryKind.GAP]
    preferences = [entry for entry in by_age if entry.kind == EntryKind.PREFERENCE]
    names = {_name(entry) for entry in findings}
    in_force = [
        constraint
        for constraint in sorted(constraints, key=_age, reverse=True)
        if constraint.pinned or _name(constraint) not in names
    ]
    taken: set[_Name] = set()
    return {
        Section.CORRECTIONS: list(_corrections(corrections, taken)),
        Section.PREFERENCES: list(_preferences(preferences)),
        Section.CONSTRAINTS: list(_constraints(in_force, taken)),
        Section.FACTS: list(_facts(findings, taken, thresholds)),
        Section.HALLUCINATIONS: list(
            _hallucinations([entry for entry in blockers if entry.mention_key], taken)
        ),
        Section.GAPS: list(
            _gaps([*gaps, *(entry for entry in blockers if not entry.mention_key)])
        ),
    }


def _name(item: Entry | SharedConstraint) -> _Name:
    return folded_name(item.mention_kind, item.mention_key)


def _age(item: Entry | SharedConstraint) -> float:
    return item.at.timestamp() if item.at else 0.0


def _is_new(item: Entry | SharedConstraint, taken: set[_Name]) -> bool:
    """Return whether a name may still be told; tells of each once."""
    if _name(item) in taken or not is_name(item.text):
        return False
    taken.add(_name(item))
    return True


def _corrections(entries: Iterable[Entry], taken: set[_Name]) -> Iterator[Item]:
    for entry in entries:
        if entry.mention_kind in _NO_NAMES or not entry.mention_key:
            if line := _NO_NAMES.get(entry.mention_kind, _answer_line)(entry):
                yield _item(Section.CORRECTIONS, entry, line)
        elif _is_new(entry, taken):
            right = entry.status == Status.VERIFIED
            line = (
                f"{_named(entry)} is right: a reviewer confirmed it."
                if right
                else _instead(entry)
            )
            yield _item(Section.CORRECTIONS, entry, line)


def _answer_line(entry: Entry) -> str:
    task = quoted(entry.text)
    if entry.status == Status.UNVERIFIED:
        return (
            f"A reviewer rejected an earlier answer to the task {task}: answer it"
            " from what your tools return."
        )
    if entry.status == Status.VERIFIED:
        return f"A reviewer accepted an earlier answer to the task {task}."
    return ""


def _claim_line(entry: Entry) -> str:
    if entry.status == Status.VERIFIED:
        return f"A reviewer found that the claim {quoted(entry.text)} holds."
    return (
        f"A reviewer found that the claim {quoted(entry.text)} does not hold: do the"
        " work, then report."
    )


def _fact_line(entry: Entry) -> str:
    if entry.status == Status.VERIFIED:
        return f"A reviewer found that it is true: {quoted(entry.text)}."
    return f"A reviewer found that it is not true: {quoted(entry.text)}."


def _corrected_line(entry: Entry) -> str:
    return (
        f"A reviewer corrected the answer to the task {quoted(entry.text)}. The right"
        f" answer begins {quoted(entry.suggestion)}."
    )


_NO_NAMES = {
    ABOUT_CLAIM: _claim_line,
    ABOUT_FACT: _fact_line,
    ABOUT_ANSWER: _corrected_line,
}


def _preferences(entries: Iterable[Entry]) -> Iterator[Item]:
    told: set[str] = set()
    for entry in entries:
        if entry.text not in told:
            told.add(entry.text)
            yield _item(Section.PREFERENCES, entry, plain(entry.text))


def _constraints(
    constraints: Iterable[SharedConstraint], taken: set[_Name]
) -> Iterator[Item]:
    for constraint in constraints:
        if _is_new(constraint, taken):
            yield _item(Section.CONSTRAINTS, constraint, _instead(constraint))


def _facts(
    entries: Iterable[Entry], taken: set[_Name], thresholds: Thresholds
) -> Iterator[Item]:
    rows = list(entries)
    for entry in rows:
        confidence = entry.confidence or 0.0
        if confidence >= thresholds.fact_confidence and _is_new(entry, taken):
            line = f"{_named(entry)} was found in tool output."
            yield _item(Section.FACTS, entry, line)
    # Found, though in an unsure answer: no fact to tell, and no invention either.
    taken.update(_name(entry) for entry in rows)


def _hallucinations(entries: Iterable[Entry], taken: set[_Name]) -> Iterator[Item]:
    for entry in entries:
        if _is_new(entry, taken):
            line = (
                _instead(entry)
                if _has_right_name(entry)
                else f"{_named(entry)} was in no tool output: look it up before use."
            )
            yield _item(Section.HALLUCINATIONS, entry, line)


def _gaps(entries: Iterable[Entry]) -> Iterator[Item]:
    told: set[str] = set()
    for entry in entries:
        weak = entry.key.startswith(LOW_CONFIDENCE)
        line = _gap_line(entry)
        # Weak evidence is told of once, of the latest answer.
        what = LOW_CONFIDENCE if weak else line
        if what not in told and not entry.text.startswith(TOLD_ELSEWHERE):
            told.add(what)
            yield _item(Section.GAPS, entry, line)


def _gap_line(entry: Entry) -> str:
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


def _named(item: Entry | SharedConstraint) -> str:
    return f"{kind_word(item.mention_kind)} {quoted(item.text)}"


def _has_right_name(item: Entry | SharedConstraint) -> bool:
    return is_right_name(item.mention_kind, item.suggestion)


def _instead(item: Entry | SharedConstraint) -> str:
    if _has_right_name(item):
        return f"use {quoted(item.suggestion)}; there is no {_named(item)}."
    return f"there is no {_named(item)}: look the right name up."


def beside(line: Line, real: str) -> Line:
    """Return a line on a missing name with what is known to exist near it, first."""
    named = f"{kind_word(line.mention_kind)} {quoted(line.name)}"
    return replace(
        line,
        suggestion=real,
        line=f"- {quoted(real)} exists, nearest to it; there is no {named}.",
    )


def _is_missing(section: Section, item: Entry | SharedConstraint) -> bool:
    if _has_right_name(item) or not item.mention_key:
        return False
    if section is Section.CORRECTIONS:
        named = item.mention_kind not in _NO_NAMES
        return named and isinstance(item, Entry) and item.status == Status.UNVERIFIED
    return section in (Section.CONSTRAINTS, Section.HALLUCINATIONS)


def _item(section: Section, item: Entry | SharedConstraint, line: str) -> Item:
    return Item(
        Line(
            section=section,
            line=f"- {line}",
            name=item.text,
            mention_kind=item.mention_kind,
            suggestion=item.suggestion,
            confidence=item.confidence if isinstance(item, Entry) else None,
            source=item.id,
            mention_key=item.mention_key,
            missing=_is_missing(section, item),
        ),
        _age(item),
    )
