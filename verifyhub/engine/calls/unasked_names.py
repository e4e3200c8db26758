"""Names that a call was given, where the user named another and nothing has them.

A visit to "Willow Court", where the user asked for one to "Beech House", is another.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.deed_words import RecordDeed, deed_set, words_of
from verifyhub.engine.calls.record_calls import RecordCall, leaves, numbers_in
from verifyhub.engine.text.quantity_words import MONTH, WEEKDAY
from verifyhub.engine.text.tokens import word_set

_TEXT_LIMIT = 40_000
_LONGEST = 60
# A name, or an address: "Willow Court", "12 Mill Lane".
_NAME = re.compile(
    r"(?!(?:True|False)\Z)(?:\d{1,5} )?[A-Z][a-z]{2,20}[\w.'&-]{0,20}"
    r"(?: [\w.'&-]{1,20}){0,5}"
)
# A name amid a line of the user, and what the user calls something.
_NAMED = re.compile(
    r"(?<=[^.!?:\"“\s] )[A-Z][a-z]{2,20}[\w'&-]{0,20}"
    r"(?: (?:of |the |& |and )?[A-Z][\w'.&-]{0,20}){0,5}"
)
_CALLED = re.compile(
    r"\b(?:called|named|titled|[Nn]ame (?:it|this|(?:the|my) (?:new )?\w{1,20}))"
    r"\s+[\"“']?([\w'’ ]{3,30})"
)
# What stands behind it is the user's own name.
_OWN = re.compile(
    r"(?:['’]m|\bam|(?<!['’]s )\bname(?:['’]s| is)|\bthis is|\bcall me) $"
)
_WORD = re.compile(r"[^\W_]{3,}")
_FIELD_OF_NAME = re.compile(r'"(\w{2,40})"\s?:\s?"[A-Z]')
_INITIALS = re.compile(r"\b[A-Z]{2,4}\b")
_LENGTHS_OF_INITIALS = (2, 3, 4)
# Words of many names.
_COMMON = word_set(
    """
    street avenue road boulevard drive lane hotel restaurant apartment apartments
    residences homes home place center centre station the and park class grill house
    inn cafe bar airport
    """
)
# Fields that name what is acted on, or who or where it is.
_NAMING = word_set(
    """
    name city location destination origin to from place property restaurant hotel venue
    station address recipient receiver payee beneficiary town airport event movie
    theater theatre artist song
    """
)
_NOT_NAMING = word_set("type file class path code zip state user first last email")
# Fields that the agent words itself.
_WORDED = word_set(
    """
    title subject summary description reason note notes message body comment comments
    query content text label detail details status category priority severity topic
    """
)
_AMOUNT_FIELD = re.compile(r"amount|total|sum\b", re.IGNORECASE)
_MONEY = re.compile(
    r"[$€£]\s?(\d[\d,]{0,12}(?:\.\d\d)?)"
    r"|\b(\d[\d,]{0,12}(?:\.\d\d)?) ?"
    r"(?:[€£]|(?:dollars|bucks|euros|pounds|usd|eur|gbp)\b)",
    re.IGNORECASE,
)
# The sums and differences of more numbers make up almost any amount.
_MOST_NUMBERS = 300
# Who is written to may be known otherwise, and what is made may be called anyhow.
_TO_SOMEBODY = deed_set("send escalate assign")
_MAKING = deed_set("create add")
_BEGINNING, _ENDING = 4, 5


class _Texts:
    """What the user and others said, word by word."""

    def __init__(self, user: str, others: Iterable[str]) -> None:
        others = list(others)
        self.text = "\n".join((user, *others))
        self.user = _words(user)
        self.initials = frozenset(_INITIALS.findall(user))
        self.beginnings_of_initials = {
            initials[:length]
            for initials in self.initials
            for length in _LENGTHS_OF_INITIALS
        }
        self.beginnings = {
            word[:_BEGINNING].casefold()
            for word in _WORD.findall(user)
            if word[_BEGINNING:] or word[0].isupper()
        }
        self.endings = {word[-_ENDING:] for word in self.user if word[_ENDING:]}
        self.shown = self.user.union(*map(_words, others))

    def has(self, name: str) -> bool:
        """Whether half of a name was said or shown, in any spelling."""
        words = _words(name)
        first = "".join(word[0] for word in name.split()).upper()
        known = [
            word
            for word in words
            if word in self.shown
            or word[:_BEGINNING] in self.beginnings
            or word[-_ENDING:] in self.endings
        ]
        return (
            _are_most(known, words)
            or first in self.beginnings_of_initials
            or any(first[:length] in self.initials for length in _LENGTHS_OF_INITIALS)
        )


def calls_on_unasked(
    calls: Sequence[Call],
    doing: Iterable[RecordCall],
    user: str,
    others: Iterable[str],
) -> Mapping[int, frozenset[str]]:
    """Return the calls that were given a name in the place of one the user gave.

    Args:
        calls: The calls of a run.
        doing: Those that act on records.
        user: What the user says.
        others: What the policy and others say.

    Returns:
        By the index of a call, the words of names that nothing before it has, where
        a look-up listed others, or the user gave another that no call has, or that a
        look-up was given in the same field; and amounts that nothing before it tells,
        where the user gave one that no call has.
    """
    acting = {call.index: call for call in doing}
    user = user[:_TEXT_LIMIT]
    given = (value for call in acting.values() for _, value in call.given)
    # The user gave an amount that no call was given.
    wanted = bool(_sums_in(user) - frozenset[float]().union(*map(numbers_in, given)))
    if not (wanted and acting) and not any(any(_given(c)) for c in acting.values()):
        return {}
    texts = _Texts(user, (text[:_TEXT_LIMIT] for text in others))
    words_of_calls = [_words_of(entry) for entry in calls]
    named = _unknown(_named_by(user), words_of_calls)
    called = _unknown((match[1] for match in _CALLED.finditer(user)), words_of_calls)
    listed = False
    asked: dict[str, set[str]] = {}
    numbers = set(numbers_in(texts.text)) if wanted else set()
    unasked: dict[int, frozenset[str]] = {}
    for entry, words_of_call in zip(calls, words_of_calls, strict=True):
        call = acting.get(entry.index)
        strange = frozenset(
            word
            for field, name in (_given(call) if call else ())
            if call
            and not texts.has(name)
            and (
                (
                    _names(field)
                    and (called or ((named or listed) and not _is_free(call, field)))
                )
                or not asked.get(field, set()) <= _words(name)
            )
            for word in _words(name)
        )
        if wanted and call:
            strange |= {
                value
                for field, value in call.given
                if _AMOUNT_FIELD.search(field) and not _is_known(value, numbers)
            }
        if strange:
            unasked[entry.index] = strange
            continue
        for field, value in () if call else leaves(entry.call.input):
            asked.setdefault(field, set()).update(_words(value) & texts.user)
        texts.shown |= words_of_call
        output = entry.call.output[:_TEXT_LIMIT]
        numbers.update(numbers_in(output) if wanted else ())
        fields = () if listed or call else _FIELD_OF_NAME.findall(output)
        listed = listed or any(map(_names, fields))
    return unasked


def _sums_in(text: str) -> frozenset[float]:
    """Return the amounts of money that a text tells."""
    return frozenset[float]().union(
        *(numbers_in(match[1] or match[2]) for match in _MONEY.finditer(text))
    )


def _is_known(amount: str, numbers: Set[float]) -> bool:
    """Whether a number is known, or the sum or difference of two that are."""
    return len(numbers) > _MOST_NUMBERS or all(
        number in numbers
        or any(round(number - other, 2) in numbers for other in numbers)
        or any(round(number + other, 2) in numbers for other in numbers)
        for number in numbers_in(amount)
    )


def _given(call: RecordCall) -> Iterator[tuple[str, str]]:
    """Yield the names that a call was given, with their fields."""
    writes = call.deeds & _TO_SOMEBODY and RecordDeed.PAY not in call.deeds
    for field, value in () if writes else leaves(call.call.call.input):
        is_name = len(value) <= _LONGEST and bool(_NAME.fullmatch(value))
        if is_name and _words(value) and _WORDED.isdisjoint(words_of(field)):
            yield field, value


def _names(field: str) -> bool:
    """Whether a field names a thing, a person or a place."""
    words = words_of(field)
    return not _NAMING.isdisjoint(words) and _NOT_NAMING.isdisjoint(words)


def _is_free(call: RecordCall, field: str) -> bool:
    """Whether the agent may choose the name of what a call makes."""
    makes = call.deeds & _MAKING and RecordDeed.BOOK not in call.deeds
    return bool(makes) and words_of(field)[-1:] == ("name",)


def _unknown(names: Iterable[str], words_of_calls: Sequence[frozenset[str]]) -> bool:
    """Whether no call has half of the words of one of some names."""
    wanted = {words for words in map(_words, names) if words}
    # By a word, a bit for each call that has it.
    having = dict.fromkeys(frozenset[str]().union(*wanted), 0)
    for place, known in enumerate(words_of_calls):
        for word in known & having.keys():
            having[word] |= 1 << place
    return not all(_is_half_in([having[word] for word in words]) for words in wanted)


def _is_half_in(words: Sequence[int]) -> bool:
    """Whether a call has half of some words, each given as the bits of its calls."""
    # By a number of words, the calls that have as many.
    calls = [-1] + [0] * -(-len(words) // 2)
    for bits in words:
        for number in range(len(calls) - 1, 0, -1):
            calls[number] |= calls[number - 1] & bits
    return bool(calls[-1])


def _words_of(entry: Call) -> frozenset[str]:
    """Return the words that a call was given or returned."""
    values = [value for _, value in leaves(entry.call.input)]
    return _words("\n".join((*values, entry.call.output[:_TEXT_LIMIT])))


def _are_most(part: Collection[str], words: Collection[str]) -> bool:
    """Whether a part of some words has half of them."""
    return 2 * len(part) >= len(words)


def _named_by(user: str) -> Iterator[str]:
    for line in user.splitlines():
        for match in _NAMED.finditer(line):
            own = _OWN.search(line[max(0, match.start() - 12) : match.start()])
            if not own and match[0].casefold() not in _TIMES:
                yield match[0]


_TIMES: Collection[str] = frozenset((*MONTH, *WEEKDAY))


def _words(text: str) -> frozenset[str]:
    return frozenset(map(str.casefold, _WORD.findall(text))) - _COMMON
