"""Knowledge in the API."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field, StringConstraints

from verifyhub.common.api_bodies import RowBody, read_from
from verifyhub.common.contract import ContractModel, Count
from verifyhub.engine.passages import PassageOrigin
from verifyhub.knowledge.models import Document, EmbeddingSpace

MAX_QUESTION = 2000
MAX_FOUND = 50


class DocumentBody(RowBody):
    """A document, without its text."""

    id: UUID
    external_id: str
    title: str
    url: str
    sha256: str
    state: Document.State
    passage_count: Count
    author: str
    created_at: datetime
    changed_at: datetime


class WholeDocumentBody(DocumentBody):
    """A document with its text."""

    text: str


class ProgressBody(RowBody):
    """How far a project's knowledge is embedded."""

    documents: Count
    passages: Annotated[Count, read_from("total")]
    embedded: Annotated[Count, read_from("done")]
    """Passages the model has embedded."""
    model: Annotated[str | None, read_from("space.model")] = None
    dimension: Annotated[int | None, read_from("space.dimension")] = None
    serving: str
    """The former model, while it still serves; else empty."""
    state: Annotated[EmbeddingSpace.State | None, read_from("space.state")] = None
    error: str
    """Why nothing was embedded last; or empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchQuery(ContractModel):
    """What to look for."""

    text: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUESTION),
    ]
    limit: Annotated[int, Field(ge=1, le=MAX_FOUND)] = 10


class FoundPassageBody(RowBody):
    """A passage that was found."""

    passage: Annotated[str, read_from("passage.id")]
    origin: Annotated[PassageOrigin, read_from("passage.origin")]
    ref: Annotated[str, read_from("passage.ref")]
    """Id of the document or of the memory entry."""
    title: Annotated[str, read_from("passage.title")]
    text: Annotated[str, read_from("passage.text")]
    span: Annotated[list[int], read_from("passage.span")]
    """Where it stands in its text, in code points."""
    score: float
    """Of the joined ranking; orders only."""
    similarity: float | None
    """Cosine, -1 to 1; null where it is not embedded yet."""


class FoundBody(RowBody):
    """What a search found, best first."""

    results: list[FoundPassageBody]
