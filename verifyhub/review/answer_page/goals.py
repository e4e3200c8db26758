"""What the answer page shows of a goal: the result, and the attempts at it."""

from typing import Any

from verifyhub.engine.verdicts import VerificationReport
from verifyhub.ingest.models import Interaction
from verifyhub.review.answer_page.words import CHECK_REASONS, words_for
from verifyhub.verification.selectors import earlier_attempts, goal_logs


def goal_context(
    interaction: Interaction, report: VerificationReport
) -> dict[str, Any]:
    """Return the goal of a report, in words, and what each attempt came to."""
    goal = report.goal
    if goal is None:
        return {"goal": None}
    undecided = goal.achieved is None
    chain = [interaction, *earlier_attempts(interaction)]
    return {
        "goal": goal,
        "goal_why": words_for(goal.reason, CHECK_REASONS) if undecided else "",
        "attempts": list(goal_logs(chain)),
        "attempts_made": len(chain),
    }
