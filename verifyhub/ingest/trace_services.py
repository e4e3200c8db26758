"""Writes of traces: store spans in any order, also repeated ones."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from verifyhub.accounts.models import ApiKey, Project
from verifyhub.common.logs import get_logger
from verifyhub.common.prepared import PreparedQuery, prepared_cursor
from verifyhub.common.retention import Retention
from verifyhub.common.row_writes import insert, update
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


_KNOWN = PreparedQuery(
    lambda project, names: OtlpTrace.objects.filter(
        project=project, trace_id__any_of=names
    ).values_list("trace_id", flat=True)
)
_LOCKED = PreparedQuery(
    lambda project, names: (
        OtlpTrace.objects.filter(project=project, trace_id__any_of=names)
        .order_by("trace_id")
        .select_for_update()
    )
)
_ARRIVED_BEFORE = PreparedQuery(
    lambda traces, names: OtlpSpan.objects.filter(
        trace__any_of=traces, span_id__any_of=names
    ).defer("data")
)
_LINKS = PreparedQuery(
    lambda traces: OtlpSpan.objects.filter(trace__any_of=traces).values_list(
        "trace_id", "span_id", "data__parent_id", "has_ended"
    )
)
# A worker that is reading a trace loses its claim, since its result would lack the
# new spans.
AWAIT_MORE = """
UPDATE ingest_otlptrace AS old
SET state = 'pending', name = new.name, root_seen = new.root_seen,
    span_count = new.span_count, late_count = old.late_count + new.late_count,
    last_seen_at = now(), next_at = now() + make_interval(secs => new.seconds),
    token = old.token + 1, attempts = 0, lease_until = NULL, rung_at = NULL, error = ''
FROM unnest(
    %s::uuid[], %s::text[], %s::boolean[], %s::int[], %s::int[], %s::double precision[]
) AS new (id, name, root_seen, span_count, late_count, seconds)
WHERE old.id = new.id
"""


@dataclass(slots=True)
class _Arrival:
    """The spans of one trace in a request, by id, and those of them to write."""

    trace: OtlpTrace
    spans: dict[str, Span]
    new: list[Span] = field(default_factory=list)
    # Stored open spans that have ended, by key.
    ended: dict[int, Span] = field(default_factory=dict)
    refused: int = 0

    @property
    def written(self) -> list[Span]:
        return [*self.new, *self.ended.values()]


@transaction.atomic
def receive_spans(
    *, project: Project, api_key: ApiKey | None, spans: Sequence[Span]
) -> Received:
    """Store spans and schedule the reading of their traces.

    A stored span is not changed, unless it had not ended: batches may be repeated and
    arrive in any order. Secrets are masked. The rows of traces are locked in one order,
    so that requests with common traces do not deadlock. The number of statements does
    not depend on the number of traces.

    Raises:
        TooManyWaitingError: If `VERIFYHUB_OTLP_MAX_WAITING_TRACES` of the project's
            traces, or too many of its answers, are waiting.
    """
    by_trace: dict[str, dict[str, Span]] = defaultdict(dict)
    for span in masked_spans(project, spans):
        earlier = by_trace[span.trace_id].get(span.span_id)
        if earlier is None or (span.has_ended and not earlier.has_ended):
            by_trace[span.trace_id][span.span_id] = span
    arrivals = [
        _Arrival(trace, by_trace[trace.trace_id])
        for trace in _locked_traces(project, api_key, sorted(by_trace))
    ]
    _store(arrivals)
    _await_more([arrival for arrival in arrivals if arrival.written])
    refused = sum(arrival.refused for arrival in arrivals)
    most = settings.OTLP_MAX_SPANS
    reason = f"A trace may have {most} spans." if refused else ""
    return Received(sum(len(one.written) for one in arrivals), refused, reason)


def _locked_traces(
    project: Project, api_key: ApiKey | None, trace_ids: list[str]
) -> list[OtlpTrace]:
    """Return the locked rows of traces, creating missing ones."""
    existing = set(_KNOWN(project=project.id, names=trace_ids))
    if len(existing) == len(trace_ids):
        return _LOCKED(project=project.id, names=trace_ids)
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
    return _LOCKED(project=project.id, names=trace_ids)


def _store(arrivals: Sequence[_Arrival]) -> None:
    """Insert new spans up to the limit of a trace, and write the ends of open ones."""
    stored: dict[UUID, dict[str, OtlpSpan]] = defaultdict(dict)
    before = [arrival for arrival in arrivals if arrival.trace.span_count]
    if before:
        names = [name for arrival in before for name in arrival.spans]
        for row in _ARRIVED_BEFORE(traces=[a.trace.id for a in before], names=names):
            stored[row.trace_id][row.span_id] = row
    for arrival in arrivals:
        known = stored[arrival.trace.id]
        new = [span for name, span in arrival.spans.items() if name not in known]
        room = max(0, settings.OTLP_MAX_SPANS - arrival.trace.span_count)
        arrival.new, arrival.refused = new[:room], len(new[room:])
        arrival.ended = {
            row.pk: arrival.spans[name]
            for name, row in known.items()
            if name in arrival.spans
            and not row.has_ended
            and arrival.spans[name].has_ended
        }
        arrival.trace.span_count += len(arrival.new)
    rows = [
        OtlpSpan(
            project_id=arrival.trace.project_id,
            trace=arrival.trace,
            span_id=span.span_id,
            has_ended=span.has_ended,
            is_late=arrival.trace.finished_at is not None,
            data=span.as_json(),
        )
        for arrival in arrivals
        for span in arrival.new
    ]
    for start in range(0, len(rows), SPANS_PER_INSERT):
        insert(rows[start : start + SPANS_PER_INSERT])
    ended = [
        OtlpSpan(pk=key, data=span.as_json(), has_ended=True)
        for arrival in arrivals
        for key, span in arrival.ended.items()
    ]
    update(ended, ["data", "has_ended"])


def _await_more(arrivals: Sequence[_Arrival]) -> None:
    """Schedule reading traces: after the end of a root, or when no more spans come."""
    if not arrivals:
        return
    roots = {}
    for arrival in arrivals:
        trace = arrival.trace
        root = next((span for span in arrival.written if not span.parent_id), None)
        roots[trace.id] = root
        trace.root_seen |= root is not None and root.has_ended
    complete = _complete([one for one in arrivals if one.trace.root_seen])
    rows = [
        (
            arrival.trace.id,
            _name(arrival, roots[arrival.trace.id]),
            arrival.trace.root_seen,
            arrival.trace.span_count,
            len(arrival.written) if arrival.trace.finished_at else 0,
            _grace(arrival.trace, complete),
        )
        for arrival in arrivals
    ]
    with prepared_cursor() as cursor:
        cursor.execute(AWAIT_MORE, [list(column) for column in zip(*rows, strict=True)])


def _name(arrival: _Arrival, root: Span | None) -> str:
    name = root.name if root else arrival.trace.name or arrival.written[0].name
    return name[: OtlpTrace.MAX_NAME]


def _grace(trace: OtlpTrace, complete: Collection[UUID]) -> float:
    """Return after how many seconds without further spans a trace is read."""
    if not trace.root_seen:
        return float(settings.OTLP_QUIET_SECONDS)
    if trace.id in complete:
        return float(settings.OTLP_COMPLETE_GRACE_SECONDS)
    return float(settings.OTLP_ROOT_GRACE_SECONDS)


def _complete(arrivals: Sequence[_Arrival]) -> set[UUID]:
    """Return the traces of which each stored span has ended and has its parent stored.

    Spans of another process, whose parent came first, may still be missing.
    """
    links: dict[UUID, dict[str, tuple[str, bool]]] = {}
    unread = []
    for arrival in arrivals:
        if arrival.trace.span_count == len(arrival.new):
            links[arrival.trace.id] = {
                span.span_id: (span.parent_id, span.has_ended) for span in arrival.new
            }
        elif arrival.trace.span_count <= MOST_CHECKED:
            unread.append(arrival.trace.id)
            links[arrival.trace.id] = {}
    if unread:
        for trace, name, parent, has_ended in _LINKS(traces=unread):
            links[trace][name] = (parent, has_ended)
    return {
        trace
        for trace, spans in links.items()
        if all(
            has_ended and (not parent or parent in spans)
            for parent, has_ended in spans.values()
        )
    }


def _old_traces(before: datetime) -> QuerySet[OtlpTrace]:
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
    old = _old_traces(before).filter(project=project)
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
    old=lambda now: _old_traces(now - timedelta(days=settings.OTLP_SPAN_DAYS)),
    delete=_delete_traces,
    batch=500,
    project="project_id",
)
