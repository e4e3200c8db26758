"""Values that no tool returned and that a passage about their sentence holds."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from verifyhub.engine.claim_results import ClaimEvidence, ClaimResult
from verifyhub.engine.passages import PassageOrigin
from verifyhub.engine.value_results import (
    ValueEvidence,
    ValueNote,
    ValueResult,
    ValueStatus,
)

_LONGEST_TEXT = 200
_HELD_FOR_TRUE = frozenset({PassageOrigin.DOCUMENT, PassageOrigin.SOURCE})


def in_sources(
    values: Sequence[ValueResult], facts: Sequence[ClaimResult]
) -> tuple[ValueResult, ...]:
    """Return the values, those of a passage with where they stand.

    A source or document is held against sentences, tools against values. A value that
    a passage found for its sentence holds is supported; where passages part over the
    sentence, it stays open.

    Args:
        values: What was found of each.
        facts: The sentences with the passages that decided.
    """
    return tuple(_of(value, facts) if value.is_flagged else value for value in values)


def _of(value: ValueResult, facts: Sequence[ClaimResult]) -> ValueResult:
    for fact in facts:
        start, end = fact.span
        if not any(start < last and first < end for first, last in value.spans):
            continue
        for place in _passages(fact):
            if value.text not in place.text:
                continue
            if fact.contradicting or fact.is_denied or fact.is_doubted:
                return replace(
                    value, status=ValueStatus.UNCHECKED, reason=ValueNote.OPEN
                )
            shown = ValueEvidence(
                call=-1, field=str(place.origin), text=place.text[:_LONGEST_TEXT]
            )
            return replace(
                value,
                status=ValueStatus.SUPPORTED,
                reason=ValueNote.FOUND,
                evidence=(shown,),
                note="",
            )
    return value


def _passages(fact: ClaimResult) -> Iterator[ClaimEvidence]:
    places = (fact.evidence, *fact.contradicting)
    yield from (one for one in places if one and one.origin in _HELD_FOR_TRUE)
