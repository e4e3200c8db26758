"""The two ends of a way or a span, told the wrong way round: `from A to B`.

Fields say which end they are by a word of their key, as `from_city`, `pickup_date` and
`destination` do; a sentence by what stands before each value.
"""

import datetime
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum

from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.types import Span
from verifyhub.engine.value_results import ValueKind
from verifyhub.engine.values.contexts import Shown, against
from verifyhub.engine.values.records import Leaf, key_words
from verifyhub.engine.values.ruling import Ruling


class End(Enum):
    """Which end of a way or a span something is."""

    FIRST = 1
    LAST = 2


def turned_round(
    answer: str, sentence_of: Callable[[Span], Span], shown: Iterable[Shown]
) -> dict[Span, Ruling]:
    """Return why values stand at the other end of their way or span.

    Args:
        answer: The answer.
        sentence_of: Returns the sentence of a place.
        shown: The values that outputs have.
    """
    wrong: dict[Span, Ruling] = {}
    of_sentence: dict[tuple[Span, ValueKind], list[Shown]] = {}
    for one in sorted(shown, key=lambda each: each.span):
        if one.kind in _WITH_ENDS and one.leaves:
            key = (sentence_of(one.span), one.kind)
            of_sentence.setdefault(key, []).append(one)
    for (sentence, _), values in of_sentence.items():
        if _WAY_BACK.search(answer, *sentence):
            continue
        for first, last in _pairs(answer, values):
            turned = _turned(first, last)
            if turned is not None:
                wrong[first.span] = against(*reversed(turned))
                wrong[last.span] = against(*turned)
    return wrong


def _pairs(answer: str, values: Sequence[Shown]) -> Iterator[tuple[Shown, Shown]]:
    """Yield what a sentence tells as the first and as the last of each two ends."""
    open_end: tuple[End, Shown] | None = None
    for one in values:
        end = _end_said(answer, one.span)
        if end is None:
            continue
        if open_end is None or open_end[0] is end:
            open_end = (end, one)
            continue
        other = open_end[1]
        open_end = None
        yield (other, one) if end is End.LAST else (one, other)


def _end_said(answer: str, span: Span) -> End | None:
    """Return which end a value is by the word in front of it."""
    before = answer[max(0, span[0] - _LONGEST_WORD) : span[0]]
    match = _BEFORE.search(before)
    if match is None:
        return None
    return End.FIRST if match[1].casefold() in _FROM else End.LAST


def _turned(first: Shown, last: Shown) -> tuple[Leaf, Leaf] | None:
    """Return the leaves of two values if outputs have each as the other end alone."""
    if first.kind is ValueKind.DATE:
        return next(
            (
                (one, other)
                for one in first.leaves
                for other in last.leaves
                if _is_same_object(one, other)
                and one.key != other.key
                and _is_later(one, other)
            ),
            None,
        )
    firsts = {_end_of(leaf, first.kind) for leaf in first.leaves}
    lasts = {_end_of(leaf, last.kind) for leaf in last.leaves}
    if firsts != {End.LAST} or lasts != {End.FIRST}:
        return None
    return next(
        (
            (one, other)
            for one in first.leaves
            for other in last.leaves
            if _is_same_object(one, other)
        ),
        None,
    )


def _end_of(leaf: Leaf, kind: ValueKind) -> End | None:
    """Return which end a field is by its key, if it says one alone."""
    words = frozenset(key_words(leaf.key))
    is_first, is_last = not words.isdisjoint(_FIRST), not words.isdisjoint(_LAST)
    if is_first == is_last:
        return None
    return End.FIRST if is_first else End.LAST


def _is_same_object(one: Leaf, other: Leaf) -> bool:
    return (one.call, one.path[:-1]) == (other.call, other.path[:-1])


def _is_later(one: Leaf, other: Leaf) -> bool:
    """Whether a day of a record comes after another one of it."""
    day, earlier = _day(one), _day(other)
    return day is not None and earlier is not None and day > earlier


def _day(leaf: Leaf) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(str(leaf.value)[:10])
    except ValueError:
        return None


_WITH_ENDS = frozenset({ValueKind.NAME, ValueKind.DATE, ValueKind.TIME})
# Words in front of the first and of the last end, in five languages.
_FROM = word_set("from von ab du depuis desde из с от")
_TO = word_set(
    "to into until till through thru bis nach jusqu'au jusqu'à hasta в до по"
)
_BEFORE = re.compile(
    rf"(?<!\w)({'|'.join(sorted(_FROM | _TO, key=len, reverse=True))})"
    r"(?: the| dem| den| der| le| la| el)?[ ][*_\"“«]{0,3}$",
    re.IGNORECASE,
)
_LONGEST_WORD = 20
# The way back has its ends the other way round, and need not stand in the outputs.
_WAY_BACK = re.compile(
    r"(?<!\w)(?:return|back|inbound|rückf|rückr|zurück|retour|vuelta|regreso|обратн)",
    re.IGNORECASE,
)
_FIRST = word_set(
    "from origin source start starts starting begin begins departure depart departing"
    " leaving pickup sender payer"
)
_LAST = word_set(
    "to destination dest target end ends ending finish arrival arrive arriving dropoff"
    " recipient receiver payee"
)
