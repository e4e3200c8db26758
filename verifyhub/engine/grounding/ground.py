"""Look up mentions in the ledger: verified with a place, or else with a reason."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import TypeAlias

from verifyhub.engine.grounding.ask import TierMatch, find, wanted
from verifyhub.engine.grounding.commands import ground_commands, ground_patterns
from verifyhub.engine.grounding.defined import ground_defined
from verifyhub.engine.grounding.spelled import ground_spelled, is_spelled
from verifyhub.engine.grounding.suggest import Nearest, Suggester, is_short_form
from verifyhub.engine.ledger.index import EvidenceIndex
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.ledger.packages import Shown, python_packages
from verifyhub.engine.ledger.packages.python_names import canonical, published_names
from verifyhub.engine.ledger.sources import LedgerTier
from verifyhub.engine.mentions.common import is_common, is_placeholder
from verifyhub.engine.mentions.patterns import PATTERNS
from verifyhub.engine.reports import (
    MOST_PLACES,
    NOT_COUNTED,
    Evidence,
    Grade,
    MentionResult,
    Status,
)
from verifyhub.engine.text.lookalike import is_disguised
from verifyhub.engine.types import Mention, MentionKind

FOUND_EXACT = "found"
FOUND_RESOLVED = "found_resolved"
PLAIN_WORDS = "plain_words"
COMMON_KNOWLEDGE = "common_knowledge"
AUTHORED = "authored"
HYPOTHETICAL = "hypothetical"
TASK_ONLY = "task_only"
QUOTED = "quoted"
QUOTED_TASK = "quoted_task"
LOOK_ALIKE = "look_alike"
TRACE_CUT = "trace_cut"

# Reasons of the suggester besides `look_alike`.
_ABSENT = frozenset({"not_found", "case_differs", "wrong_directory", "wrong_extension"})
_NEAR_MISSES = frozenset({"case_differs", LOOK_ALIKE, "wrong_directory"})
_LOWER_TIERS = (
    LedgerTier.SELF_WRITTEN,
    LedgerTier.AUTHORED,
    LedgerTier.ABSENT,
    LedgerTier.INPUT,
    LedgerTier.TASK,
)
_REASONS = {
    LedgerTier.SELF_WRITTEN: "self_written",
    LedgerTier.AUTHORED: AUTHORED,
    LedgerTier.ABSENT: "error_only",
    LedgerTier.INPUT: "input_only",
    LedgerTier.TASK: TASK_ONLY,
}
MENTION_REASONS = (
    frozenset({FOUND_EXACT, FOUND_RESOLVED, LOOK_ALIKE})
    | NOT_COUNTED
    | _ABSENT
    | frozenset(_REASONS.values())
)
# If this share of a trace is missing, it cannot deny a name; it can still deny one that
# is similar to a shown name, up to twice the share.
_CUT_TOO_SHORT = 0.2
_CUT_TO_PIECES = 0.4
_NOT_SEEN = _ABSENT | {"input_only"}
_CODE_SYMBOLS = frozenset(
    {MentionKind.CLASS, MentionKind.FUNCTION, MentionKind.IDENTIFIER}
)


# Tells why an absent name would be no invention, if so.
Exemption: TypeAlias = Callable[[Mention], str | None]


@dataclass(frozen=True, slots=True)
class _Answer:
    """The evidence for a mention, and its tier."""

    tier: LedgerTier
    evidence: tuple[Evidence, ...]
    loose: bool = False


def ground_mentions(
    mentions: Iterable[Mention],
    ledger: Ledger,
    exemption: Exemption = attrgetter("exempt"),
) -> tuple[MentionResult, ...]:
    """Look up every mention in the ledger.

    Args:
        exemption: Asked only about names that are not verified.

    Returns:
        One result for each mention, in the same order.
    """
    requested = tuple(mentions)
    if not requested:
        return ()
    answers = _answers(requested, ledger)
    absent = [m for m in requested if _asks_for_nearest(m, answers.get(m))]
    suggester = Suggester(absent, ledger.sources)
    results = (
        _result(mention, answers.get(mention), suggester, exemption)
        for mention in requested
    )
    return tuple(_unless_cut(result, ledger) for result in results)


def _unless_cut(result: MentionResult, ledger: Ledger) -> MentionResult:
    """Leave a name open if it may be in the missing part of the trace."""
    if result.status is Status.VERIFIED or result.reason not in _NOT_SEEN:
        return result
    near = result.suggestion is not None or result.reason in _NEAR_MISSES
    share = 1.0 if ledger.unread else ledger.share_cut
    if result.reason == _REASONS[LedgerTier.INPUT]:
        # It was in the input of a call whose output was not recorded.
        share = max(share, ledger.share_unrecorded)
    if ledger.leaves_out_reads:
        share = max(share, _CUT_TOO_SHORT)
    least = _CUT_TO_PIECES if near else _CUT_TOO_SHORT
    return replace(result, reason=TRACE_CUT) if share >= least else result


def _answers(requested: tuple[Mention, ...], ledger: Ledger) -> dict[Mention, _Answer]:
    lines = [m for m in requested if _is_line(m)]
    patterns = [m for m in requested if m.kind in PATTERNS]
    chunked = [m for m in requested if not _is_line(m) and m.kind not in PATTERNS]
    answers = {
        mention: _Answer(tier, places)
        for mention, (places, tier) in ground_commands(lines, ledger).items()
    }
    open_lines = [
        m
        for m in lines
        if m not in answers or answers[m].tier is not LedgerTier.OBSERVED
    ]
    for mention, places in ground_defined(open_lines, ledger).items():
        answers[mention] = _Answer(LedgerTier.OBSERVED, places)
    for mention, places in _run_in_parts(open_lines, ledger).items():
        answers[mention] = _Answer(LedgerTier.OBSERVED, places, loose=True)
    index = EvidenceIndex(ledger.sources, wanted(chunked))
    for tier in (LedgerTier.OBSERVED, *_LOWER_TIERS):
        remaining = [m for m in chunked if m not in answers]
        lookup = index.tiers[tier]
        for mention in () if lookup.is_empty else remaining:
            match = find(mention, lookup, index)
            if match is not None:
                answers[mention] = _answer(tier, match, index, loose=match.loose)
        spelled = [m for m in remaining if is_spelled(m) and m not in answers]
        for mention, (places, loose) in ground_spelled(spelled, index, tier).items():
            answers[mention] = _Answer(tier, places, loose)
        rest = [m for m in patterns if m not in answers]
        for mention, places in ground_patterns(rest, index.sources, tier).items():
            answers[mention] = _Answer(tier, places)
    answers |= _written_anyway(chunked, answers, index)
    answers |= _other_spellings(chunked, answers, ledger)
    return answers | _flags_run(chunked, answers, ledger)


_LINKS = re.compile(r"\s(?:&&|\|\||;)\s")


def _run_in_parts(
    lines: list[Mention], ledger: Ledger
) -> dict[Mention, tuple[Evidence, ...]]:
    """Find commands of several parts, each of which was run separately."""
    parts = {
        mention: [replace(mention, key=part) for part in _LINKS.split(mention.key)]
        for mention in lines
        if _LINKS.search(mention.key)
    }
    parts_run = [
        part for line_parts in parts.values() for part in line_parts if _is_line(part)
    ]
    matches = ground_commands(parts_run, ledger)
    places_by_command = {
        part.key: places
        for part, (places, tier) in matches.items()
        if tier is LedgerTier.OBSERVED
    }
    return {
        mention: tuple(
            place for part in line_parts for place in places_by_command[part.key][:1]
        )[:MOST_PLACES]
        for mention, line_parts in parts.items()
        if all(part.key in places_by_command for part in line_parts)
    }


def _other_spellings(
    packages: list[Mention], answers: dict[Mention, _Answer], ledger: Ledger
) -> dict[Mention, _Answer]:
    """Find Python packages that the trace spells differently, or only imports."""
    below = {LedgerTier.INPUT, LedgerTier.TASK}
    open_ = [m for m in packages if m not in answers or answers[m].tier in below]
    respelled = spellings(open_, ledger)
    if not respelled:
        return {}
    index = EvidenceIndex(ledger.sources, wanted(respelled.values()))
    matches = {
        mention: find(other, index.tiers[LedgerTier.OBSERVED], index)
        for mention, other in respelled.items()
    }
    return {
        mention: _answer(LedgerTier.OBSERVED, match, index, loose=True)
        for mention, match in matches.items()
        if match is not None
    }


def _written_anyway(
    mentions: list[Mention], answers: dict[Mention, _Answer], index: EvidenceIndex
) -> dict[Mention, _Answer]:
    """Find what an editor wrote; reading it back does not make the evidence worse."""
    read_back = [
        m
        for m in mentions
        if m in answers and answers[m].tier is LedgerTier.SELF_WRITTEN
        if not _verifies(m, answers[m])
    ]
    authored = {m: find(m, index.tiers[LedgerTier.AUTHORED], index) for m in read_back}
    return {
        mention: _answer(LedgerTier.AUTHORED, match, index, loose=False)
        for mention, match in authored.items()
        if match is not None
    }


def _flags_run(
    mentions: list[Mention], answers: dict[Mention, _Answer], ledger: Ledger
) -> dict[Mention, _Answer]:
    """Find options that no output contains in the commands that were run with them."""
    open_ = {None, LedgerTier.INPUT, LedgerTier.TASK}
    flags = [
        m
        for m in mentions
        if m.kind is MentionKind.COMMAND
        and (answers[m].tier if m in answers else None) in open_
    ]
    return {
        mention: _Answer(tier, places)
        for mention, (places, tier) in ground_commands(flags, ledger).items()
        if tier is LedgerTier.OBSERVED
    }


def _answer(
    tier: LedgerTier, match: TierMatch, index: EvidenceIndex, *, loose: bool
) -> _Answer:
    """Return the first places of a match as evidence."""
    hits = [(index.sources[hit.source], hit) for hit in match.hits[:MOST_PLACES]]
    places = (
        Evidence(
            tool_call=source.tool_call, field=source.field, span=(hit.start, hit.end)
        )
        for source, hit in hits
    )
    return _Answer(tier, tuple(places), loose)


def _is_line(mention: Mention) -> bool:
    return mention.kind is MentionKind.COMMAND and " " in mention.key


def _result(
    mention: Mention, answer: _Answer | None, suggester: Suggester, exemption: Exemption
) -> MentionResult:
    settled = partial(
        MentionResult,
        text=mention.text,
        kind=mention.kind,
        key=mention.key,
        spans=mention.spans,
    )
    if answer is not None and _verifies(mention, answer):
        return settled(
            status=Status.VERIFIED,
            reason=FOUND_RESOLVED if answer.loose else FOUND_EXACT,
            grade=Grade.C,
            evidence=answer.evidence,
        )
    near = _near(mention, answer, suggester)
    places = answer.evidence if answer else ()
    return settled(
        status=Status.UNVERIFIED,
        reason=_reason(mention, exemption(mention), answer, near),
        grade=Grade.D if answer is not None else None,
        evidence=tuple(replace(place, grade=Grade.D) for place in places),
        suggestion=near.suggestion,
    )


def _verifies(mention: Mention, answer: _Answer) -> bool:
    """Return whether a find of this tier confirms a mention of this kind.

    A symbol that was read back from source code exists there, even if the agent wrote
    it. A path, a package or an address does not exist because it was written down.
    """
    if answer.tier is LedgerTier.OBSERVED:
        return True
    return answer.tier is LedgerTier.SELF_WRITTEN and mention.kind in _CODE_SYMBOLS


def _asks_for_nearest(mention: Mention, answer: _Answer | None) -> bool:
    if mention.kind in PATTERNS or " " in mention.key:
        return False
    known = {LedgerTier.OBSERVED, LedgerTier.SELF_WRITTEN, LedgerTier.AUTHORED}
    return answer is None or answer.tier not in known


def _near(mention: Mention, answer: _Answer | None, suggester: Suggester) -> Nearest:
    if answer is not None and answer.tier in {
        LedgerTier.SELF_WRITTEN,
        LedgerTier.AUTHORED,
    }:
        return Nearest(_REASONS[answer.tier])
    if not _asks_for_nearest(mention, answer):
        disguised = is_disguised(mention.key)
        return Nearest(LOOK_ALIKE if disguised else "not_found")
    return suggester.nearest(mention)


def _reason(
    mention: Mention, exempt: str | None, answer: _Answer | None, near: Nearest
) -> str:
    plain, quoted = exempt == PLAIN_WORDS, exempt == QUOTED
    if exempt and not plain and not quoted:
        return exempt
    if is_common(mention):
        return COMMON_KNOWLEDGE
    if is_placeholder(mention) and (answer is None or answer.tier is LedgerTier.INPUT):
        return HYPOTHETICAL
    if answer is not None and answer.tier is LedgerTier.TASK:
        return QUOTED_TASK if quoted else TASK_ONLY
    if near.reason in _NEAR_MISSES and (
        answer is None or answer.tier is LedgerTier.INPUT
    ):
        # A name that only differs in capitals may be a word or a brand.
        real = near.suggestion or ""
        is_word = near.reason == "case_differs" and real.isalpha()
        is_word = is_word and real[1:].islower()
        return PLAIN_WORDS if plain and is_word else near.reason
    if answer is not None and not plain:
        return _REASONS[answer.tier]
    return near.reason if not plain or _is_miss(mention, near) else PLAIN_WORDS


_ENDINGS = ("s", "es", "ed", "ing")


def _is_miss(mention: Mention, near: Nearest) -> bool:
    """Return whether a word with inner capitals is a misspelling of a real name.

    Otherwise it may be a brand. A real name with an ending is a word of the sentence,
    and the last words of a name are its short form: `SessionStop` for
    `EventSessionStop`.
    """
    name, real = mention.key, near.suggestion or ""
    if mention.kind not in _CODE_SYMBOLS or name[1:].islower() or len(name) < _LONG:
        return False
    if is_short_form(name, real):
        return False
    return bool(real) and name not in {real + ending for ending in _ENDINGS}


# Shorter words are similar to many names.
_LONG = 8


_KINDS = frozenset({MentionKind.PACKAGE, MentionKind.CLASS, MentionKind.IDENTIFIER})
_NAME = re.compile(r"[A-Za-z0-9](?:[\w.-]{0,98}[A-Za-z0-9])?$")


def spellings(mentions: Iterable[Mention], ledger: Ledger) -> Mapping[Mention, Mention]:
    """Return the trace's spelling of packages for names that were not found."""
    candidates = [m for m in mentions if m.kind in _KINDS and _NAME.match(m.key)]
    if not candidates:
        return {}
    names_by_form: dict[str, str] = {}
    for package in python_packages(ledger.calls):
        imported = package.shown is Shown.IMPORT
        name = package.name
        forms = published_names(name) if imported else {canonical(name)}
        for form in forms:
            names_by_form.setdefault(form, name)
    return {
        mention: replace(mention, kind=MentionKind.PACKAGE, key=names_by_form[form])
        for mention in candidates
        if (form := canonical(mention.key)) in names_by_form
        and names_by_form[form] != mention.key
    }
