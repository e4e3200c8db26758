"""Read uploaded files in the background, a slice at a time."""

import shutil
import tempfile
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import IO, Any, cast
from uuid import UUID

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models.functions import Now

from verifyhub.accounts.models import Project, User
from verifyhub.audit.services import record_event
from verifyhub.common.logs import get_logger
from verifyhub.common.row_queue import RowLease, RowQueue
from verifyhub.ingest.bulk_services import batches, commit_lines
from verifyhub.ingest.formats.bulk.parquet import MAGIC, parquet_items
from verifyhub.ingest.formats.bulk.source import (
    CHUNK,
    Bounds,
    BrokenStreamError,
    LineSource,
)
from verifyhub.ingest.formats.bulk.streams import (
    RawItem,
    csv_items,
    is_gzip,
    raw_items,
)
from verifyhub.ingest.models import Bulk, BulkPart
from verifyhub.ingest.waiting import TooManyWaitingError

logger = get_logger(__name__)

PART_BYTES = 1024 * 1024
# A worker reads for so long at a time; then other work has its turn.
TURN_SECONDS = 5.0

_BULKS = RowQueue("ingest_bulk", task="ingest.read_bulk", argument="bulk_id")
reconcile_bulks = _BULKS.reconcile


class UploadRefusedError(Exception):
    """The file cannot be accepted; the message says why, for people."""


@transaction.atomic
def upload_bulk(
    *, project: Project, user: User, file: "UploadedFile[Any]", format_name: str
) -> Bulk:
    """Store a file in pieces, for a worker to read.

    Raises:
        UploadRefusedError: If it is empty or over `VERIFYHUB_MAX_UPLOAD_BYTES`.
    """
    size = file.size or 0
    if not size:
        raise UploadRefusedError("The file is empty.")
    if size > settings.MAX_UPLOAD_BYTES:
        raise UploadRefusedError("The file is too large.")
    name = str(file.name or "")[: Bulk.MAX_NAME]
    bulk = Bulk.objects.create(
        project=project,
        user=user,
        name=name,
        format=format_name,
        media=_media(name),
        state=Bulk.State.PENDING,
        bytes_total=size,
    )
    file.seek(0)
    for index, content in enumerate(iter(lambda: file.read(PART_BYTES), b"")):
        BulkPart.objects.create(
            project=project, bulk=bulk, index=index, content=content
        )
        if not index and content.startswith(MAGIC):
            bulk.media = "parquet"
            bulk.save(update_fields=["media"])
    record_event(
        "ingest.bulk_uploaded", bulk, user, after={"name": name, "bytes": size}
    )
    _BULKS.ring(bulk.pk)
    return bulk


def _media(name: str) -> str:
    """Return the media type by a file's name; `json` may be JSON Lines as well."""
    plain = name.lower().removesuffix(".gz")
    if plain.endswith(".csv"):
        return "csv"
    return "jsonl" if plain.endswith((".jsonl", ".ndjson")) else "json"


@transaction.atomic
def cancel_bulk(*, bulk: Bulk, actor: User) -> bool:
    """Stop reading a file; stored answers stay.

    Returns:
        False if it had already ended.
    """
    won = Bulk.objects.filter(pk=bulk.pk, state__in=Bulk.WAITING).update(
        state=Bulk.State.CANCELLED, finished_at=Now(), lease_until=None
    )
    if won:
        bulk.parts.all().delete()
        record_event(
            "ingest.bulk_cancelled",
            bulk,
            actor,
            after={"name": bulk.name, "line": bulk.line},
        )
    return bool(won)


def read_bulk(*, bulk_id: UUID) -> bool:
    """Continue reading an uploaded file, if no other worker does.

    After a while, or if there is no room for more answers, the row is put back; the
    next worker continues after the last committed line.

    Returns:
        True if this call read the file to its end.
    """
    return _BULKS.run(bulk_id, _read_turn)


def _read_turn(lease: RowLease) -> bool:
    try:
        if not _read_on(lease):
            return _give_back(lease, seconds=0)
        return _end(lease, Bulk.State.FINISHED)
    except TooManyWaitingError as error:
        return _give_back(lease, seconds=error.retry_after)
    except BrokenStreamError as error:
        return _end(lease, Bulk.State.BROKEN, str(error))


def _read_on(lease: RowLease) -> bool:
    """Store lines until the file or the time ends; return whether the file has."""
    bulk = Bulk.objects.get(pk=lease.row_id)
    parts = _Parts(bulk)
    until = time.monotonic() + TURN_SECONDS
    for batch in batches(_items(bulk, parts), bulk=bulk, after=bulk.line):
        if not _BULKS.renew(lease):
            # It was cancelled, or another worker has it.
            return False
        commit_lines(bulk_id=bulk.pk, lines=batch, bytes_done=parts.place)
        if time.monotonic() >= until:
            return False
    return True


def _items(bulk: Bulk, parts: "_Parts") -> Iterator[RawItem]:
    bounds = Bounds(unpacked=settings.MAX_UNPACKED_BYTES)
    if bulk.media == "parquet":
        with tempfile.TemporaryFile() as file:
            shutil.copyfileobj(cast("IO[bytes]", parts), file, CHUNK)
            file.seek(0)
            yield from parquet_items(file, bounds=bounds)
        return
    encoding = "gzip" if is_gzip(parts.head) else "identity"
    plain = LineSource(parts, encoding=encoding, bounds=bounds)
    if bulk.media == "csv":
        yield from csv_items(plain)
    else:
        yield from raw_items(plain, is_lines=bulk.media == "jsonl")


class _Parts:
    """An uploaded file, one piece in memory at a time.

    Attributes:
        place: How many bytes have been read.
    """

    def __init__(self, bulk: Bulk) -> None:
        self._bulk, self._next = bulk, 0
        self._piece, self._at, self.place = b"", 0, 0

    @property
    def head(self) -> bytes:
        """The first bytes."""
        first = self._bulk.parts.filter(index=0).values_list("content", flat=True)
        return bytes(first[0])[:16] if first else b""

    def read(self, size: int = -1) -> bytes:
        """Read at most so many bytes; none at the end."""
        self._fill()
        end = len(self._piece) if size < 0 else self._at + size
        return self._take(end)

    def readline(self, size: int = -1) -> bytes:
        """Read a line, or at most so many bytes of it."""
        line = b""
        while not line.endswith(b"\n") and (size < 0 or len(line) < size):
            self._fill()
            end = self._piece.find(b"\n", self._at) + 1 or len(self._piece)
            most = end if size < 0 else min(end, self._at + size - len(line))
            piece = self._take(most)
            if not piece:
                break
            line += piece
        return line

    def _fill(self) -> None:
        if self._at < len(self._piece):
            return
        rows = BulkPart.objects.filter(bulk=self._bulk, index=self._next)
        content = rows.values_list("content", flat=True).first()
        self._piece, self._at = bytes(content or b""), 0
        self._next += 1

    def _take(self, end: int) -> bytes:
        data = self._piece[self._at : end]
        self._at += len(data)
        self.place += len(data)
        return data


def _give_back(lease: RowLease, *, seconds: int) -> bool:
    """Put back the row for the next worker, without counting an attempt."""
    with transaction.atomic():
        won = Bulk.objects.filter(
            pk=lease.row_id, token=lease.token, state=Bulk.State.RUNNING
        ).update(
            state=Bulk.State.PENDING,
            attempts=0,
            lease_until=None,
            next_at=Now() + timedelta(seconds=seconds),
        )
        if won and not seconds:
            _BULKS.ring(lease.row_id)
    return False


@transaction.atomic
def _end(lease: RowLease, state: Bulk.State, error: str = "") -> bool:
    if not Bulk.end(lease, state, error=error):
        return False
    BulkPart.objects.filter(bulk=lease.row_id).delete()
    logger.info("bulk.ended", id=str(lease.row_id), state=state)
    return True
