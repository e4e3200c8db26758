"""A text taken apart once, for everything that compares it with others."""

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from verifyhub.engine.claims.names import names
from verifyhub.engine.claims.numbers import Quantity, quantities
from verifyhub.engine.claims.words import ClaimToken, is_content, negations, words


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
