"""API: search and export a project's memory."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.common.api import form_problem
from verifyhub.common.api_bodies import RowBody, operation, read_from
from verifyhub.common.api_schema import reply
from verifyhub.common.negotiation import ErrorsAsJSON
from verifyhub.common.row_files import CONTENT_TYPES, RowFormat
from verifyhub.memory import search
from verifyhub.memory.models import MemoryEntry
from verifyhub.memory.search import (
    CONSTRAINT,
    KINDS,
    MAX_TEXT,
    STATES,
    SearchFilters,
    SearchForm,
)

MAX_RESULTS = 100
PARAMETERS = [
    OpenApiParameter(
        "text",
        str,
        description='Words, "a phrase", or, -not; tolerates typos in names.',
    ),
    OpenApiParameter("kind", str, enum=[value for value, _ in KINDS if value]),
    OpenApiParameter("state", str, enum=[value for value, _ in STATES if value]),
    OpenApiParameter("scope", str, enum=MemoryEntry.Scope.values),
    OpenApiParameter("session", str, description="The client's name of the session."),
    OpenApiParameter("agent", str),
    OpenApiParameter("grade", str, enum=["A", "B", "C"]),
    OpenApiParameter("source", str, enum=MemoryEntry.Source.values),
    OpenApiParameter("answer", OpenApiTypes.UUID),
    OpenApiParameter("since", OpenApiTypes.DATE),
    OpenApiParameter("until", OpenApiTypes.DATE, description="Last day, inclusive."),
]


def _filters(request: Request) -> SearchFilters:
    form = SearchForm(request.query_params)
    if not form.is_valid():
        raise form_problem(form)
    return form.search()


class KnownBody(RowBody):
    """A memory entry or constraint, as given by `kind`; its texts are untrusted."""

    id: UUID
    kind: str = CONSTRAINT
    text: str
    suggestion: str
    state: str
    scope: str = "project"
    session: Annotated[str | None, read_from("session.key")] = None
    mention_kind: str
    confidence: float | None = None
    grade: str = ""
    interaction_id: UUID | None = None
    created_at: datetime


class MemoryFoundBody(RowBody):
    """The matches, best first."""

    results: list[KnownBody]
    is_cut: bool
    """Whether there are more matches than shown."""


class MemorySearchView(APIView):
    """Search in entries and constraints."""

    @operation(
        "search_memory",
        "Search memory",
        scope="read",
        description=(
            f"Returns at most {MAX_RESULTS} rows, best match first; without `text`, "
            f"newest first. `text` has at most {MAX_TEXT} characters."
        ),
        parameters=PARAMETERS,
        replies={200: reply(MemoryFoundBody)},
    )
    def get(self, request: Request) -> Response:
        project = key_of(request).project
        filters = _filters(request)
        rows: list[Any]
        if filters.text:
            results = search.search(project, filters)
            rows = search.rows_of(project, results.hits[:MAX_RESULTS])
            is_cut = results.is_cut or len(results.hits) > MAX_RESULTS
        else:
            rows = list(search.newest(project, filters)[: MAX_RESULTS + 1])
            rows, is_cut = rows[:MAX_RESULTS], len(rows) > MAX_RESULTS
        return Response(MemoryFoundBody.of(None, results=rows, is_cut=is_cut))


class MemoryExportView(APIView):
    """All that matches, streamed."""

    content_negotiation_class = ErrorsAsJSON

    @operation(
        "export_memory",
        "Export memory",
        scope="read",
        description="Streams every matching row. JSON Lines contain each value as "
        "stored. In CSV, text that a spreadsheet could run as a formula is prefixed "
        "with an apostrophe.",
        parameters=[
            *PARAMETERS,
            OpenApiParameter("format", str, enum=list(RowFormat), default="jsonl"),
        ],
        replies={
            (200, "application/jsonl"): OpenApiTypes.STR,
            (200, "text/csv"): OpenApiTypes.STR,
        },
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        filters = _filters(request)
        try:
            written_as = RowFormat(request.query_params.get("format", RowFormat.JSONL))
        except ValueError as error:
            raise ValidationError({"format": "Choose csv or jsonl."}) from error
        project = key_of(request).project
        return StreamingHttpResponse(
            search.lines(project, filters, written_as=written_as),
            content_type=CONTENT_TYPES[written_as],
        )
