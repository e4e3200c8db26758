"""Turning a trace into interactions, by a worker, exactly once for what it holds."""

import time
from dataclasses import replace
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from verifyhub.common.logs import get_logger
from verifyhub.common.row_queue import RowLease, RowQueue
from verifyhub.engine import types
from verifyhub.ingest.formats.otlp.span import span_of
from verifyhub.ingest.formats.otlp.understanding import Understanding, understand
from verifyhub.ingest.masking import masked
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.services import content_digest, record_interaction
from verifyhub.ingest.trace_models import OtlpSpan, OtlpTrace, TracedAnswer

logger = get_logger(__name__)

# One wake-up takes traces for so long, then other work of the worker has its turn.
DRAIN_SECONDS = 1.0
# Wake-ups at a time: each lets a worker take traces for so long.
RINGS = 32

_TRACES = RowQueue(
    "ingest_otlptrace", task="ingest.read_trace", argument="trace_id", rings=RINGS
)
reconcile_traces = _TRACES.reconcile
claim_next = _TRACES.claim_next


def read_due(*, seconds: float = DRAIN_SECONDS) -> int:
    """Read traces that are due, one after another, projects in turn (ADR 0046).

    Args:
        seconds: No further one is taken after so long.

    Returns:
        How many were taken.
    """
    until = time.monotonic() + seconds
    taken = 0
    while (held := claim_next()) is not None:
        _read(held)
        taken += 1
        if time.monotonic() >= until:
            break
    return taken


def read_trace(*, trace_id: UUID) -> bool:
    """Read a trace if it is due and no other worker has it.

    Args:
        trace_id: Of our row, not the trace's own id.

    Returns:
        True if this call wrote what it found.
    """
    held = _TRACES.claim(trace_id)
    return held is not None and _read(held)


def _read(held: RowLease) -> bool:
    """Read a trace that was claimed.

    Its spans are read outside any transaction; the interactions and what was
    understood are then written together, if no span came meanwhile.
    """
    try:
        with _TRACES.kept(held):
            rows = OtlpSpan.objects.filter(trace_id=held.row_id)
            spans = [span_of(data) for data in rows.values_list("data", flat=True)]
            found = understand(spans)
        return _finish(held, found)
    except Exception as error:  # noqa: BLE001 - whatever happened, the row says so
        state = _TRACES.release(held, f"{type(error).__name__}: {error}")
        logger.error(
            "trace.attempt_failed",
            id=str(held.row_id),
            attempt=held.attempts,
            state=state,
            error=type(error).__name__,
        )
        return False


@transaction.atomic
def _finish(held: RowLease, found: Understanding) -> bool:
    won = OtlpTrace.objects.filter(
        pk=held.row_id, token=held.token, state=OtlpTrace.State.RUNNING
    ).update(
        state=OtlpTrace.State.FINISHED,
        lease_until=None,
        error="",
        finished_at=Now(),
        dialects=list(found.dialects),
        steps=dict(found.steps),
        not_mapped=dict(found.not_mapped),
    )
    if not won:
        logger.warning("trace.claim_lost", id=str(held.row_id))
        return False
    trace = OtlpTrace.objects.select_related("project", "api_key").get(pk=held.row_id)
    for run in found.runs:
        _record(trace, run.span_id, run.interaction)
    return True


def _record(trace: OtlpTrace, span_id: str, made: types.Interaction) -> None:
    """Store an interaction, unless its last version says the same (ADR 0044)."""
    made, _ = masked(trace.project, made)
    digest = content_digest(made)
    mine = TracedAnswer.objects.filter(trace=trace, span_id=span_id)
    last = mine.order_by("-version").first()
    if last is not None and last.content_sha256 == digest:
        return
    version = last.version + 1 if last else 1
    while not _is_free(trace, _named(made, version), digest):
        version += 1
    row, _ = record_interaction(
        project=trace.project,
        api_key=trace.api_key,
        interaction=replace(made, id=_named(made, version)),
    )
    TracedAnswer.objects.create(
        project=trace.project,
        trace=trace,
        span_id=span_id,
        version=version,
        content_sha256=digest,
        interaction=row,
    )


def _named(made: types.Interaction, version: int) -> str:
    return f"{made.id}" if version == 1 else f"{made.id}.{version}"


def _is_free(trace: OtlpTrace, name: str, digest: str) -> bool:
    """Whether a name is nobody's, or that of the same content (after the retention)."""
    known = Interaction.objects.filter(project=trace.project, client_id=name).first()
    return known is None or known.content_sha256 == digest
