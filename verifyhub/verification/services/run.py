"""Run the engine over interactions and write the results, exactly once."""

import time
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.db import transaction

from verifyhub import __version__
from verifyhub.common.logs import get_logger
from verifyhub.common.row_queue import RowLease, RowQueue
from verifyhub.common.row_writes import update
from verifyhub.common.tracing import record_wait, span
from verifyhub.common.wake_ups import wake_on_commit
from verifyhub.verification.models import Verification
from verifyhub.verification.services.announce import announce_failed
from verifyhub.verification.services.engine_run import EngineRun, load_runs
from verifyhub.verification.services.results import columns_of
from verifyhub.verification.steps import AFTER_VERIFICATION, FinishedVerification

logger = get_logger(__name__)

VERIFICATIONS = RowQueue(
    "verification_verification",
    task="verification.verify",
    argument="verification_id",
    failed=announce_failed,
    # On each wake-up a worker takes rows for a second or more (`run_due`).
    rings=32,
)
# A worker takes rows for so long on one wake-up; then other work has its turn.
DRAIN_SECONDS = 1.0
# Rows claimed by one statement, and written by one transaction unless the engine took
# so long over some that these should not wait any longer.
BATCH = 32
WRITE_AFTER_SECONDS = 0.25

# Projects whose verdicts called a model when this process last looked.
_asking: set[UUID] = set()
# How long a worker for rows without a model skips those projects before it looks again.
LEFT_SECONDS = 60.0
_left: dict[UUID, float] = {}


def run_verification(*, verification_id: UUID) -> bool:
    """Verify one interaction if its row can be claimed; see `run_due`.

    Returns:
        True if this call wrote the report.
    """
    lease = VERIFICATIONS.claim(verification_id)
    return lease is not None and bool(_run([lease]))


def run_due(*, seconds: float = DRAIN_SECONDS, with_models: bool = True) -> int:
    """Verify due rows, a batch at a time, projects in turn (ADR 0046).

    The engine runs outside any transaction. The reports of a batch with their mentions,
    memory and events are then written in one short transaction, each row only if its
    newest claim still holds. After a failure a row is retried later, up to three times.

    Args:
        seconds: No further batch begins after so long.
        with_models: Whether to verify rows that call a model. If not, they are put back
            and the workers for them are woken, so that models delay no other rows.

    Returns:
        How many rows were taken.
    """
    until = time.monotonic() + seconds
    count = 0
    while leases := VERIFICATIONS.claim_due(
        limit=BATCH, single=_asking, without=() if with_models else _left_to_others()
    ):
        count += len(leases)
        _run(leases, until, with_models=with_models)
        if time.monotonic() >= until:
            break
    if not with_models and _left:
        wake_on_commit("verification.verify_with_models")
    return count


def _left_to_others() -> list[UUID]:
    now = time.monotonic()
    for project_id, since in list(_left.items()):
        if now - since > LEFT_SECONDS:
            del _left[project_id]
    return list(_left)


def _run(
    claimed: Sequence[RowLease],
    until: float | None = None,
    *,
    with_models: bool = True,
) -> int:
    """Verify claimed rows; return how many reports were written."""
    leases = {lease.row_id: lease for lease in claimed}
    with VERIFICATIONS.renewing(*claimed):
        try:
            with span("verification.load", links=leases, count=len(leases)):
                runs = load_runs(leases)
        except Exception as error:  # noqa: BLE001 - whatever happened, the row says so
            if len(claimed) > 1:
                return sum(
                    _run([lease], until, with_models=with_models) for lease in claimed
                )
            VERIFICATIONS.fail(claimed[0], error)
            return 0
        if not with_models:
            runs = _without_models(runs, leases)
        return _run_loaded(runs, leases, until)


def _without_models(
    runs: Sequence[EngineRun], leases: Mapping[UUID, RowLease]
) -> list[EngineRun]:
    """Put back runs that call models, and note their projects; return the others."""
    asking = [run for run in runs if run.setup.asks_models]
    _left.update((run.verification.project_id, time.monotonic()) for run in asking)
    # The wake-up of `put_back` would reach this worker again.
    VERIFICATIONS.put_back([leases[run.verification.id] for run in asking], ring=False)
    return [run for run in runs if not run.setup.asks_models]


def _run_loaded(
    runs: Sequence[EngineRun],
    leases: Mapping[UUID, RowLease],
    until: float | None,
) -> int:
    """Run those without a model together; then one of the others."""
    _asking.difference_update(run.verification.project_id for run in runs)
    _asking.update(run.verification.project_id for run in runs if run.setup.asks_models)
    without_models = [run for run in runs if not run.setup.asks_models]
    # It waits for a model, which must not delay others.
    with_models = [run for run in runs if run.setup.asks_models]
    VERIFICATIONS.put_back([leases[run.verification.id] for run in with_models[1:]])
    late: list[RowLease] = []
    results: list[FinishedVerification] = []
    written, since = 0, time.thread_time()
    for place, run in enumerate([*without_models, *with_models[:1]]):
        lease = leases[run.verification.id]
        if place and until is not None and time.monotonic() >= until:
            late.append(lease)
            continue
        # This thread's processor time: on a busy machine small batches cost more.
        now = time.thread_time()
        follows = _follows(run, results)
        if follows or run in with_models or now - since >= WRITE_AFTER_SECONDS:
            written += _finish(results, leases)
            results, since = [], now
        result = _result(run, lease, reload=follows)
        if result is not None:
            results.append(result)
    written += _finish(results, leases)
    VERIFICATIONS.put_back(late)
    return written


def _follows(run: EngineRun, results: Iterable[FinishedVerification]) -> bool:
    """Whether an answer follows one whose verdict is not written yet."""
    answer = run.verification.interaction
    before = (earlier.verification.interaction for earlier in results)
    return bool(answer.parent) and any(
        earlier.project_id == answer.project_id
        and answer.parent in {earlier.client_id, str(earlier.id)}
        for earlier in before
    )


def _result(
    run: EngineRun, lease: RowLease, *, reload: bool
) -> FinishedVerification | None:
    try:
        if reload:
            (run,) = load_runs([lease.row_id])
        record_wait(lease.row_id, since=run.verification.created_at)
        with span(
            "verification.engine",
            of=lease.row_id,
            agent=run.verification.interaction.metadata,
            attempt=lease.attempts,
        ):
            result = run.result()
            # Worked out here, so that no transaction waits for it.
            result.facts, result.lessons  # noqa: B018
            return result
    except Exception as error:  # noqa: BLE001 - whatever happened, the row says so
        VERIFICATIONS.fail(lease, error)
        return None


def _finish(
    results: Sequence[FinishedVerification], leases: Mapping[UUID, RowLease]
) -> int:
    """Write reports together, or one by one if that fails."""
    try:
        if not results:
            return 0
        rows = [result.verification.id for result in results]
        with span("verification.write", links=rows, count=len(rows)):
            return _write(results, leases)
    except Exception as error:  # noqa: BLE001 - whatever happened, the row says so
        if len(results) > 1:
            return sum(_finish([result], leases) for result in results)
        VERIFICATIONS.fail(leases[results[0].verification.id], error)
        return 0


@transaction.atomic
def _write(
    results: Sequence[FinishedVerification], leases: Mapping[UUID, RowLease]
) -> int:
    written = _write_reports(results, leases)
    finished = [one for one in results if one.verification_id in written]
    for step in AFTER_VERIFICATION if finished else ():
        step(finished)
    for result in results:
        row = result.verification
        if row.id in written:
            logger.info(
                "verification.finished",
                id=str(row.id),
                verdict=row.verdict,
                duration_ms=result.duration_ms,
            )
        else:
            logger.warning("verification.claim_lost", id=str(row.id))
    return len(written)


def _write_reports(
    results: Sequence[FinishedVerification], leases: Mapping[UUID, RowLease]
) -> set[UUID]:
    """Write the rows whose claim still holds; return their ids."""
    fields: list[str] = []
    for result in results:
        changes = {
            "state": Verification.State.FINISHED,
            "lease_until": None,
            "error": "",
            **columns_of(result.report),
            "engine_version": __version__,
            "duration_ms": result.duration_ms,
        }
        for name, value in changes.items():
            setattr(result.verification, name, value)
        result.verification.token = leases[result.verification.id].token
        fields = list(changes)
    return update(
        [result.verification for result in results],
        fields,
        same=["token"],
        where={"state": Verification.State.RUNNING},
        now=["finished_at"],
    )
