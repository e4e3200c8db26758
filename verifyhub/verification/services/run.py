"""Run the engine over interactions and write what it found, exactly once."""

import time
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.db import transaction

from verifyhub import __version__
from verifyhub.common.logs import get_logger
from verifyhub.common.row_writes import update
from verifyhub.common.tracing import record_wait, span
from verifyhub.common.wake_ups import wake_on_commit
from verifyhub.verification.models import Verification
from verifyhub.verification.services import queue
from verifyhub.verification.services.engine_run import (
    EngineResult,
    EngineRun,
    load_runs,
)
from verifyhub.verification.services.results import columns_of
from verifyhub.verification.steps import AFTER_VERIFICATION, FinishedVerification

logger = get_logger(__name__)

# One wake-up takes rows for so long, then other work of the worker has its turn.
DRAIN_SECONDS = 1.0
# Rows claimed by one statement; as many are written by one transaction, unless the
# engine took so long over those before that they should not wait any longer.
BATCH = 32
WRITE_AFTER_SECONDS = 0.25

# Projects whose verdicts waited for a model when they were last looked at here.
_asking: set[UUID] = set()
# Who takes what needs no model leaves their rows to others for so long, and then looks
# whether they still ask one.
LEFT_SECONDS = 60.0
_left: dict[UUID, float] = {}


def run_verification(*, verification_id: UUID) -> bool:
    """Verify one interaction if its row can be claimed; see `run_due`.

    Returns:
        True if this call wrote the report.
    """
    held = queue.claim(verification_id)
    return held is not None and bool(_run([held]))


def run_due(*, seconds: float = DRAIN_SECONDS, with_models: bool = True) -> int:
    """Verify what is due, a batch at a time, projects in turn (ADR 0046).

    The engine runs outside any transaction; the reports of a batch, the mentions, what
    is to be remembered and the news of it are then written in one short transaction, in
    which each row counts that its newest claim holds. A failure puts the row back, to
    be tried later; the third one ends it.

    Args:
        seconds: Nothing further is begun after so long.
        with_models: Whether to verify what asks a model, too. Else it is put back, and
            those are woken who do: no model then holds up who needs none.

    Returns:
        How many rows were taken.
    """
    until = time.monotonic() + seconds
    taken = 0
    while held := queue.claim_due(
        limit=BATCH, single=_asking, without=() if with_models else _left_to_others()
    ):
        taken += len(held)
        _run(held, until, with_models=with_models)
        if time.monotonic() >= until:
            break
    if not with_models and _left:
        wake_on_commit("verification.verify_with_models")
    return taken


def _left_to_others() -> list[UUID]:
    now = time.monotonic()
    for project_id in [
        one for one, since in _left.items() if now - since > LEFT_SECONDS
    ]:
        del _left[project_id]
    return list(_left)


def _run(
    held: Sequence[queue.RowLease],
    until: float | None = None,
    *,
    with_models: bool = True,
) -> int:
    """Verify claimed rows; return how many reports were written."""
    leases = {one.row_id: one for one in held}
    with queue.kept(*held):
        try:
            runs = load_runs(leases)
        except Exception as error:  # noqa: BLE001 - whatever happened, the row says so
            if len(held) > 1:
                return sum(_run([one], until, with_models=with_models) for one in held)
            _release(held[0], error)
            return 0
        if not with_models:
            runs = _without_models(runs, leases)
        return _run_loaded(runs, leases, until)


def _without_models(
    runs: Sequence[EngineRun], leases: Mapping[UUID, queue.RowLease]
) -> list[EngineRun]:
    """Put back what asks models, and remember whose it is; return the others."""
    asking = [one for one in runs if one.setup.asks_models]
    _left.update((one.verification.project_id, time.monotonic()) for one in asking)
    # The wake-up of `put_back` would come back here.
    queue.put_back([leases[one.verification.id] for one in asking], ring=False)
    return [one for one in runs if not one.setup.asks_models]


def _run_loaded(
    runs: Sequence[EngineRun],
    leases: Mapping[UUID, queue.RowLease],
    until: float | None,
) -> int:
    """Run what asks no model together; then one of the others."""
    _asking.difference_update(one.verification.project_id for one in runs)
    _asking.update(one.verification.project_id for one in runs if one.setup.asks_models)
    together = [one for one in runs if not one.setup.asks_models]
    # It waits for a model, and is to hold up no other.
    apart = [one for one in runs if one.setup.asks_models]
    queue.put_back([leases[one.verification.id] for one in apart[1:]])
    late: list[queue.RowLease] = []
    results: list[EngineResult] = []
    written, since = 0, time.thread_time()
    for place, run in enumerate([*together, *apart[:1]]):
        held = leases[run.verification.id]
        if place and until is not None and time.monotonic() >= until:
            late.append(held)
            continue
        # Of this thread alone: on a busy machine small batches would make it busier.
        now = time.thread_time()
        follows = _follows(run, results)
        if follows or run in apart or now - since >= WRITE_AFTER_SECONDS:
            written += _finish(results, leases)
            results, since = [], now
        result = _result(run, held, anew=follows)
        if result is not None:
            results.append(result)
    written += _finish(results, leases)
    queue.put_back(late)
    return written


def _follows(run: EngineRun, results: Iterable[EngineResult]) -> bool:
    """Whether an answer continues one whose verdict is not written yet."""
    answer = run.verification.interaction
    before = (one.verification.interaction for one in results)
    return bool(answer.parent) and any(
        one.project_id == answer.project_id
        and answer.parent in {one.client_id, str(one.id)}
        for one in before
    )


def _result(run: EngineRun, held: queue.RowLease, *, anew: bool) -> EngineResult | None:
    try:
        if anew:
            (run,) = load_runs([held.row_id])
        record_wait(held.row_id, since=run.verification.created_at)
        with span("verification.engine", of=held.row_id, attempt=held.attempts):
            return run.result()
    except Exception as error:  # noqa: BLE001 - whatever happened, the row says so
        _release(held, error)
        return None


def _finish(
    results: Sequence[EngineResult], leases: Mapping[UUID, queue.RowLease]
) -> int:
    """Write reports together; each alone where that fails."""
    try:
        if not results:
            return 0
        rows = [one.verification.id for one in results]
        with span("verification.write", links=rows, count=len(rows)):
            return _write(results, leases)
    except Exception as error:  # noqa: BLE001 - whatever happened, the row says so
        if len(results) > 1:
            return sum(_finish([one], leases) for one in results)
        _release(leases[results[0].verification.id], error)
        return 0


def _release(held: queue.RowLease, error: Exception) -> None:
    state = queue.fail(held, error)
    logger.error(
        "verification.attempt_failed",
        id=str(held.row_id),
        attempt=held.attempts,
        state=state,
        error=type(error).__name__,
        where=_where(error),
    )


@transaction.atomic
def _write(
    results: Sequence[EngineResult], leases: Mapping[UUID, queue.RowLease]
) -> int:
    written = _write_reports(results, leases)
    finished = [
        FinishedVerification(
            one.verification, one.attempt, parent_missing=one.parent_missing
        )
        for one in results
        if one.verification.id in written
    ]
    for step in AFTER_VERIFICATION if finished else ():
        step(finished)
    for one in results:
        row = one.verification
        if row.id in written:
            logger.info(
                "verification.finished",
                id=str(row.id),
                verdict=row.verdict,
                duration_ms=one.duration_ms,
            )
        else:
            logger.warning("verification.claim_lost", id=str(row.id))
    return len(written)


def _write_reports(
    results: Sequence[EngineResult], leases: Mapping[UUID, queue.RowLease]
) -> set[UUID]:
    """Write the rows of which the claim still holds; return their ids."""
    fields: list[str] = []
    for one in results:
        changes = {
            "state": Verification.State.FINISHED,
            "lease_until": None,
            "error": "",
            **columns_of(one.report),
            "engine_version": __version__,
            "duration_ms": one.duration_ms,
        }
        for name, value in changes.items():
            setattr(one.verification, name, value)
        one.verification.token = leases[one.verification.id].token
        fields = list(changes)
    return update(
        [one.verification for one in results],
        fields,
        same=["token"],
        where={"state": Verification.State.RUNNING},
        now=["finished_at"],
    )


def _where(error: BaseException) -> str:
    """File and line of the innermost frame: enough to find it, no text of an agent."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    if trace is None:
        return ""
    return f"{trace.tb_frame.f_code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}"
