"""Convert traces into interactions, in a worker, exactly once."""

import time
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.db import transaction

from verifyhub.common.logs import get_logger
from verifyhub.common.row_queue import RowLease, RowQueue
from verifyhub.common.row_writes import insert, update
from verifyhub.engine import types
from verifyhub.ingest.formats.otlp.span import span_of
from verifyhub.ingest.formats.otlp.understanding import Understanding, understand
from verifyhub.ingest.masking import masked
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.services import (
    ClientIdConflictError,
    RecordOutcome,
    content_digest,
    record_interactions,
)
from verifyhub.ingest.trace_models import OtlpSpan, OtlpTrace, TracedAnswer

logger = get_logger(__name__)

# A worker reads traces for so long on one wake-up; then other work has its turn.
DRAIN_SECONDS = 1.0
# Wake-ups at a time.
RINGS = 32
# Traces and spans that are read together; a trace with more spans is read alone.
BATCH, BATCH_SPANS = 32, 1000

# A trace is due a while after its last span: only the beat wakes a worker for it.
_TRACES = RowQueue(
    "ingest_otlptrace",
    task="ingest.read_trace",
    argument="trace_id",
    rings=RINGS,
    ring_after_seconds=0,
)
reconcile_traces = _TRACES.reconcile
claim_due = _TRACES.claim_due


def read_due(*, seconds: float = DRAIN_SECONDS) -> int:
    """Read due traces, some at a time, projects in turn (ADR 0046).

    Args:
        seconds: No further traces are taken after so long.

    Returns:
        How many were read.
    """
    until = time.monotonic() + seconds
    count = 0
    while leases := _fitting(claim_due(limit=BATCH)):
        _read(leases)
        count += len(leases)
        if time.monotonic() >= until:
            break
    return count


def read_trace(*, trace_id: UUID) -> bool:
    """Read a trace if it is due and no other worker has it.

    Args:
        trace_id: The row's id, not the trace's own.

    Returns:
        True if this call wrote the result.
    """
    lease = _TRACES.claim(trace_id)
    return lease is not None and bool(_read([lease]))


def _fitting(leases: Sequence[RowLease]) -> list[RowLease]:
    """Keep traces that fit into one batch, but at least one; put back others."""
    if len(leases) < 2:
        return list(leases)
    rows = OtlpTrace.objects.filter(pk__in=[lease.row_id for lease in leases])
    spans = dict(rows.values_list("pk", "span_count"))
    fitting, left = [leases[0]], BATCH_SPANS - spans.get(leases[0].row_id, 0)
    for lease in leases[1:]:
        left -= spans.get(lease.row_id, 0)
        if left < 0:
            break
        fitting.append(lease)
    _TRACES.put_back(leases[len(fitting) :])
    return fitting


def _read(leases: Sequence[RowLease]) -> set[UUID]:
    """Read claimed traces; return those whose result this call wrote.

    Their spans are read outside any transaction. Interactions and mappings are then
    written together, except for traces that received a span meanwhile.
    """
    with _TRACES.renewing(*leases):
        understood = dict(_understood(leases))
    try:
        return _finish(understood)
    except Exception as error:  # noqa: BLE001 - whatever happened, the row says so
        if len(understood) == 1:
            _TRACES.fail(next(iter(understood)), error)
            return set()
    # One of them cannot be written; the others must not wait for it.
    written = set()
    for lease, understanding in understood.items():
        try:
            written |= _finish({lease: understanding})
        except Exception as error:  # noqa: BLE001 - as above
            _TRACES.fail(lease, error)
    return written


def _understood(
    leases: Sequence[RowLease],
) -> Iterator[tuple[RowLease, Understanding]]:
    spans = defaultdict(list)
    rows = OtlpSpan.objects.filter(trace_id__in=[lease.row_id for lease in leases])
    for trace, data in rows.order_by("id").values_list("trace_id", "data"):
        spans[trace].append(data)
    for lease in leases:
        try:
            yield lease, understand([span_of(data) for data in spans[lease.row_id]])
        except Exception as error:  # noqa: BLE001 - whatever happened, the row says so
            _TRACES.fail(lease, error)


@transaction.atomic
def _finish(understood: Mapping[RowLease, Understanding]) -> set[UUID]:
    tokens = {lease.row_id: lease.token for lease in understood}
    # In the same order as in `receive_spans`.
    locked = OtlpTrace.objects.order_by("trace_id").select_for_update(of=("self",))
    rows = locked.select_related("project", "api_key").filter(
        pk__in=tokens, state=OtlpTrace.State.RUNNING
    )
    traces = {row.pk: row for row in rows if row.token == tokens[row.pk]}
    for lease in understood:
        if lease.row_id not in traces:
            logger.warning("trace.claim_lost", id=str(lease.row_id))
    answers = []
    for lease, understanding in understood.items():
        if trace := traces.get(lease.row_id):
            trace.state, trace.lease_until = OtlpTrace.State.FINISHED, None
            trace.error, trace.dialects = "", list(understanding.dialects)
            trace.steps, trace.not_mapped = (
                dict(understanding.steps),
                dict(understanding.not_mapped),
            )
            answers += [
                _Answer(trace, run.span_id, run.interaction)
                for run in understanding.runs
            ]
    update(
        list(traces.values()),
        ["state", "lease_until", "error", "dialects", "steps", "not_mapped"],
        now=["finished_at"],
    )
    _record(answers)
    return set(traces)


@dataclass(slots=True)
class _Answer:
    """An interaction made from a span, and its version."""

    trace: OtlpTrace
    span_id: str
    interaction: types.Interaction
    version: int = 1
    _digest: str = ""

    @property
    def digest(self) -> str:
        """The digest of its stored, masked content.

        Most answers are new, so nothing has to be compared with it before storing.
        """
        if not self._digest:
            stored, _ = masked(self.trace.project, self.interaction)
            self._digest = content_digest(stored)
        return self._digest

    @property
    def name(self) -> str:
        return f"{self.interaction.id}" + (
            f".{self.version}" if self.version > 1 else ""
        )


def _record(answers: Collection[_Answer]) -> None:
    """Store interactions that differ from their last version (ADR 0044)."""
    rows = TracedAnswer.objects.filter(
        trace__in={answer.trace.pk for answer in answers}
    )
    last = {(row.trace_id, row.span_id): row for row in rows.order_by("version")}
    changed = []
    for answer in answers:
        before = last.get((answer.trace.pk, answer.span_id))
        if before is None or before.content_sha256 != answer.digest:
            answer.version = before.version + 1 if before else 1
            changed.append(answer)
    _name(changed)
    groups = defaultdict(list)
    for answer in changed:
        groups[answer.trace.project_id, answer.trace.api_key_id].append(answer)
    traced = []
    for group in groups.values():
        stored = record_interactions(
            project=group[0].trace.project,
            api_key=group[0].trace.api_key,
            interactions=[
                replace(answer.interaction, id=answer.name) for answer in group
            ],
        )
        for answer, result in zip(group, stored, strict=True):
            if result.outcome is RecordOutcome.CONFLICT:
                raise ClientIdConflictError(answer.name)
            traced.append(
                TracedAnswer(
                    project=answer.trace.project,
                    trace=answer.trace,
                    span_id=answer.span_id,
                    version=answer.version,
                    content_sha256=(
                        result.row.content_sha256 if result.row else answer.digest
                    ),
                    interaction_id=result.uuid,
                )
            )
    insert(traced)


def _name(answers: Collection[_Answer]) -> None:
    """Increase versions until each id is unused, or has the same content.

    The latter happens after a retention that deleted the trace alone.
    """
    digests: dict[tuple[UUID, str], str] = {}
    first: dict[tuple[UUID, str], _Answer] = {}
    unnamed = list(answers)
    while unnamed:
        stored = Interaction.objects.filter(
            project__in={answer.trace.project_id for answer in unnamed},
            client_id__in={answer.name for answer in unnamed},
        )
        for project, name, digest in stored.values_list(
            "project_id", "client_id", "content_sha256"
        ):
            digests[project, str(name)] = digest
        renamed = []
        for answer in unnamed:
            key = answer.trace.project_id, answer.name
            other = first.setdefault(key, answer)
            known = digests.get(key) or (other.digest if other is not answer else "")
            if known and known != answer.digest:
                answer.version += 1
                renamed.append(answer)
        unnamed = renamed
