"""What the answer page shows of a goal: the result, and the attempts at it."""

from collections.abc import Mapping
from typing import Any

from verifyhub.engine.reports import GoalState
from verifyhub.ingest.models import Interaction
from verifyhub.review.answer_page import words
from verifyhub.verification.selectors import earlier_attempts, goal_logs


def goal_context(interaction: Interaction, report: Mapping[str, Any]) -> dict[str, Any]:
    """Return the goal of a report, in words, and what each attempt came to."""
    goal = report.get("goal")
    if not goal:
        return {"goal": None}
    undecided = goal["state"] in {GoalState.INCONCLUSIVE, GoalState.NOT_CHECKED}
    why = words.words_for(goal["reason"], words.CHECK_REASONS) if undecided else ""
    chain = [interaction, *earlier_attempts(interaction)]
    return {
        "goal": {**goal, "why": why},
        "attempts": list(goal_logs(chain)),
        "attempts_made": len(chain),
    }
