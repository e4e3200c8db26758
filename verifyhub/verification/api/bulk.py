"""API: bulks, as a stream of lines in and a stream of results out."""

from django.http import StreamingHttpResponse
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.common.api import ApiProblem, page_of
from verifyhub.common.api_bodies import query_of
from verifyhub.common.negotiation import ErrorsAsJSON
from verifyhub.common.row_files import CONTENT_TYPES, RowFormat, csv_lines, json_lines
from verifyhub.ingest.bulk_selectors import (
    REFUSAL_COLUMNS,
    bulks,
    find_bulk,
    refusal_rows,
)
from verifyhub.ingest.bulk_services import open_bulk
from verifyhub.ingest.models import Bulk
from verifyhub.verification.api import bulk_schemas as schemas
from verifyhub.verification.api.bulk_stream import (
    CSV,
    JSON,
    JSONL,
    PARQUET,
    Body,
    BulkBody,
    BulkReply,
    items_of,
)
from verifyhub.verification.api.replies import room_for
from verifyhub.verification.api.schemas import MAX_PAGE_SIZE, PAGE_SIZE

MEDIA = {
    **dict.fromkeys(schemas.JSON_LINES, JSONL),
    **dict.fromkeys((schemas.WHOLE_JSON, schemas.TEXT), JSON),
    schemas.CSV_TYPE: CSV,
    schemas.PARQUET_TYPE: PARQUET,
}


class BulkList(APIView):
    """Receive or list bulk imports."""

    # `?format=` is that of the lines.
    content_negotiation_class = ErrorsAsJSON

    @schemas.post_bulk
    def post(self, request: Request) -> StreamingHttpResponse:
        query = query_of(request, schemas.BulkQuery)
        media, encoding = _media(request), _encoding(request)
        room_for(request)
        key = key_of(request)
        bulk = open_bulk(
            project=key.project,
            api_key=key,
            reference=query.id,
            format_name=query.format,
            media=media,
        )
        stream = Body(request)
        reply = BulkReply(
            bulk,
            items_of(stream, media=media, encoding=encoding),
            first_line=query.from_line,
            only_problems=query.results == "problems",
            described=lambda error: body_of(request, error),
            is_left=stream.is_left,
        )
        return StreamingHttpResponse(
            reply,
            status=207,
            content_type="application/jsonl",
            headers={
                "Location": reverse("api-bulk", args=[bulk.pk]),
                # Proxies that gather replies would hold the results back.
                "X-Accel-Buffering": "no",
            },
        )

    @schemas.list_bulks
    def get(self, request: Request) -> Response:
        return page_of(
            bulks(key_of(request).project).select_related("project"),
            request,
            body=lambda row: body_of(request, row),
            size=PAGE_SIZE,
            most=MAX_PAGE_SIZE,
        )


class BulkDetail(APIView):
    """Progress of a bulk import."""

    @schemas.read_bulk
    def get(self, request: Request, reference: str) -> Response:
        return Response(body_of(request, _project_bulk(request, reference)))


class BulkErrors(APIView):
    """Rejected lines of a bulk import."""

    content_negotiation_class = ErrorsAsJSON

    @schemas.read_bulk_errors
    def get(self, request: Request, reference: str) -> StreamingHttpResponse:
        written_as = query_of(request, schemas.BulkErrorsQuery).format
        rows = refusal_rows(_project_bulk(request, reference))
        is_csv = written_as is RowFormat.CSV
        lines = csv_lines(REFUSAL_COLUMNS, rows) if is_csv else json_lines(rows)
        return StreamingHttpResponse(lines, content_type=CONTENT_TYPES[written_as])


def body_of(request: Request, bulk: Bulk) -> BulkBody:
    """Return a bulk as the API's body."""
    own = request.build_absolute_uri(reverse("api-bulk", args=[bulk.pk]))
    page = reverse("ingest:bulk", args=[key_of(request).project.slug, bulk.pk])
    ended = bulk.finished_at
    return {
        "id": bulk.owner,
        "uuid": str(bulk.pk),
        "name": bulk.name,
        "format": bulk.format,
        "state": bulk.state,
        "error": bulk.error,
        "line": bulk.line,
        "created": bulk.created_count,
        "same": bulk.same_count,
        "spans": bulk.span_count,
        "refused": bulk.refused_count,
        "created_at": bulk.created_at.isoformat(),
        "finished_at": ended.isoformat() if ended else None,
        "links": {
            "self": own,
            "errors": f"{own}errors/",
            "page": request.build_absolute_uri(page),
        },
    }


def _media(request: Request) -> str:
    kind = request.META.get("CONTENT_TYPE", "").partition(";")[0].strip().lower()
    if kind not in MEDIA:
        raise ApiProblem(415, f"Send the bulk import as {', '.join(MEDIA)}.")
    return MEDIA[kind]


def _encoding(request: Request) -> str:
    encoding = request.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding not in ("identity", "gzip"):
        raise ApiProblem(415, "Send the body compressed with gzip, or uncompressed.")
    return encoding


def _project_bulk(request: Request, reference: str) -> Bulk:
    bulk = find_bulk(key_of(request).project, reference)
    if bulk is None:
        raise ApiProblem(404, "This project has no such bulk import.")
    return bulk
