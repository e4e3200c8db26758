"""A text parsed once, for everything that compares it with others."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from verifyhub.engine.claims.numbers import Quantity, quantities
from verifyhub.engine.claims.words import (
    ALL_STOP_WORDS,
    ClaimToken,
    is_content,
    negations,
    words,
)
from verifyhub.engine.lazily import cached_property


class WordUnit(NamedTuple):
    """A word, or all words of a number or date, which are compared as one."""

    word: ClaimToken
    quantity: Quantity | None
    matter: bool
    named: bool
    denies: bool

    @property
    def key(self) -> str:
        if self.quantity is None:
            return self.word.stem
        if self.quantity.date:
            return f"date {self.quantity.date}"
        return f"number {sorted(self.quantity.values)} {self.quantity.unit}"


@dataclass(frozen=True)
class ParsedText:
    """A parsed text; places are positions in it."""

    text: str
    language: str = "en"
    words: list[ClaimToken] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", words(self.text, self.language))

    @cached_property
    def content(self) -> list[ClaimToken]:
        """The words that carry meaning."""
        return [word for word in self.words if is_content(word, self.language)]

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(word.stem for word in self.words)

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """The stems of words that follow each other."""
        stems = [word.stem for word in self.words]
        return frozenset(pairwise(stems))

    @cached_property
    def quantities(self) -> list[Quantity]:
        """The numbers and dates."""
        return quantities(self.text, self.language)

    @cached_property
    def names(self) -> list[ClaimToken]:
        """The words spelt as names."""
        return names(self.words, self.text, self.language)

    @cached_property
    def negations(self) -> list[ClaimToken]:
        """The words that deny."""
        return negations(self.words, self.language)

    @cached_property
    def units(self) -> list[WordUnit]:
        """The words in order, those of one number or date as one."""
        units: list[WordUnit] = []
        names = {word.span for word in self.names}
        denials = {word.span for word in self.negations}
        quantities = iter(self.quantities)
        quantity = next(quantities, None)
        for word in self.words:
            while quantity is not None and quantity.span[1] <= word.span[0]:
                quantity = next(quantities, None)
            covering = (
                quantity if quantity and quantity.span[0] < word.span[1] else None
            )
            if covering is not None and units and units[-1].quantity is covering:
                continue
            units.append(
                WordUnit(
                    word,
                    covering,
                    covering is not None or is_content(word, self.language),
                    word.span in names,
                    word.span in denials,
                )
            )
        return units


# What begins a sentence or hangs on a name and is none.
_NO_NAMES = frozenset({
    "january", "february", "march", "april", "may", "june", "july", "august",
    "september", "october", "november", "december", "monday", "tuesday", "wednesday",
    "thursday", "friday", "saturday", "sunday", "yes", "no", "hi", "hello", "hey",
    "well", "oh", "ok", "okay", "sure", "thanks", "mr", "mrs", "ms", "dr",
})  # fmt: skip


def names(
    tokens: Sequence[ClaimToken], text: str, language: str = "en"
) -> list[ClaimToken]:
    """Return the words that are spelt as names, in order.

    A word with a capital that begins a sentence may be any word; it counts only where
    another name follows it at once, or where it is written in capitals. In German
    every noun has a capital: only what is no dictionary noun by its looks counts,
    that is capitals within the word, or two capitals in a row.

    Args:
        tokens: The words of the text, with places in it.
        text: Where the words stand.
        language: Two letters.
    """
    return [
        word
        for place, word in enumerate(tokens)
        if _has_capital(word)
        and len(word.text) > 1
        and not (word.key in _NO_NAMES or word.key in ALL_STOP_WORDS)
        and _is_name(tokens, place, text, language)
    ]


def _is_name(
    tokens: Sequence[ClaimToken], place: int, text: str, language: str
) -> bool:
    if any(char.isupper() for char in tokens[place].text[1:]):
        return True
    if place + 1 < len(tokens) and _has_capital(tokens[place + 1]):
        return True
    begins = _begins(tokens, place, text)
    if (
        place
        and _has_capital(tokens[place - 1])
        and not _begins(tokens, place - 1, text)
    ):
        return not begins
    return language != "de" and not begins


def _has_capital(word: ClaimToken) -> bool:
    return word.text[:1].isupper()


def _begins(tokens: Sequence[ClaimToken], place: int, text: str) -> bool:
    """Return whether a word begins a sentence, an item or a quotation."""
    if place == 0:
        return True
    between = text[tokens[place - 1].span[1] : tokens[place].span[0]]
    return any(char in between for char in '.!?…:;\n"“«„|—')
