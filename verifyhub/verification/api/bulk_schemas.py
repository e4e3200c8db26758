"""The OpenAPI description of bulks."""

import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
)
from pydantic import AfterValidator, Field

from verifyhub.common.api import page_parameters, page_shape
from verifyhub.common.api_bodies import operation
from verifyhub.common.api_schema import reply
from verifyhub.common.contract import ContractModel
from verifyhub.common.row_files import RowFormat
from verifyhub.ingest.formats.bulk.items import formats
from verifyhub.ingest.formats.transcripts import AUTO
from verifyhub.verification.api.bulk_stream import (
    BulkBody,
    BulkLineBody,
    BulkSummaryBody,
)
from verifyhub.verification.api.schemas import (
    MAX_PAGE_SIZE,
    PAGE_SIZE,
)

JSON_LINES = ("application/jsonl", "application/x-ndjson")
LAST_LINE = 10**15 - 1
# These may be an array, or objects laid out over lines, too.
WHOLE_JSON, TEXT, CSV_TYPE = "application/json", "text/plain", "text/csv"
PARQUET_TYPE = "application/vnd.apache.parquet"
NAME = re.compile(r"[A-Za-z0-9._:-]{1,100}", re.ASCII)


def _name(name: str) -> str:
    if not NAME.fullmatch(name):
        raise ValueError("must be 1 to 100 of A-Z a-z 0-9 . _ : -")
    return name


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkQuery(ContractModel):
    """How a bulk import is read and answered."""

    id: Annotated[
        str,
        Field(json_schema_extra={"pattern": f"^{NAME.pattern}$"}),
        AfterValidator(_name),
    ] = ""
    """Your id of the bulk import: up to 100 characters of `A-Za-z0-9._:-`."""
    format: Literal[formats()] = AUTO  # type: ignore[valid-type]
    """Format of each line."""
    from_line: Annotated[int, Field(ge=1, le=LAST_LINE)] = 1
    """Line number, in your file, of the first line you send."""
    results: Literal["all", "problems"] = "all"
    """`problems` omits lines that were stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkErrorsQuery(ContractModel):
    """How rejected lines are listed."""

    format: RowFormat = RowFormat.JSONL
    """File format."""


LINE_EXAMPLE: dict[str, Any] = {
    "line": 2,
    "item": 0,
    "status": 201,
    "id": "nightly-7:2",
    "uuid": "0c5f0f5e-6f0b-4f57-9a2b-0d7b8d7d1a10",
    "errors": [],
}
BULK_EXAMPLE: dict[str, Any] = {
    "id": "nightly-7",
    "uuid": "5b0e6f0b-4f57-4a2b-8d7b-8d7d1a100c5f",
    "name": "",
    "format": "auto",
    "state": "finished",
    "error": "",
    "line": 3,
    "created": 2,
    "same": 0,
    "spans": 0,
    "refused": 1,
    "created_at": "2026-01-01T00:00:00+00:00",
    "finished_at": "2026-01-01T00:00:02+00:00",
    "links": {
        "self": "https://hub.example/api/v1/bulk/5b0e6f0b…/",
        "errors": "https://hub.example/api/v1/bulk/5b0e6f0b…/errors/",
        "page": "https://hub.example/p/acme/bulk/5b0e6f0b…/",
    },
}
BULK_ID = OpenApiParameter(
    "reference",
    str,
    OpenApiParameter.PATH,
    description="Your id or VerifyHub's id of the bulk import.",
)
BULK = reply(BulkBody)
# Lines of the stream: no operation refers to them.
reply(BulkLineBody), reply(BulkSummaryBody)
STREAM = {"type": "string", "description": "One JSON object per line."}


post_bulk = operation(
    "postBulk",
    "Send any number of runs as one stream",
    scope="ingest",
    description="Each line is a run in VerifyHub's own format, a transcript in a "
    "supported format, or a row of a Langfuse or Phoenix export. Lines are committed "
    "in batches. While you send, the response returns one line of JSON for each "
    "(`BulkLine`) and a `BulkSummary` at the end. A line that has a response is "
    "committed. To continue after an interruption, send from the line after the last "
    "committed one (`from_line`), or send everything again: nothing is stored twice. "
    "Read the response while you send, or set `results=problems`. `Content-Length` is "
    "optional; the body may be compressed with gzip.",
    query=BulkQuery,
    parameters=[
        OpenApiParameter(
            "Content-Encoding", str, OpenApiParameter.HEADER, enum=["gzip", "identity"]
        ),
    ],
    request={
        **{kind: {"type": "string"} for kind in (*JSON_LINES, TEXT, CSV_TYPE)},
        WHOLE_JSON: {},
        PARQUET_TYPE: {"type": "string", "format": "binary"},
    },
    examples=[
        OpenApiExample(
            "Two runs",
            '{"id": "run-1", "task": "…", "answer": "…"}\n{"task": "…", "answer": "…"}',
            request_only=True,
            media_type=JSON_LINES[0],
        ),
    ],
    replies={
        (207, JSON_LINES[0]): OpenApiResponse(
            STREAM,
            description="A `BulkLine` for each interaction, then a `BulkSummary`.",
            examples=[OpenApiExample("A line", LINE_EXAMPLE)],
        )
    },
    refusals={
        415: "The content type is not supported, or the compression is not gzip.",
        429: "The project has too much work waiting or too many bulk imports in "
        "progress; see Retry-After.",
    },
)
list_bulks = operation(
    "listBulks",
    "List bulk imports, newest first",
    scope="read",
    parameters=page_parameters(PAGE_SIZE, MAX_PAGE_SIZE),
    replies={200: page_shape(BULK)},
)
read_bulk = operation(
    "readBulk",
    "Read the progress of a bulk import",
    scope="read",
    parameters=[BULK_ID],
    replies={
        200: OpenApiResponse(
            BULK,
            description="The last committed line and the counts.",
            examples=[OpenApiExample("Finished", BULK_EXAMPLE)],
        )
    },
)
read_bulk_errors = operation(
    "readBulkErrors",
    "List the rejected lines of a bulk import",
    scope="read",
    query=BulkErrorsQuery,
    parameters=[BULK_ID],
    replies={
        (200, JSON_LINES[0]): OpenApiResponse(
            STREAM,
            description="`line`, `item`, `status`, `id`, `field`, `message`; `id` is "
            "null if none could be read.",
        ),
        (200, CSV_TYPE): OpenApiResponse(STREAM, description="The same as a table."),
    },
)
