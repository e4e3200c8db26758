"""Store results of goal checks: with the interaction, and in an append-only log."""

from collections.abc import Sequence
from uuid import UUID

from django.db import connection

from verifyhub.accounts.models import Project
from verifyhub.engine.reports import GoalState
from verifyhub.ingest.services import append_verification_result
from verifyhub.verification.models import VerificationLog
from verifyhub.verification.steps import FinishedVerification

# Fields that are columns of the log.
_COLUMNS = frozenset({"type", "target", "goal"})


def log_goals(finished: Sequence[FinishedVerification]) -> None:
    """Write the results of goal checks, if there are any."""
    for completed in finished:
        goal = completed.report.goal
        if completed.attempt and goal and goal.state is not GoalState.NOT_CHECKED:
            written = goal.as_dict()
            result = {
                **{name: written[name] for name in written if name not in _COLUMNS},
                "attempt": completed.attempt,
                "verification": completed.verification.number,
                "action": str(completed.report.decision.action),
            }
            log = VerificationLog.objects.create(
                project_id=completed.verification.project_id,
                interaction_id=completed.verification.interaction_id,
                verification=completed.verification,
                type=goal.type,
                target=goal.target[: VerificationLog.MAX_TARGET],
                goal=goal.goal,
                result=result,
            )
            append_verification_result(
                interaction_id=completed.verification.interaction_id,
                result={
                    **result,
                    "id": str(log.id),
                    "type": log.type,
                    "target": log.target,
                    "created_at": log.created_at.isoformat(),
                },
            )


def forget_logs(project: Project, answers: Sequence[UUID]) -> int:
    """Delete the results of goal checks of deleted answers.

    Must run inside a transaction, for which it suspends the append-only trigger.

    Returns:
        How many were deleted.
    """
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL verifyhub.forget_runs = 'on'")
        logs = VerificationLog.objects.filter(project=project, interaction__in=answers)
        count = logs.delete()[0]
        cursor.execute("SET LOCAL verifyhub.forget_runs = 'off'")
    return count
