"""Writes of bulks: batches of lines, committed together with their counts.

Acknowledged lines are committed. A line may be sent any number of times: interactions
and spans are identified by their ids (ADR 0045).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Greatest, Now

from verifyhub.accounts.models import ApiKey, Project
from verifyhub.common.retention import Retention
from verifyhub.ingest.formats.bulk.items import BulkLine, LineRefusal, read_line
from verifyhub.ingest.formats.bulk.streams import RawItem
from verifyhub.ingest.models import Bulk, BulkRefusal
from verifyhub.ingest.services import RecordOutcome, Stored, record_interactions
from verifyhub.ingest.trace_services import receive_spans
from verifyhub.ingest.waiting import check_room

CREATED, SAME, TAKEN, MALFORMED, CONFLICT, REFUSED = 201, 200, 202, 400, 409, 422
STATUS = {
    RecordOutcome.CREATED: CREATED,
    RecordOutcome.SAME: SAME,
    RecordOutcome.CONFLICT: CONFLICT,
}
# Maximum lines of one transaction; fewer if they are long.
BATCH_LINES = 100
BATCH_BYTES = 4 * 1024 * 1024
# Refusals of one bulk that are stored; further ones are counted.
MAX_REFUSALS = 100_000
MAX_FIELD = 500
OTHER_CONTENT = "names an interaction with other content."
# Bulks are deleted so long after their last change; their interactions stay.
KEPT = timedelta(days=30)
# If a stream has committed nothing for so long, its server process is gone: the web
# server ends idle streams far sooner (`verification.api.bulk_stream`).
RECEIVED = timedelta(minutes=20)
INTERRUPTED = "The server stopped while it received the stream."


@dataclass(frozen=True, slots=True, kw_only=True)
class LineResult:
    """The result of storing one interaction of a line, or its spans.

    `status` is 201 created, 200 already stored, 202 span accepted, 400 not JSON, 409 id
    with other content, 422 invalid; then `field` and `message` say why.
    """

    line: int
    item: int
    status: int
    name: str = ""
    uuid: UUID | None = None
    field: str = ""
    message: str = ""


@transaction.atomic
def open_bulk(
    *,
    project: Project,
    api_key: ApiKey | None,
    reference: str = "",
    format_name: str,
    media: str,
) -> Bulk:
    """Start a bulk, or continue the one with that id."""
    fields = {
        "format": format_name,
        "media": media,
        "state": Bulk.State.RECEIVING,
        "lease_until": Now() + RECEIVED,
    }
    if not reference:
        return Bulk.objects.create(project=project, api_key=api_key, **fields)
    bulk, _ = Bulk.objects.update_or_create(
        project=project,
        reference=reference,
        defaults={**fields, "error": "", "finished_at": None},
        create_defaults={"api_key": api_key, **fields},
    )
    return bulk


def end_orphans() -> int:
    """End streams whose server process is gone; return how many.

    A sender may continue one at any time, like any interrupted stream.
    """
    # Rows of former versions have no lease.
    orphans = Q(lease_until__lt=Now()) | Q(
        lease_until=None, created_at__lt=Now() - timedelta(days=1)
    )
    return Bulk.objects.filter(orphans, state=Bulk.State.RECEIVING).update(
        state=Bulk.State.BROKEN, error=INTERRUPTED, finished_at=Now(), lease_until=None
    )


def batches(
    items: Iterable[RawItem],
    *,
    bulk: Bulk,
    first_line: int = 1,
    after: int = 0,
    is_due: Callable[[], bool] = lambda: False,
) -> Iterator[list[BulkLine]]:
    """Yield items in batches, one for each transaction.

    Args:
        items: The lines of the stream, numbered from 1.
        bulk: The bulk.
        first_line: The number of the stream's first line in the whole file.
        after: Lines up to this one are skipped unread.
        is_due: Whether an incomplete batch is to be written now.
    """
    batch: list[BulkLine] = []
    size = 0
    for item in items:
        number = item.number + first_line - 1
        if number <= after:
            continue
        placed = RawItem(number, item.data, item.value, item.problem, item.size)
        batch.append(read_line(placed, format_name=bulk.format, owner=bulk.owner))
        size += item.size
        if len(batch) >= BATCH_LINES or size >= BATCH_BYTES or is_due():
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


@transaction.atomic
def commit_lines(
    *, bulk_id: UUID, lines: Sequence[BulkLine], bytes_done: int | None = None
) -> list[LineResult]:
    """Store the content of lines, and update the counts, in one transaction.

    Concurrent requests of one bulk take turns.

    Args:
        bulk_id: The bulk.
        lines: The lines in order.
        bytes_done: The bytes of the file that have been read; None for a stream.

    Raises:
        TooManyWaitingError: If there is no room; then nothing is stored.
    """
    bulk = (
        Bulk.objects.select_for_update(of=("self",))
        .select_related("project", "api_key")
        .get(pk=bulk_id)
    )
    runs = [run for line in lines for run in line.interactions]
    if runs:
        check_room(bulk.project_id, count=len(runs))
    stored = iter(
        record_interactions(
            project=bulk.project, api_key=bulk.api_key, interactions=runs
        )
        if runs
        else ()
    )
    if spans := [span for line in lines for span in line.spans]:
        receive_spans(project=bulk.project, api_key=bulk.api_key, spans=spans)
    results = [result for line in lines for result in _results(line, stored)]
    _count(bulk, lines, results, bytes_done)
    return results


def _results(line: BulkLine, stored: Iterator[Stored]) -> Iterator[LineResult]:
    for item, entry in enumerate(line.items):
        if isinstance(entry, LineRefusal):
            yield LineResult(
                line=line.number,
                item=item,
                status=REFUSED if entry.is_json else MALFORMED,
                name=entry.name,
                field=entry.field,
                message=entry.message,
            )
            continue
        outcome = next(stored)
        is_other = outcome.outcome is RecordOutcome.CONFLICT
        yield LineResult(
            line=line.number,
            item=item,
            status=STATUS[outcome.outcome],
            name=entry.id or "",
            uuid=outcome.uuid,
            field="id" if is_other else "",
            message=OTHER_CONTENT if is_other else "",
        )
    for trace in sorted({span.trace_id for span in line.spans}):
        yield LineResult(line=line.number, item=0, status=TAKEN, name=trace)


def _count(
    bulk: Bulk,
    lines: Sequence[BulkLine],
    results: Sequence[LineResult],
    bytes_done: int | None,
) -> None:
    """Update the counts; repeated lines are not counted twice."""
    numbers = [line.number for line in lines]
    new = [result for result in results if result.line > bulk.line]
    refused = [result for result in results if result.status >= MALFORMED]
    forgotten, _ = bulk.refusals.filter(line__in=numbers).delete()
    room = max(0, MAX_REFUSALS - bulk.refused_count)
    BulkRefusal.objects.bulk_create(
        BulkRefusal(
            project_id=bulk.project_id,
            bulk=bulk,
            line=result.line,
            item=result.item,
            status=result.status,
            name=result.name,
            field=result.field[:MAX_FIELD],
            message=result.message[:MAX_FIELD],
        )
        for result in refused[:room]
    )
    Bulk.objects.filter(pk=bulk.pk).update(
        line=Greatest(F("line"), max(numbers, default=0)),
        created_count=F("created_count") + sum(r.status == CREATED for r in results),
        same_count=F("same_count") + sum(result.status == SAME for result in new),
        span_count=F("span_count") + sum(result.status == TAKEN for result in new),
        refused_count=F("refused_count") + len(refused) - forgotten,
        # For a file, the worker renews the lease.
        **(
            {"lease_until": Now() + RECEIVED}
            if bytes_done is None
            else {"bytes_done": bytes_done}
        ),
    )


def end_stream(*, bulk_id: UUID, problem: str = "") -> Bulk:
    """Record that a stream has ended, and why if it was interrupted; return the bulk.

    Another request may continue it at any time.
    """
    ended = Bulk.State.BROKEN if problem else Bulk.State.FINISHED
    Bulk.objects.filter(pk=bulk_id, state=Bulk.State.RECEIVING).update(
        state=ended, error=problem, finished_at=Now(), lease_until=None
    )
    return Bulk.objects.get(pk=bulk_id)


def _delete_bulks(keys: Sequence[UUID]) -> None:
    BulkRefusal.objects.filter(bulk__in=keys).delete()
    Bulk.objects.filter(pk__in=keys).delete()


BULK_RETENTION = Retention(
    name="bulks",
    old=lambda now: Bulk.objects.filter(created_at__lt=now - KEPT).exclude(
        state__in=Bulk.WAITING
    ),
    delete=_delete_bulks,
    batch=200,
)
