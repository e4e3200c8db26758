"""Passages that may be evidence, and the interfaces that embed and find them."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from verifyhub.engine.types import Span


class PassageOrigin(StrEnum):
    """The origin of a passage, most trusted first."""

    DOCUMENT = "document"
    SOURCE = "source"
    TOOL_CALL = "tool_call"
    FINDING = "finding"


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A stretch of a longer text.

    Attributes:
        id: Stable within its project; opaque.
        origin: What kind of text it was taken from.
        ref: Which one: the position of a source or a tool call in its run, or the id
            of a document or finding.
        title: What people call that text; empty where it has no name.
        text: The words themselves, as they stand in the text.
        span: Where they stand in it, in code points.
    """

    id: str
    origin: PassageOrigin
    ref: str
    text: str
    span: Span
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A passage that was found for a claim.

    Attributes:
        passage: What was found.
        score: Of the joined ranking; orders candidates of one search, nothing else.
        similarity: Cosine of claim and passage, -1..1; None where it was not embedded.
    """

    passage: Passage
    score: float
    similarity: float | None = None


class Embedder(Protocol):
    """Turns texts into unit vectors of one space."""

    @property
    def name(self) -> str:
        """The model's name; vectors of different names are never compared."""

    @property
    def dimension(self) -> int:
        """The number of dimensions of a vector."""

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return one unit vector a text, in order; long texts may be cut at the end.

        Raises:
            ModelError: If a remote model gave none.
        """


class PassageSearch(Protocol):
    """Searches passages that may support or contradict a claim."""

    def search(
        self, claims: Sequence[str], *, limit: int = 3
    ) -> Sequence[Sequence[Candidate]]:
        """Return the best passages of each claim, best first, at most `limit`."""
