"""Read the statements of an answer that another answer could contradict.

Sentence by sentence, by words alone: every name is one token, so that nothing inside a
name is read as a word. Only plain statements count; hedged ones are left out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from verifyhub.engine.completion.segments import Sentence, sentences
from verifyhub.engine.mentions.extract import extract_mentions
from verifyhub.engine.synthesis import words
from verifyhub.engine.synthesis.amounts import (
    SentenceWord,
    amounts,
    number_of,
    singular,
)
from verifyhub.engine.types import Mention, MentionKind

MAX_SENTENCES = 2000
_MEASURES = "|".join(unit for unit in words.UNITS if unit.isalpha())
_WORD = re.compile(
    r"[^\W\d_]+(?:['’][^\W\d_]+)?+|\d+(?:[.,]\d+)*+|[=;]"
    # "**Timeout:** 30 seconds" says that it is so; other labels are titles.
    rf"|:(?=[\s*_]{{1,4}}\d[\d.,]*+ ?(?:{_MEASURES})\b)",
    re.IGNORECASE,
)
_FILES = {MentionKind.FILE, MentionKind.DIRECTORY}


class StatementKind(StrEnum):
    """The kind of a statement."""

    TESTS = "tests"
    EXISTENCE = "existence"
    NUMBER = "number"
    NEGATION = "negation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One thing an answer states: of `about`, that it is `value`.

    `modifiers` narrow down what it is said of: "the default timeout" is a timeout.
    """

    kind: StatementKind
    about: tuple[str, ...]
    value: str
    sentence: str
    modifiers: frozenset[str] = frozenset()


def statements(answer: str) -> Iterator[Statement]:
    """Yield what an answer states, in order."""
    for sentence, tokens in _read(answer):
        if any(token.text in words.HEDGES for token in tokens if not token.name):
            continue
        if sentence.text.rstrip().endswith("?"):
            continue
        yield from _tests(tokens, sentence)
        yield from _existence(tokens, sentence)
        yield from _numbers(tokens, sentence) or _amounts(tokens, sentence)
        yield from _polarity(tokens, sentence)


def sentences_with_numbers(answer: str) -> Iterator[str]:
    """Yield the sentences that hold a number outside names, in digits or in a word.

    "One" is left out, which mostly counts nothing.
    """
    for sentence, tokens in _read(answer):
        if any(number_of(word) is not None and word.text != "one" for word in tokens):
            yield sentence.text


def _read(answer: str) -> Iterator[tuple[Sentence, list[SentenceWord]]]:
    mentions = extract_mentions(answer)
    places = sorted((span, mention) for mention in mentions for span in mention.spans)
    at = 0
    for sentence in islice(sentences(answer), MAX_SENTENCES):
        in_sentence = []
        while at < len(places) and places[at][0][0] < sentence.span[1]:
            if places[at][0][0] >= sentence.span[0]:
                in_sentence.append(places[at])
            at += 1
        yield sentence, _tokens(answer, sentence, in_sentence)


def _tokens(
    answer: str, sentence: Sentence, names: list[tuple[tuple[int, int], Mention]]
) -> list[SentenceWord]:
    tokens: list[SentenceWord] = []
    last, end = sentence.span

    def words_until(stop: int) -> None:
        tokens.extend(
            SentenceWord(match.group().lower().replace("’", "'"))
            for match in _WORD.finditer(answer, last, stop)
        )

    for (start, stop), mention in names:
        words_until(start)
        tokens.append(SentenceWord(mention.key, mention))
        last = min(stop, end)
    words_until(end)
    return tokens


def _negated(tokens: list[SentenceWord], at: int) -> bool:
    before = tokens[max(0, at - words.REACH) : at]
    negations = [t for t in before if not t.name and _is_no(t.text)]
    return len(negations) % 2 == 1


def _is_no(word: str) -> bool:
    return word in words.NEGATORS or word == "0"


def _has(tokens: list[SentenceWord], vocabulary: frozenset[str]) -> list[int]:
    return [
        at
        for at, token in enumerate(tokens)
        if not token.name and token.text in vocabulary
    ]


def _tests(tokens: list[SentenceWord], sentence: Sentence) -> Iterator[Statement]:
    """ "All tests pass", "2 failed": green or red, of the tests that are named."""
    if not _has(tokens, words.TESTS):
        return
    passes = [not _negated(tokens, at) for at in _has(tokens, words.PASSES)]
    fails = [not _negated(tokens, at) for at in _has(tokens, words.FAILS)]
    if not passes and not fails:
        return
    red = any(fails) or not all(passes)
    yield Statement(
        kind=StatementKind.TESTS,
        about=tuple(sorted({token.text for token in tokens if token.name})),
        value="fail" if red else "pass",
        sentence=sentence.text,
    )


def _existence(tokens: list[SentenceWord], sentence: Sentence) -> Iterator[Statement]:
    """ "`a.py` exists", "there is no `a.py`", "`a.py` is missing": of one file."""
    files = [t.name for t in tokens if t.name and t.name.kind in _FILES]
    if len(files) != 1 or len([t for t in tokens if t.name]) != 1:
        return
    value = _presence(tokens)
    if value is not None:
        yield Statement(
            kind=StatementKind.EXISTENCE,
            about=(files[0].key,),
            value="present" if value else "absent",
            sentence=sentence.text,
        )


def _presence(tokens: list[SentenceWord]) -> bool | None:
    name = next(at for at, token in enumerate(tokens) if token.name)
    after = tokens[name + 1 : name + 6]
    for vocabulary, is_present in (
        (words.EXISTS, True),
        (words.FINDS, True),
        (words.MISSING, False),
    ):
        for at in _has(after, vocabulary):
            # Only what is said of the name itself: "`a.py` is missing a header" is not.
            rest = [t.text for t in after[at + 1 :]]
            if vocabulary is words.MISSING and rest and rest[0] != "from":
                return None
            return is_present is not _negated(after, at)
    before = [token.text for token in tokens[:name]]
    if before[:3] == ["there", "is", "no"] or before[-2:] == ["no", "file"]:
        return False
    if before[:3] in (["there", "is", "a"], ["there", "is", "the"]):
        return True
    return None


def _numbers(tokens: list[SentenceWord], sentence: Sentence) -> list[Statement]:
    """ "`Cart` has 3 methods", "`TIMEOUT` is 30": a count or value of one name."""
    names = {token.text for token in tokens if token.name}
    if len(names) != 1 or tokens[0].text not in {*names, "the", "class", "function"}:
        return []
    numbers = []
    for at, token in enumerate(tokens):
        number = number_of(token)
        if number is None or at == 0 or tokens[at - 1].text not in words.COUNTS:
            continue
        if any(word.text in words.ROUGH for word in tokens[max(0, at - 3) : at]):
            continue
        unit = _unit(tokens[at + 1 : at + 3])
        if not unit and tokens[at - 1].text not in words.VALUES:
            continue
        numbers.append(
            Statement(
                kind=StatementKind.NUMBER,
                about=(*names, *unit),
                value=number,
                sentence=sentence.text,
            )
        )
    return numbers


def _amounts(tokens: list[SentenceWord], sentence: Sentence) -> Iterator[Statement]:
    """ "The timeout is 30 seconds", "3 tests passed": of what no single name is."""
    for amount in amounts(tokens):
        yield Statement(
            kind=StatementKind.NUMBER,
            about=amount.about,
            value=amount.value,
            sentence=sentence.text,
            modifiers=amount.modifiers,
        )


def _unit(following: list[SentenceWord]) -> tuple[str, ...]:
    unit = []
    for token in following:
        if token.name or token.text in words.STOP - {"functions", "methods"}:
            break
        if not token.text.isalpha() or token.text in words.NEGATORS:
            break
        unit.append(singular(token.text))
    return tuple(unit)


def _polarity(tokens: list[SentenceWord], sentence: Sentence) -> Iterator[Statement]:
    """The same sentence with and without its "not"."""
    names = [token.text for token in tokens if token.name]
    plain = [token.text for token in tokens if not token.name]
    content = [
        _stem(word)
        for word in plain
        if word not in words.STOP and not _is_no(word) and word.isalpha()
    ]
    if not names or not content:
        return
    negated = len([word for word in plain if _is_no(word)]) % 2 == 1
    # Names keep their order: who uses whom is the statement.
    yield Statement(
        kind=StatementKind.NEGATION,
        about=(*names, "", *content),
        value="not" if negated else "so",
        sentence=sentence.text,
    )


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if len(word) > len(ending) + 2 and word.endswith(ending):
            return word.removesuffix(ending).rstrip("e")
    return word.rstrip("e")
