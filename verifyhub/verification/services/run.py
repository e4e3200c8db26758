"""Run the engine over one interaction and write what it found, exactly once."""

import time
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from verifyhub import __version__
from verifyhub.common.db import update_if
from verifyhub.common.logs import get_logger
from verifyhub.verification.models import Verification
from verifyhub.verification.services import queue
from verifyhub.verification.services.engine_run import EngineResult, run_engine
from verifyhub.verification.services.results import columns_of
from verifyhub.verification.steps import AFTER_VERIFICATION, FinishedVerification

logger = get_logger(__name__)

# One wake-up takes rows for so long, then other work of the worker has its turn.
DRAIN_SECONDS = 1.0


def run_verification(*, verification_id: UUID) -> bool:
    """Verify one interaction if its row can be claimed.

    The engine runs outside any transaction; its report, the mentions, what is to be
    remembered and the news of it are then written in one short transaction that only
    the newest claim can make. A failure puts the row back, to be tried later; the
    third one ends it.

    Returns:
        True if this call wrote the report.
    """
    held = queue.claim(verification_id)
    return held is not None and _run(held)


def run_due(*, seconds: float = DRAIN_SECONDS) -> int:
    """Verify what is due, one row after another, projects in turn (ADR 0046).

    Args:
        seconds: No further row is taken after so long.

    Returns:
        How many rows were taken.
    """
    until = time.monotonic() + seconds
    taken = 0
    while (held := queue.claim_next()) is not None:
        _run(held)
        taken += 1
        if time.monotonic() >= until:
            break
    return taken


def _run(held: queue.Lease) -> bool:
    try:
        with queue.kept(held):
            result = run_engine(held.row_id)
        return _finish(held, result)
    except Exception as error:  # noqa: BLE001 - whatever happened, the row says so
        state = queue.release(held, f"{type(error).__name__}: {error}")
        logger.error(
            "verification.attempt_failed",
            id=str(held.row_id),
            attempt=held.attempts,
            state=state,
            error=type(error).__name__,
            where=_where(error),
        )
        return False


@transaction.atomic
def _finish(held: queue.Lease, result: EngineResult) -> bool:
    verification = result.verification
    won = update_if(
        verification,
        expected={"token": held.token, "state": Verification.State.RUNNING},
        state=Verification.State.FINISHED,
        lease_until=None,
        error="",
        **columns_of(result.report),
        engine_version=__version__,
        duration_ms=result.duration_ms,
        finished_at=Now(),
    )
    if not won:
        logger.warning("verification.claim_lost", id=str(held.row_id))
        return False
    finished = [FinishedVerification(verification, result.attempt)]
    for step in AFTER_VERIFICATION:
        step(finished)
    logger.info(
        "verification.finished",
        id=str(verification.id),
        verdict=verification.verdict,
        duration_ms=result.duration_ms,
    )
    return True


def _where(error: BaseException) -> str:
    """File and line of the innermost frame: enough to find it, no text of an agent."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    if trace is None:
        return ""
    return f"{trace.tb_frame.f_code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}"
