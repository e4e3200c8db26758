"""Ask again for a missing opinion of a model, and amend the verdict.

Meanwhile the ledger's verdict applies. A late opinion amends the same verification, so
that nothing is counted twice and people's decisions stay with it (ADR 0015).
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from verifyhub import __version__
from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_event
from verifyhub.common.logs import get_logger
from verifyhub.common.row_queue import RowLease, RowQueue
from verifyhub.common.row_writes import insert
from verifyhub.engine.decisions.attempts import backoff_seconds
from verifyhub.engine.decisions.explain import explain
from verifyhub.engine.decisions.missing import ASKED, missing_opinions, never_resumes
from verifyhub.engine.ports import BUSY, HELD_BACK
from verifyhub.engine.presets.strictness import Strictness
from verifyhub.engine.reports import CheckResult, Outcome
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.ingest.selectors import OutputsRemovedError
from verifyhub.verification.models import AwaitedOpinion, Verification
from verifyhub.verification.selectors import latest_verification
from verifyhub.verification.services.engine_run import run_engine
from verifyhub.verification.services.open import VerificationRunningError, reverify
from verifyhub.verification.services.results import columns_of
from verifyhub.verification.steps import AFTER_AMENDMENT, FinishedVerification

logger = get_logger(__name__)

State = AwaitedOpinion.State

MAX_TRIES = 6
# Waits between tries: 1, 2, 4 … minutes, at most 6 hours.
FIRST_WAIT_SECONDS = 60
LONGEST_WAIT_SECONDS = 6 * 3600
# A budget resumes after an hour at the earliest; a check costs nothing.
BUDGET_WAIT_SECONDS = 15 * 60
# The result of a try that failed because of an error in VerifyHub.
TRY_FAILED = CheckResult(name="", outcome=Outcome.INCONCLUSIVE, reason="try_failed")


def missing_opinion(report: VerificationReport) -> CheckResult | None:
    """Return the check whose opinion is missing, if any."""
    return next(missing_opinions(report.checks), None)


def await_opinions(finished: Sequence[FinishedVerification]) -> None:
    """Queue finished verifications with missing opinions."""
    insert(
        [
            AwaitedOpinion(
                verification=completed.verification,
                project_id=completed.verification.project_id,
                reason=check.reason,
                next_at=timezone.now()
                + timedelta(seconds=_wait_seconds(check, attempts=0)),
            )
            for completed in finished
            if (check := missing_opinion(completed.report)) is not None
        ]
    )


def ask_again(*, verification_id: UUID) -> bool:
    """Ask once more if the row is due, and amend the verdict with the opinion.

    Models are called outside any transaction. Only the newest claim on the row can
    write, so a worker that lost its claim changes nothing.

    Returns:
        True if the verdict was amended.
    """
    lease = AWAITED_OPINIONS.claim(verification_id)
    if lease is None:
        return False
    try:
        with AWAITED_OPINIONS.renewing(lease):
            result = run_engine(verification_id)
    except Exception as error:  # noqa: BLE001 - whatever happened, it is tried later
        logger.error(
            "opinion.try_failed", id=str(lease.row_id), error=type(error).__name__
        )
        result = None
    return finish(lease, result)


def wake_held_back(project: Project) -> int:
    """Ask at once for opinions that were waiting for a project's cap.

    Returns:
        How many.
    """
    return AwaitedOpinion.objects.filter(
        project=project, state=State.PENDING, reason__in=HELD_BACK
    ).update(next_at=Now(), rung_at=None)


@transaction.atomic
def finish(lease: RowLease, result: FinishedVerification | None) -> bool:
    """Write the result of a try, under its claim; True if the verdict was amended."""
    row = (
        AwaitedOpinion.objects.select_for_update()
        .filter(pk=lease.row_id, token=lease.token, state=State.RUNNING)
        .first()
    )
    if row is None:
        logger.warning("opinion.claim_lost", id=str(lease.row_id))
        return False
    verification = _verification(lease.row_id)
    if not _is_newest(verification):
        return _end(row, State.REPLACED)
    if result is None:
        return _put_back(lease, row, TRY_FAILED)
    before = verification.verdict_object
    # The cost of all tries, also of failed ones.
    cost = before.cost.plus_try(result.report.cost)
    check = missing_opinion(result.report)
    if check is not None:
        verification.report = replace(before, cost=cost).as_dict()
        verification.save(update_fields=["report"])
        return _put_back(lease, row, check)
    if not _continues(before, result.report):
        _verify_again(verification)
        return _end(row, State.REPLACED)
    _amend(verification, replace(result.report, cost=cost), attempt=result.attempt)
    _end(row, State.FINISHED)
    return True


def give_up(ids: Collection[UUID]) -> None:
    """Send verdicts to review whose opinion is still missing after the last try."""
    for identifier in ids:
        verification = _verification(identifier)
        if _is_newest(verification):
            report = _given_up(verification.verdict_object)
            _amend(verification, report, attempt=None)


AWAITED_OPINIONS = RowQueue(
    "verification_awaitedopinion",
    task="verification.ask_again",
    argument="verification_id",
    failed=give_up,
    max_attempts=MAX_TRIES,
)


def _verification(identifier: UUID) -> Verification:
    rows = Verification.objects.select_related(
        "interaction__session", "interaction__project"
    )
    return rows.get(pk=identifier)


def _is_newest(verification: Verification) -> bool:
    newest = latest_verification(verification.interaction)
    return newest is None or newest.pk == verification.pk


def _put_back(lease: RowLease, row: AwaitedOpinion, check: CheckResult) -> bool:
    """Schedule the next try after a longer wait; after the last try, give up."""
    row.reason = check.reason
    row.save(update_fields=["reason"])
    wait = _wait_seconds(check, attempts=lease.attempts)
    if _waits_for_a_cap(check):
        AWAITED_OPINIONS.postpone(lease, wait_seconds=wait)
    else:
        AWAITED_OPINIONS.release(lease, row.reason, wait_seconds=wait)
    logger.info("opinion.missing", id=str(row.pk), attempts=lease.attempts)
    return False


def _end(row: AwaitedOpinion, state: AwaitedOpinion.State) -> bool:
    AwaitedOpinion.objects.filter(pk=row.pk).update(
        state=state, lease_until=None, finished_at=Now()
    )
    logger.info("opinion.ended", id=str(row.pk), state=state, attempts=row.attempts)
    return False


def _waits_for_a_cap(check: CheckResult) -> bool:
    """Whether a cap that resets with time is the reason; that counts as no try."""
    return check.reason in HELD_BACK and not never_resumes(check)


def _wait_seconds(check: CheckResult, *, attempts: int) -> float:
    retry_after = check.details.get("retry_after_seconds") or 0
    if check.reason == BUSY:
        wait = retry_after
    elif _waits_for_a_cap(check):
        wait = max(BUDGET_WAIT_SECONDS, retry_after)
    else:
        wait = max(
            backoff_seconds(
                attempts + 1, base=FIRST_WAIT_SECONDS, longest=LONGEST_WAIT_SECONDS
            ),
            retry_after,
        )
    return min(wait, LONGEST_WAIT_SECONDS)


def _continues(before: VerificationReport, after: VerificationReport) -> bool:
    """Whether a report differs from another by opinions alone, not by the ledger.

    Then names keep their positions, which people's decisions refer to.
    """
    mentions = before.mentions
    # A late judge may check claims of fact, and so a greater share of the answer.
    judged = before.claims or after.claims
    own = [mention for mention in after.mentions if not mention.by_model]
    return (
        after.mentions[: len(mentions)] == mentions
        and len(own) <= len(mentions)
        and after.completion_claims == before.completion_claims
        and bool(judged or after.coverage == before.coverage)
    )


def _given_up(report: VerificationReport) -> VerificationReport:
    missing = {check.name for check in missing_opinions(report.checks)}
    checks = tuple(
        replace(check, details={**check.details, "given_up_after": MAX_TRIES})
        if check.name in missing
        else check
        for check in report.checks
    )
    decision = replace(report.decision, retry_after_seconds=None)
    changed = replace(report, checks=checks, decision=decision)
    return replace(changed, explanation=explain(changed))


def _amend(
    verification: Verification, report: VerificationReport, *, attempt: int | None
) -> None:
    """Replace the report without an opinion."""
    before = verification.verdict_object
    Verification.objects.filter(pk=verification.pk).update(
        **columns_of(report), engine_version=__version__
    )
    verification.refresh_from_db()
    amended = [
        FinishedVerification(
            interaction=verification.interaction,
            verification_id=verification.id,
            verification=verification,
            report=report,
            attempt=attempt,
            before=before,
        )
    ]
    for step in AFTER_AMENDMENT:
        step(amended)


def record_amendments(amended: Sequence[FinishedVerification]) -> None:
    """Record in the audit log the changed checks and the verdict."""
    for completed in amended:
        record_event(
            "verification.amended",
            completed.verification,
            None,
            before=_as_recorded(completed.before) if completed.before else {},
            after=_as_recorded(completed.report),
        )


def _as_recorded(report: VerificationReport) -> dict[str, Any]:
    return {
        "verdict": str(report.verdict),
        "action": str(report.decision.action),
        "checks": {
            check.name: str(check.outcome)
            for check in report.checks
            if check.name in ASKED
        },
    }


def _verify_again(verification: Verification) -> None:
    """Verify the whole answer again, since the rules have changed."""
    try:
        chosen = verification.strictness
        reverify(
            interaction=verification.interaction,
            actor=None,
            strictness=Strictness(chosen) if chosen else None,
        )
    except (VerificationRunningError, OutputsRemovedError):
        logger.info("opinion.verification_runs", id=str(verification.pk))
