"""Stream a bulk request's body and its reply.

Both flow at the same time: lines are read, committed and answered batch by batch, so
that neither side holds the whole.
"""

import json
import select
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Annotated, cast

from django.conf import settings
from django.db import Error
from django.http import HttpRequest
from pydantic import Field
from typing_extensions import TypedDict

from verifyhub.common.api import ApiProblem, FieldErrorBody
from verifyhub.common.contract import Count, MomentText, UriText, UuidText, one_of
from verifyhub.common.database_faults import SENTENCES, fault_of, is_away, unless_away
from verifyhub.common.logs import get_logger
from verifyhub.events.streams import shutdown
from verifyhub.ingest.bulk_services import (
    MALFORMED,
    LineResult,
    batches,
    commit_lines,
    end_stream,
)
from verifyhub.ingest.formats.bulk.parquet import parquet_items
from verifyhub.ingest.formats.bulk.source import (
    CHUNK,
    TOO_LARGE,
    Bounds,
    BrokenStreamError,
    LineSource,
)
from verifyhub.ingest.formats.bulk.streams import RawItem, csv_items, raw_items
from verifyhub.ingest.models import Bulk
from verifyhub.ingest.waiting import TooManyWaitingError

logger = get_logger(__name__)

# A sender that sends nothing, or does not read its answers, for so long is gone.
STALL_SECONDS = 60
# One that sends without a line ever being whole, and the longest stream: each holds a
# thread, and can go on as another request.
ITEM_SECONDS, STREAM_SECONDS = 600, 3600
# Lines that came slowly are committed after so long, though the batch is not full.
BATCH_SECONDS = 1.0
RETRY_DATABASE_SECONDS = 5
# Another process of the server goes on with it.
STOPPING, RETRY_SERVER_SECONDS = "The server is about to stop.", 1
LINE_STATUSES = [200, 201, 202, 400, 409, 422]
END_STATUSES = [200, 400, 408, 413, 422, 429, 503]
JSONL, JSON, CSV, PARQUET = "jsonl", "json", "csv", "parquet"

# A stream holds a thread of the web server for as long as it lasts.
_streams = threading.BoundedSemaphore(settings.MAX_BULK_STREAMS)


class BulkLinksBody(TypedDict):
    self: UriText
    errors: UriText
    page: UriText


class BulkBody(TypedDict):
    id: str
    """Your id, or VerifyHub's if you set none."""
    uuid: UuidText
    name: str
    """Name of the uploaded file."""
    format: str
    state: Annotated[str, one_of(Bulk.State)]
    error: str
    """Why it was interrupted or failed."""
    line: Count
    """The last committed line."""
    created: Count
    """Interactions created."""
    same: Count
    """Interactions that already existed."""
    spans: Count
    """OpenTelemetry spans accepted."""
    refused: Count
    """Interactions and lines rejected."""
    created_at: MomentText
    finished_at: MomentText | None
    links: BulkLinksBody


class BulkLineBody(TypedDict):
    line: Count
    item: Count
    """Position in the line, which may contain several."""
    status: Annotated[int, Field(json_schema_extra={"enum": LINE_STATUSES})]
    """201 created, 200 already existed, 202 span accepted, 400 invalid JSON, 409 id
    used for different content, 422 invalid."""
    id: str | None
    """Id of the interaction or trace; for a rejected line, its own id, or null if none
    could be read."""
    uuid: UuidText | None
    errors: list[FieldErrorBody]


class BulkEndBody(TypedDict):
    status: Annotated[int, Field(json_schema_extra={"enum": END_STATUSES})]
    """200 if everything was read; otherwise why it ended early."""
    detail: str
    retry_after: int | None
    bulk: BulkBody


class BulkSummaryBody(TypedDict):
    summary: BulkEndBody


class Body:
    """The bytes of a request as a stream; an early end is an error."""

    def __init__(self, request: HttpRequest) -> None:
        meta = request.META
        self._stream = cast("IO[bytes]", meta["wsgi.input"])
        chunked = "chunked" in meta.get("HTTP_TRANSFER_ENCODING", "").lower()
        # Of a body in chunks the server knows the end; of another one we do.
        self._left = None if chunked else _length(meta.get("CONTENT_LENGTH") or "")
        self._connection = meta.get("gunicorn.socket")

    def wait_at_most(self, seconds: float) -> None:
        """Set the timeout for the next bytes."""
        if self._connection is not None:
            self._connection.settimeout(STALL_SECONDS)
            if (within := getattr(self._connection, "read_within", None)) is not None:
                within(seconds)

    def is_left(self) -> bool:
        """Whether the sender has closed the connection."""
        if self._connection is None:
            return False
        poll = select.poll()
        poll.register(self._connection.fileno(), select.POLLRDHUP)
        return bool(poll.poll(0))

    def read(self, size: int = -1) -> bytes:
        """Read at most so many bytes; none at the end."""
        return self._read_within(self._stream.read, CHUNK if size < 0 else size)

    def readline(self, size: int = -1) -> bytes:
        """Read a line, or so much of it."""
        line = self._read_within(self._stream.readline, CHUNK if size < 0 else size)
        if self._left and not line.endswith(b"\n") and len(line) < size:
            raise OSError
        return line

    def _read_within(self, read: Callable[[int], bytes], size: int) -> bytes:
        if self._left is None:
            return read(size)
        data = read(min(size, self._left)) if self._left else b""
        if self._left and not data:
            raise OSError
        self._left -= len(data)
        return data


def _length(text: str) -> int:
    if len(text) > 18 or (text and not (text.isascii() and text.isdigit())):
        raise ApiProblem(400, "Content-Length is not a number.")
    return int(text or 0)


def items_of(body: Body, *, media: str, encoding: str) -> Iterator[RawItem]:
    """Yield the lines, values or rows of a body.

    Raises:
        BrokenStreamError: While reading, where it breaks off.
    """
    bounds = Bounds(
        unpacked=settings.MAX_UNPACKED_BYTES,
        item_seconds=ITEM_SECONDS,
        seconds=STREAM_SECONDS,
    )
    stream = LineSource(body, encoding=encoding, bounds=bounds, wait=body.wait_at_most)
    if media == CSV:
        yield from csv_items(stream)
    elif media == PARQUET:
        # Its table of contents stands at its end.
        with tempfile.TemporaryFile() as file:
            _spool(stream, file)
            yield from parquet_items(file, bounds=bounds)
    else:
        yield from raw_items(stream, is_lines=media == JSONL)


def _spool(source: LineSource, file: IO[bytes]) -> None:
    while data := source.read(CHUNK):
        file.write(data)
        # What holds no row yet is no sign of anything: rows stand in no order.
        source.mark_item()
        if file.tell() > settings.MAX_UPLOAD_BYTES:
            raise BrokenStreamError(
                f"The file has more than {settings.MAX_UPLOAD_BYTES} bytes.",
                status=TOO_LARGE,
            )
    file.seek(0)


class BulkReply:
    """The lines of the reply; iterating reads, commits and replies.

    Attributes:
        bulk: What is read into.
    """

    def __init__(
        self,
        bulk: Bulk,
        items: Iterable[RawItem],
        *,
        first_line: int,
        only_problems: bool,
        described: Callable[[Bulk], BulkBody],
        is_left: Callable[[], bool] = lambda: False,
    ) -> None:
        """Take a place among the streams.

        Raises:
            ApiProblem: 429 if this process has no place free.
        """
        self.bulk, self._items, self._first_line = bulk, items, first_line
        self._only_problems, self._described = only_problems, described
        self._is_left = is_left
        self._holds_place = _streams.acquire(blocking=False)
        if not self._holds_place:
            raise ApiProblem(
                429,
                "Too many bulk imports are in progress.",
                headers={"Retry-After": "5"},
            )

    def close(self) -> None:
        """Release the place, however the stream ended."""
        if self._holds_place:
            self._holds_place = False
            _streams.release()
        with unless_away():
            end_stream(bulk_id=self.bulk.pk, problem="The client disconnected.")

    def __iter__(self) -> Iterator[bytes]:
        status, detail, wait = 200, "", None
        try:
            yield from self._answered()
        except TooManyWaitingError as error:
            status, detail, wait = 429, str(error), error.retry_after
        except BrokenStreamError as error:
            status, detail = error.status, str(error)
            if shutdown.is_asked:
                status, detail, wait = 503, STOPPING, RETRY_SERVER_SECONDS
        except Error as error:
            if not is_away(error):
                raise
            fault = fault_of(error)
            logger.error(
                "database.unavailable", error=type(error).__name__, cause=fault
            )
            status, detail = 503, SENTENCES[fault]
            wait = RETRY_DATABASE_SECONDS
        yield self._summary(status, detail, wait)
        self.close()

    def _answered(self) -> Iterator[bytes]:
        begun = time.monotonic()

        def is_due() -> bool:
            return time.monotonic() - begun > BATCH_SECONDS

        for batch in batches(
            self._items, bulk=self.bulk, first_line=self._first_line, is_due=is_due
        ):
            results = commit_lines(bulk_id=self.bulk.pk, lines=batch)
            if self._is_left():
                raise BrokenStreamError("The client disconnected.")
            if shutdown.is_asked:
                raise BrokenStreamError(STOPPING)
            if data := b"".join(
                _json(line_body(result))
                for result in results
                if result.status >= MALFORMED or not self._only_problems
            ):
                yield data
            begun = time.monotonic()

    def _summary(self, status: int, detail: str, wait: int | None) -> bytes:
        bulk = self.bulk
        with unless_away():
            bulk = end_stream(bulk_id=bulk.pk, problem=detail)
        end: BulkEndBody = {
            "status": status,
            "detail": detail,
            "retry_after": wait,
            "bulk": self._described(bulk),
        }
        return _json(BulkSummaryBody(summary=end))


def line_body(result: LineResult) -> BulkLineBody:
    """Return one result as the API's line."""
    error: FieldErrorBody = {"field": result.field, "message": result.message}
    return {
        "line": result.line,
        "item": result.item,
        "status": result.status,
        "id": result.name or None,
        "uuid": str(result.uuid) if result.uuid else None,
        "errors": [error] if result.status >= MALFORMED else [],
    }


def _json(value: BulkLineBody | BulkSummaryBody) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"
