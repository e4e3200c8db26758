"""Read amounts in an answer: numbers with what they count or measure.

"The timeout is 30 seconds", "There are 2 modules", "3 of 5 tests passed". Two such
statements are compared only if they count the same thing: by the words of the sentence,
and for a measure by the thing that is measured.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from verifyhub.engine.synthesis import words
from verifyhub.engine.text.numbers import spelled
from verifyhub.engine.text.quantity_words import SMALL_NUMBERS, TENS
from verifyhub.engine.types import Mention


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """A number: of `about`, narrowed down by `modifiers`, that it is `value`."""

    about: tuple[str, ...]
    value: str
    modifiers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class SentenceWord:
    """A word in lower case, or a name by its key."""

    text: str
    name: Mention | None = None


# Words that separate the statements of a sentence.
_PARTS = frozenset({"and", "but", "while", "with", "whereas", ";"})
# Words around a number that are looked at.
_NEAR = 12
_ENGLISH = {
    **SMALL_NUMBERS["en"],
    **{word: ten for word, ten in TENS.items() if word.endswith("ty")},
}


def amounts(sentence: Sequence[SentenceWord]) -> Iterator[Amount]:
    """Yield the amounts that a sentence states, clause by clause."""
    names = tuple(sorted({word.text for word in sentence if word.name}))
    about_tests = any(_plain(word) in words.TESTS for word in sentence)
    for clause in _clauses(sentence):
        test_amounts = list(_tests(clause, names, about_tests=about_tests))
        yield from test_amounts
        places = [at for at, word in enumerate(clause) if number_of(word) is not None]
        ids = [at for at in places if _is_id(clause, at)]
        numbers = [at for at in places if at not in ids]
        if not test_amounts and len(numbers) == 1 and not _is_rough(clause, numbers[0]):
            ids_before = [
                f"{_plain(clause[at - 1])} {number_of(clause[at])}" for at in ids
            ]
            yield from _amount(clause, numbers[0], (*names, *ids_before))


def _is_id(clause: Sequence[SentenceWord], at: int) -> bool:
    """Whether a number is a name: "the total of order 17 is 24"."""
    following = _plain(clause[at + 1]) if at + 1 < len(clause) else ""
    return following in words.VALUES - {"to"} and bool(
        _content(clause[max(0, at - 1) : at])
    )


def number_of(word: SentenceWord) -> str | None:
    """Return a number as digits; None for other words and for names."""
    if word.name:
        return None
    number = spelled(word.text, _ENGLISH)
    if number is not None:
        return str(int(number))
    if not word.text[:1].isdecimal():
        return None
    return word.text.replace(",", "").lstrip("0") or "0"


def _plain(word: SentenceWord) -> str:
    return "" if word.name else word.text


def _clauses(sentence: Sequence[SentenceWord]) -> Iterator[list[SentenceWord]]:
    clause: list[SentenceWord] = []
    for word in sentence:
        if _plain(word) in _PARTS:
            yield clause
            clause = []
        else:
            clause.append(word)
    yield clause


def _is_rough(clause: Sequence[SentenceWord], at: int) -> bool:
    before = [_plain(word) for word in clause[max(0, at - 3) : at]]
    return any(word in words.ROUGH or word in words.NEGATORS for word in before)


def _tests(
    clause: Sequence[SentenceWord], names: tuple[str, ...], *, about_tests: bool
) -> Iterator[Amount]:
    """ "3 of 5 tests passed", "5 passed, 1 failed": how many, and of how many."""
    for at, word in enumerate(clause):
        result = _plain(word)
        if not about_tests or not result or result not in words.PASSES | words.FAILS:
            continue
        numbers = _numbers_before(clause, at)
        if not numbers or _is_rough(clause, numbers[0]):
            continue
        kind = "passed" if result in words.PASSES else "failed"
        first, *rest = [str(number_of(clause[place])) for place in numbers]
        yield Amount(about=("tests", kind, *names), value=first)
        if rest:
            yield Amount(about=("tests", "run", *names), value=rest[0])


def _numbers_before(clause: Sequence[SentenceWord], at: int) -> list[int]:
    """Return the places of the one or two numbers that a result is said of."""
    between = words.TESTS | {"of", "out", "the", "all", "have", "has", "are", "unit"}
    places: list[int] = []
    for place in range(at - 1, max(-1, at - _NEAR), -1):
        if number_of(clause[place]) is not None:
            places.insert(0, place)
        elif _plain(clause[place]) not in between:
            break
    return places[-2:]


def _amount(
    clause: Sequence[SentenceWord], at: int, names: tuple[str, ...]
) -> Iterator[Amount]:
    number = number_of(clause[at])
    before = _plain(clause[at - 1]) if at else ""
    if number is None or before in words.NUMBERED:
        return
    unit = _plain(clause[at + 1]) if at + 1 < len(clause) else ""
    other_words = [*clause[:at], *clause[at + 1 :]]
    if _is_habit(clause, before, unit, names):
        kind, factor = words.UNITS.get(unit, ("count", 1))
        about = sorted(
            {*_content(other_words)} - {singular(unit) if factor > 1 else ""}
        )
        yield Amount(about=(kind, *about, "", *names), value=_times(number, factor))
    elif unit in words.UNITS or not _content(clause[at + 1 : at + 2]):
        yield from _measure(clause, at, number, unit, names)
    elif not before or before in words.COUNTS or before in words.GENERIC | _ARTICLES:
        about = sorted(frozenset(_content(other_words)))
        yield Amount(about=("count", *about, "", *names), value=number)


def _is_habit(
    clause: Sequence[SentenceWord], before: str, unit: str, names: tuple[str, ...]
) -> bool:
    """Whether it is told how often or how long something does what it does.

    "The cache expires after 10 minutes", "it retries 3 times". What happened once may
    have been another time: "it waited 3 seconds".
    """
    plain_words = {_plain(word) for word in clause}
    happened = plain_words & words.HAPPENED or any(
        word.endswith("ed") for word in plain_words
    )
    is_verb = before.endswith("s") and not before.endswith(("ss", "us"))
    return (
        not happened
        and (unit in words.UNITS or bool(_content([SentenceWord(unit)])))
        and (before in words.SPANS or (is_verb and before not in words.STOP))
        and before not in words.COUNTS
        and len(_content(clause)) + len(names) > 2
    )


_ARTICLES = frozenset({"the", "all", "its"})


def _measure(
    clause: Sequence[SentenceWord],
    at: int,
    number: str,
    unit: str,
    names: tuple[str, ...],
) -> Iterator[Amount]:
    """ "The timeout is 30 seconds", "a timeout of 30 seconds": of one thing."""
    before = _plain(clause[at - 1]) if at else ""
    if before not in words.VALUES | {"of"}:
        return
    subject = _content(clause[: at - 1])
    if not subject:
        return
    kind, factor = words.UNITS.get(unit, ("number", 1))
    # What comes last before "is" is what is measured; the rest narrows it down.
    *narrower, measured = subject
    yield Amount(
        about=(kind, measured, "", *names),
        value=_times(number, factor),
        modifiers=frozenset(narrower),
    )


def _times(number: str, factor: int) -> str:
    units, _, part = number.partition(".")
    if factor == 1 or not units.isdecimal() or (part and not part.isdecimal()):
        return number
    scaled = int((units + part)[:30] or "0") * factor
    exact, remainder = divmod(scaled, 10 ** len(part))
    return str(exact) if not remainder else f"{scaled}/{10 ** len(part)}"


def _content(clause: Sequence[SentenceWord]) -> list[str]:
    """Return the words that say what a number is of, without their endings."""
    plain = (_plain(word) for word in clause)
    return [
        singular(word)
        for word in plain
        if word.isalpha()
        and word not in (words.STOP - words.COUNTED) | words.GENERIC | words.VALUES
    ]


def singular(word: str) -> str:
    """Return a word without the ending of its plural."""
    return word[:-1] if len(word) > 3 and word.endswith("s") else word
