"""What the answer page shows of a goal: the result, and the attempts at it."""

from collections.abc import Mapping, Sequence
from typing import Any

from verifyhub.engine.verdicts import VerificationReport
from verifyhub.ingest.models import Interaction
from verifyhub.review.answer_page.words import (
    CHECK_REASONS,
    DENIED_WORK,
    DO_OR_SAY,
    words_for,
)
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
    found = goal.as_dict()
    return {
        "goal": goal,
        "goal_why": words_for(goal.reason, CHECK_REASONS) if undecided else "",
        "goal_issues": _issues(found),
        "goal_suggestions": [str(DO_OR_SAY)] if goal.denied else goal.suggestions,
        "attempts": [(one, _issues(one.result)) for one in goal_logs(chain)],
        "attempts_made": len(chain),
    }


def _issues(found: Mapping[str, Any]) -> Sequence[str]:
    """Say what is missing: in the reader's language what the ledger found."""
    denied = found.get("denied") or ()
    if not denied:
        # A judge's words, or a result of before the claims were kept beside theirs.
        return found.get("issues") or ()
    return [DENIED_WORK[one["status"]] % {"claim": one["text"]} for one in denied]
