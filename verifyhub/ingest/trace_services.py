"""Writes of traces: store spans in any order, also repeated ones."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from verifyhub.accounts.models import ApiKey, Project
from verifyhub.common.logs import get_logger
from verifyhub.common.retention import Retention
from verifyhub.common.row_writes import insert
from verifyhub.ingest.formats.otlp.span import Span
from verifyhub.ingest.masking import masked_spans
from verifyhub.ingest.trace_models import OtlpSpan, OtlpTrace
from verifyhub.ingest.waiting import TooManyWaitingError, check_room

logger = get_logger(__name__)

SPANS_PER_INSERT = 500
# A trace with more spans is not checked for completeness, which reads all of them for
# each batch that arrives.
MOST_CHECKED = 1000
RETRY_AFTER_SECONDS = 10
WAITING = (OtlpTrace.State.PENDING, OtlpTrace.State.RUNNING)


@dataclass(frozen=True, slots=True)
class Received:
    """Counts of stored and refused spans, with the reason."""

    stored: int = 0
    refused: int = 0
    reason: str = ""


@transaction.atomic
def receive_spans(
    *, project: Project, api_key: ApiKey | None, spans: Sequence[Span]
) -> Received:
    """Store spans and schedule the reading of their traces.

    A stored span is not changed, unless it had not ended: batches may be repeated and
    arrive in any order. Secrets are masked. The rows of traces are locked in one order,
    so that requests with common traces do not deadlock.

    Raises:
        TooManyWaitingError: If `VERIFYHUB_OTLP_MAX_WAITING_TRACES` of the project's
            traces, or too many of its answers, are waiting.
    """
    by_trace: dict[str, dict[str, Span]] = defaultdict(dict)
    for span in masked_spans(project, spans):
        earlier = by_trace[span.trace_id].get(span.span_id)
        if earlier is None or (span.has_ended and not earlier.has_ended):
            by_trace[span.trace_id][span.span_id] = span
    stored = refused = 0
    for trace in _locked_traces(project, api_key, sorted(by_trace)):
        arrived = by_trace[trace.trace_id]
        written, left_out = _store(trace, arrived)
        stored, refused = stored + len(written), refused + left_out
        if written:
            _await_more(trace, written)
    most = settings.OTLP_MAX_SPANS
    reason = f"A trace may have {most} spans." if refused else ""
    return Received(stored, refused, reason)


def _locked_traces(
    project: Project, api_key: ApiKey | None, trace_ids: list[str]
) -> list[OtlpTrace]:
    """Return the locked rows of traces, creating missing ones."""
    rows = OtlpTrace.objects.filter(project=project, trace_id__in=trace_ids)
    existing = set(rows.values_list("trace_id", flat=True))
    if len(existing) == len(trace_ids):
        return list(rows.order_by("trace_id").select_for_update())
    check_room(project.id)
    most = settings.OTLP_MAX_WAITING_TRACES
    waiting = OtlpTrace.objects.filter(project=project, state__in=WAITING)
    if waiting[:most].count() >= most:
        raise TooManyWaitingError("traces", retry_after=RETRY_AFTER_SECONDS)
    now = timezone.now()
    new_traces = [
        OtlpTrace(project=project, api_key=api_key, trace_id=trace_id, last_seen_at=now)
        for trace_id in trace_ids
        if trace_id not in existing
    ]
    if len(insert(new_traces, ignore_conflicts=True)) == len(trace_ids):
        return new_traces
    return list(rows.order_by("trace_id").select_for_update())


def _store(trace: OtlpTrace, arrived: dict[str, Span]) -> tuple[list[Span], int]:
    """Insert new spans; return them, and how many exceed the limit."""
    stored: dict[str, bool] = {}
    if trace.span_count:
        rows = OtlpSpan.objects.filter(trace=trace, span_id__in=arrived)
        stored = dict(rows.values_list("span_id", "has_ended"))
    new = [span for key, span in arrived.items() if key not in stored]
    room = max(0, settings.OTLP_MAX_SPANS - trace.span_count)
    inserted = new[:room]
    for start in range(0, len(inserted), SPANS_PER_INSERT):
        insert(
            [_row(trace, span) for span in inserted[start : start + SPANS_PER_INSERT]]
        )
    ended = [
        arrived[k] for k, done in stored.items() if not done and arrived[k].has_ended
    ]
    for span in ended:
        OtlpSpan.objects.filter(trace=trace, span_id=span.span_id).update(
            data=span.as_json(), has_ended=True
        )
    trace.span_count += len(inserted)
    return inserted + ended, len(new) - len(inserted)


def _row(trace: OtlpTrace, span: Span) -> OtlpSpan:
    return OtlpSpan(
        project_id=trace.project_id,
        trace=trace,
        span_id=span.span_id,
        has_ended=span.has_ended,
        is_late=trace.finished_at is not None,
        data=span.as_json(),
    )


def _await_more(trace: OtlpTrace, spans: list[Span]) -> None:
    """Schedule reading a trace: once its root has ended, or when no more spans arrive.

    A worker that is reading it loses its claim, since its result would lack these
    spans.
    """
    root = next((span for span in spans if not span.parent_id), None)
    trace.root_seen |= root is not None and root.has_ended
    if not trace.root_seen:
        seconds = settings.OTLP_QUIET_SECONDS
    elif _is_complete(trace, spans):
        seconds = settings.OTLP_COMPLETE_GRACE_SECONDS
    else:
        seconds = settings.OTLP_ROOT_GRACE_SECONDS
    OtlpTrace.objects.filter(pk=trace.pk).update(
        state=OtlpTrace.State.PENDING,
        name=(root.name if root else trace.name or spans[0].name)[: OtlpTrace.MAX_NAME],
        root_seen=trace.root_seen,
        span_count=trace.span_count,
        late_count=F("late_count") + (len(spans) if trace.finished_at else 0),
        last_seen_at=Now(),
        next_at=Now() + timedelta(seconds=seconds),
        token=F("token") + 1,
        attempts=0,
        lease_until=None,
        rung_at=None,
        error="",
    )


def _is_complete(trace: OtlpTrace, arrived: Sequence[Span]) -> bool:
    """Whether each stored span of a trace has ended, and its parent is stored.

    Spans of another process, whose parent came first, may still be missing.
    """
    spans = [(span.span_id, span.parent_id, span.has_ended) for span in arrived]
    if trace.span_count > MOST_CHECKED:
        return False
    if trace.span_count > len(arrived):
        rows = OtlpSpan.objects.filter(trace=trace)
        spans = list(rows.values_list("span_id", "data__parent_id", "has_ended"))
    stored = {span_id for span_id, _, _ in spans}
    return all(
        has_ended and (not parent_id or parent_id in stored)
        for _, parent_id, has_ended in spans
    )


def _old_traces(now: datetime) -> QuerySet[OtlpTrace]:
    before = now - timedelta(days=settings.OTLP_SPAN_DAYS)
    old = OtlpTrace.objects.filter(last_seen_at__lt=before).exclude(state__in=WAITING)
    return old.order_by("last_seen_at")


def delete_old_traces(
    project: Project, before: datetime, *, most: int | None = None
) -> dict[str, int]:
    """Delete a batch of a project's traces without spans since a time.

    The runs made from them stay.

    Returns:
        Number of deleted rows, by kind.
    """
    old = OtlpTrace.objects.filter(project=project, last_seen_at__lt=before)
    old = old.exclude(state__in=WAITING).order_by("last_seen_at")
    return delete_traces(list(old.values_list("pk", flat=True)[:most]))


def delete_traces(keys: Sequence[UUID]) -> dict[str, int]:
    """Delete traces with their spans; return the number of rows."""
    spans = OtlpSpan.objects.filter(trace_id__in=keys).count()
    _delete_traces(keys)
    return {"spans": spans, "traces": len(keys)}


def _delete_traces(keys: Sequence[UUID]) -> None:
    # Without loading the spans, which may be thousands of large rows.
    OtlpSpan.objects.filter(trace_id__in=keys).delete()
    OtlpTrace.objects.filter(pk__in=keys).delete()


# Traces without spans for `VERIFYHUB_OTLP_SPAN_DAYS`; interactions made from them stay.
TRACE_RETENTION = Retention(
    name="traces",
    old=_old_traces,
    delete=_delete_traces,
    batch=500,
    project="project_id",
)
