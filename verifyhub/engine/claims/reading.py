"""A text taken apart once, for everything that compares it with others."""

from dataclasses import dataclass, field
from itertools import pairwise

from verifyhub.engine.claims.names import names
from verifyhub.engine.claims.numbers import Quantity, quantities
from verifyhub.engine.claims.words import ClaimToken, is_content, negations, words
from verifyhub.engine.lazily import cached_property


@dataclass(frozen=True, slots=True)
class WordUnit:
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
    """A text and what stands in it; places are in the text."""

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
        """The stems of all words."""
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
