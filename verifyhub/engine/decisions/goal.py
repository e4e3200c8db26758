"""A goal that was not reached sends the answer back (requirement C3)."""

import json
from dataclasses import replace

from verifyhub.engine.decisions.policy import DecisionReason
from verifyhub.engine.reports import Action, Decision, GoalResult, GoalState
from verifyhub.engine.thresholds import Thresholds

# What the answer alone would have been let through with.
_PASSING = frozenset({Action.ACCEPT, Action.FOLLOW_UP})
_MOST_NAMED = 30
_LONGEST_TEXT = 500


def with_goal(
    decision: Decision, goal: GoalResult, *, thresholds: Thresholds, attempt: int
) -> Decision:
    """Ask for another attempt if the goal was not reached and nothing else asked.

    A retry where the judge is sure; a clarification below the project's limit of
    confidence, since then the goal itself may be unclear. Where no goal was stated,
    what the ledger denies is left to the rules of requirement A8.

    Args:
        decision: What the rules of requirement A8 ask for.
        goal: The result of the goal check.
        thresholds: The project's cut-offs.
        attempt: 1 for the first answer to a task.
    """
    counts = goal.stated or goal.source == "model"
    if goal.state is not GoalState.NOT_ACHIEVED or not counts:
        return decision
    context = "\n".join(filter(None, (decision.additional_context, feedback(goal))))
    if decision.action not in _PASSING:
        return replace(decision, additional_context=context)
    if attempt > thresholds.max_retries:
        return Decision(
            action=Action.FAIL,
            reason=DecisionReason.MAX_RETRIES_EXCEEDED,
            additional_context=context,
        )
    unsure = (
        goal.confidence is not None
        and goal.confidence < thresholds.uncertain_below_confidence
    )
    return Decision(
        action=Action.CLARIFY if unsure else Action.RETRY,
        reason=DecisionReason.GOAL_NOT_ACHIEVED,
        additional_context=context,
    )


def feedback(goal: GoalResult) -> str:
    """Write for the next prompt what was missing; every text stands as a JSON string.

    What the ledger denied stands in the context already, as claims.
    """
    if goal.source == "ledger":
        return "The goal was not reached: work that was reported is not shown."
    lines = ["The goal was not reached. Its verifier found:"]
    lines += [f"- {_quoted(issue)}" for issue in goal.issues[:_MOST_NAMED]]
    if goal.suggestions:
        lines.append("It suggests:")
        lines += [f"- {_quoted(text)}" for text in goal.suggestions[:_MOST_NAMED]]
    return "\n".join(lines)


def _quoted(text: str) -> str:
    return json.dumps(text[:_LONGEST_TEXT], ensure_ascii=True)
