"""Passages split into sentences, each parsed once."""

from dataclasses import dataclass

from verifyhub.engine.claims.numbers import Quantity
from verifyhub.engine.claims.reading import ParsedText
from verifyhub.engine.lazily import cached_property
from verifyhub.engine.passages import Passage
from verifyhub.engine.text.sentences import sentence_spans
from verifyhub.engine.types import Span


@dataclass(frozen=True, slots=True)
class EvidenceSentence:
    """One sentence of a passage; `span` is its place in the passage's own text."""

    span: Span
    reading: ParsedText


@dataclass(frozen=True)
class PassageReading:
    """A passage and its sentences."""

    passage: Passage
    language: str = "en"

    @cached_property
    def sentences(self) -> list[EvidenceSentence]:
        text = self.passage.text
        return [
            EvidenceSentence((start, end), ParsedText(text[start:end], self.language))
            for start, end in sentence_spans(text)
        ]

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset().union(
            *(sentence.reading.stems for sentence in self.sentences)
        )

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """The pairs of stems of all sentences."""
        return frozenset().union(
            *(sentence.reading.pairs for sentence in self.sentences)
        )

    @cached_property
    def quantities(self) -> list[Quantity]:
        """The numbers and dates of all sentences."""
        return [
            quantity for part in self.sentences for quantity in part.reading.quantities
        ]

    def in_source(self, span: Span) -> Span:
        """Return a place of this passage's text as one of the whole text."""
        return self.passage.span[0] + span[0], self.passage.span[0] + span[1]


class Readings:
    """Passages of one answer, each read once a language."""

    def __init__(self) -> None:
        self._read: dict[tuple[str, str], PassageReading] = {}

    def of(self, passage: Passage, language: str) -> PassageReading:
        key = (passage.id, language)
        if key not in self._read:
            self._read[key] = PassageReading(passage, language)
        return self._read[key]
