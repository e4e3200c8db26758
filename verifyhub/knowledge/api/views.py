"""API: documents of a project's knowledge, and search."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Annotated
from uuid import UUID

from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
)
from pydantic import Field, StringConstraints
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.accounts.models import Project
from verifyhub.common.api import PAGE_PARAMETERS, page_of
from verifyhub.common.api_bodies import (
    RowBody,
    body_of,
    operation,
    query_of,
    read_from,
    shown,
    shown_page,
)
from verifyhub.common.api_schema import reply
from verifyhub.common.contract import CONTROLS, ContractModel, Count
from verifyhub.common.http import or_404
from verifyhub.engine.passages import PassageOrigin
from verifyhub.ingest.api.idempotency import idempotent
from verifyhub.knowledge import selectors, services
from verifyhub.knowledge.api import examples
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
    """Progress of embedding a project's knowledge."""

    documents: Count
    passages: Annotated[Count, read_from("total")]
    embedded: Annotated[Count, read_from("done")]
    """Passages embedded by the model."""
    model: Annotated[str | None, read_from("space.model")] = None
    dimension: Annotated[int | None, read_from("space.dimension")] = None
    serving: str
    """The previous model while it is still in use; otherwise empty."""
    state: Annotated[EmbeddingSpace.State | None, read_from("space.state")] = None
    error: str
    """Why the last embedding failed; otherwise empty."""


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
    """Position in its text, in code points."""
    score: float
    """Score of the combined ranking; only its order is meaningful."""
    similarity: float | None
    """Cosine similarity, -1 to 1; null if not embedded yet."""


class FoundBody(RowBody):
    """Search results, best first."""

    results: list[FoundPassageBody]


EXTERNAL_ID = OpenApiParameter(
    "document_id",
    {
        "type": "string",
        "maxLength": Document.MAX_EXTERNAL_ID,
        "pattern": f"^[^{CONTROLS}]+$",
    },
    OpenApiParameter.PATH,
)
A_DOCUMENT = shown(DocumentBody, examples.DOCUMENT)
ASKED = [OpenApiExample("Document", examples.NEW_DOCUMENT, request_only=True)]


class DocumentList(APIView):
    """The documents of a project."""

    @operation(
        "listDocuments",
        "List the project's documents, without their texts",
        scope="read",
        parameters=PAGE_PARAMETERS,
        replies={200: shown_page(DocumentBody, examples.DOCUMENT)},
    )
    def get(self, request: Request) -> Response:
        rows = selectors.documents(key_of(request).project)
        return page_of(rows, request, body=DocumentBody.of)

    @operation(
        "addDocument",
        "Add a document",
        scope="memory",
        request=services.DocumentValues,
        examples=ASKED,
        replies={201: A_DOCUMENT},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        document = services.save_document(
            project=key_of(request).project,
            values=body_of(request, services.DocumentValues),
            actor=key_of(request),
        )
        return Response(DocumentBody.of(document), status=201)


class DocumentDetail(APIView):
    """One document, by its own id or by the external one."""

    @operation(
        "getDocument",
        "Read a document with its text",
        scope="read",
        replies={200: reply(WholeDocumentBody)},
    )
    def get(self, request: Request, document_id: str) -> Response:
        document = _document(key_of(request).project, document_id)
        return Response(WholeDocumentBody.of(document))

    @operation(
        "syncDocument",
        "Create or replace the document with an external id",
        scope="memory",
        description=(
            "Sending the same document again changes nothing. If the text changes, "
            "only new passages are embedded."
        ),
        parameters=[EXTERNAL_ID],
        request=services.DocumentContent,
        examples=ASKED,
        replies={200: A_DOCUMENT, 201: A_DOCUMENT},
    )
    def put(self, request: Request, document_id: str) -> Response:
        content = asdict(body_of(request, services.DocumentContent))
        values = services.DocumentValues(external_id=document_id, **content)
        document, is_new = services.sync_document(
            project=key_of(request).project, values=values, actor=key_of(request)
        )
        status = 201 if is_new else 200
        return Response(DocumentBody.of(document), status=status)

    @operation(
        "deleteDocument", "Delete a document", scope="memory", replies={204: None}
    )
    def delete(self, request: Request, document_id: str) -> Response:
        document = _document(key_of(request).project, document_id)
        services.delete_document(document=document, actor=key_of(request))
        return Response(status=204)


class KnowledgeProgress(APIView):
    """Progress of embedding the project's knowledge."""

    @operation(
        "knowledgeProgress",
        "Read the progress of embedding, and the model",
        scope="read",
        replies={200: shown(ProgressBody, examples.PROGRESS)},
    )
    def get(self, request: Request) -> Response:
        project = key_of(request).project
        documents = selectors.documents(project).count()
        progress = selectors.progress_of(project)
        return Response(ProgressBody.of(progress, documents=documents))


class KnowledgeSearch(APIView):
    """The passages of a project's knowledge that best match a query."""

    @operation(
        "searchKnowledge",
        "Search documents and shared findings",
        scope="read",
        query=SearchQuery,
        replies={200: shown(FoundBody, examples.FOUND)},
    )
    def get(self, request: Request) -> Response:
        query = query_of(request, SearchQuery)
        results = services.search_knowledge(
            project=key_of(request).project, text=query.text, limit=query.limit
        )
        return Response(FoundBody.of(None, results=results))


def _document(project: Project, document_id: str) -> Document:
    return or_404(selectors.document_named(project, document_id))
