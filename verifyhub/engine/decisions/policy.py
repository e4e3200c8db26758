"""From findings to the next step of the agent (requirement A8) and the verdict.

The verdict follows from the step, so that neither can say what the other denies.
"""

from collections.abc import Callable
from enum import StrEnum

from verifyhub.engine.decisions.backoff import backoff_seconds
from verifyhub.engine.decisions.findings import Findings
from verifyhub.engine.decisions.next_prompt import next_prompt
from verifyhub.engine.reports import Action, ClaimStatus, NextStep, Verdict
from verifyhub.engine.thresholds import SendsBack, Thresholds


class DecisionReason(StrEnum):
    """Why a next step was chosen."""

    LEVEL_1_STRUCTURE_FAILED = "level_1_structure_failed"
    LEVEL_2_SCHEMA_FAILED = "level_2_schema_failed"
    LEVEL_3_FILESYSTEM_FAILED = "level_3_filesystem_failed"
    REPEATED_INVENTION = "repeated_invention"
    TOO_MANY_UNVERIFIED = "too_many_unverified"
    VERY_LOW_CONFIDENCE = "very_low_confidence"
    CONTRADICTED_CLAIM = "contradicted_claim"
    UNATTEMPTED_CLAIM = "unattempted_claim"
    CONTRADICTION = "contradiction"
    FACT_CONTRADICTED = "fact_contradicted"
    UNSUPPORTED_VALUE = "unsupported_value"
    SCORE_BELOW_LINE = "score_below_line"
    GOAL_NOT_ACHIEVED = "goal_not_achieved"
    GOAL_UNCLEAR = "goal_unclear"
    CHECK_FAILED = "check_failed"
    INCOMPLETE = "incomplete"
    IN_DOUBT = "in_doubt"
    FAULTS_TOLERATED = "faults_tolerated"
    LOW_CONFIDENCE = "low_confidence"
    AWAITING_VERIFIER = "awaiting_verifier"
    DOUBTS_REMAIN = "doubts_remain"
    NOTHING_TO_CHECK = "nothing_to_check"
    CHECKS_PASSED = "checks_passed"
    MAX_RETRIES_EXCEEDED = "max_retries_exceeded"


REJECTING = frozenset({Action.RETRY, Action.REFORMULATE, Action.CLARIFY, Action.FAIL})
# After the last attempt a person looks: nothing was found to be wrong.
_FOR_A_PERSON = frozenset({DecisionReason.GOAL_UNCLEAR, DecisionReason.IN_DOUBT})

Step = tuple[Action, DecisionReason]


def decide(found: Findings, *, thresholds: Thresholds, attempt: int) -> NextStep:
    """Choose the next step, in the order of A8; a failed level comes first (B5).

    Args:
        found: What is known of the answer.
        thresholds: The project's cut-offs.
        attempt: 1 for the first answer to a subtask, 2 for its first retry.
    """
    action, reason = _step(found, thresholds)
    context = next_prompt(found, thresholds, doubts=reason is DecisionReason.IN_DOUBT)
    if attempt > thresholds.max_retries and action in REJECTING:
        action, reason = _after_the_last(reason)
    follows = action is Action.FOLLOW_UP
    chosen = found.gaps[: thresholds.max_follow_ups] if follows else ()
    return NextStep(
        action=action,
        reason=reason,
        additional_context=context,
        follow_ups=tuple(f"Address missing aspect: {gap}" for gap in chosen),
        retry_after_seconds=_wait(found, action, reason, attempt),
    )


def verdict_of(decision: NextStep) -> Verdict:
    """Return the judgement that a decision is: both are one statement."""
    if decision.action in REJECTING:
        return Verdict.REJECT
    if decision.reason == DecisionReason.CHECKS_PASSED:
        return Verdict.ACCEPT
    return Verdict.UNCERTAIN


def _after_the_last(reason: DecisionReason) -> Step:
    if reason in _FOR_A_PERSON:
        return Action.ACCEPT, DecisionReason.DOUBTS_REMAIN
    return Action.FAIL, DecisionReason.MAX_RETRIES_EXCEEDED


def _wait(
    found: Findings, action: Action, reason: DecisionReason, attempt: int
) -> int | None:
    if found.failed_level is not None and action is Action.RETRY:
        return backoff_seconds(attempt)
    awaits = reason is DecisionReason.AWAITING_VERIFIER
    return found.read_again_after if awaits else None


def _step(found: Findings, thresholds: Thresholds) -> Step:
    """Return the first step that applies; each kind of error has its own remedy."""
    for rule in _RULES:
        step = rule(found, thresholds)
        if step is not None:
            return step
    return Action.ACCEPT, _why_accepted(found, thresholds)


def _of_levels(found: Findings, thresholds: Thresholds) -> Step | None:
    if found.failed_level is None:
        return None
    return Action.RETRY, DecisionReason(f"{found.failed_level.name}_failed")


def _of_names(found: Findings, thresholds: Thresholds) -> Step | None:
    """Name the inventions; a name invented again needs another task, not more of it."""
    if found.repeated:
        return Action.REFORMULATE, DecisionReason.REPEATED_INVENTION
    if len(found.wrong) > thresholds.unverified_allowed:
        return Action.RETRY, DecisionReason.TOO_MANY_UNVERIFIED
    sure = found.confidence
    if sure is not None and sure < thresholds.reformulate_below_confidence:
        return Action.REFORMULATE, DecisionReason.VERY_LOW_CONFIDENCE
    return None


def _of_statements(found: Findings, thresholds: Thresholds) -> Step | None:
    if found.has(ClaimStatus.CONTRADICTED):
        return Action.CLARIFY, DecisionReason.CONTRADICTED_CLAIM
    untrue = thresholds.sends_back_for(SendsBack.UNTRUE)
    if untrue and found.has(ClaimStatus.UNATTEMPTED):
        return Action.RETRY, DecisionReason.UNATTEMPTED_CLAIM
    if found.contradictions:
        return Action.CLARIFY, DecisionReason.CONTRADICTION
    if found.facts_contradicted:
        return Action.CLARIFY, DecisionReason.FACT_CONTRADICTED
    if found.wrong_values and thresholds.sends_back_for(SendsBack.WRONG):
        return Action.RETRY, DecisionReason.UNSUPPORTED_VALUE
    return None


def _of_goal(found: Findings, thresholds: Thresholds) -> Step | None:
    """A retry where the judge is sure; else the goal itself may be unclear."""
    goal = found.goal_missed
    if goal is not None:
        sure, line = goal.confidence, thresholds.uncertain_below_confidence
        unsure = sure is not None and sure < line
        action = Action.CLARIFY if unsure else Action.RETRY
        return action, DecisionReason.GOAL_NOT_ACHIEVED
    if found.goal_unclear and thresholds.sends_back_for(SendsBack.UNTRUE):
        return Action.CLARIFY, DecisionReason.GOAL_UNCLEAR
    return None


def _of_checks(found: Findings, thresholds: Thresholds) -> Step | None:
    if found.below_line:
        return Action.RETRY, DecisionReason.SCORE_BELOW_LINE
    wrong = thresholds.sends_back_for(SendsBack.WRONG)
    if wrong and (found.failed_checks or found.below_floor):
        return Action.RETRY, DecisionReason.CHECK_FAILED
    return None


def _of_coverage(found: Findings, thresholds: Thresholds) -> Step | None:
    """Close known gaps one by one; an answer with unknown ones is tried again."""
    if not _incomplete(found, thresholds):
        return None
    if found.gaps and thresholds.max_follow_ups:
        return Action.FOLLOW_UP, DecisionReason.INCOMPLETE
    if thresholds.sends_back_for(SendsBack.UNTRUE):
        return Action.RETRY, DecisionReason.INCOMPLETE
    return None


def _of_doubts(found: Findings, thresholds: Thresholds) -> Step | None:
    """Send back what stayed open where the agent can do something about it."""
    if not thresholds.sends_back_for(SendsBack.DOUBTFUL):
        return None
    in_doubt = (
        found.facts_doubted
        or found.disagreed
        or found.level_open
        or found.has(ClaimStatus.UNCHECKED)
        or _unsure(found, thresholds)
    )
    return (Action.CLARIFY, DecisionReason.IN_DOUBT) if in_doubt else None


_RULES: tuple[Callable[[Findings, Thresholds], Step | None], ...] = (
    _of_levels,
    _of_names,
    _of_statements,
    _of_goal,
    _of_checks,
    _of_coverage,
    _of_doubts,
)


def _unsure(found: Findings, thresholds: Thresholds) -> bool:
    sure = found.confidence
    return sure is not None and sure < thresholds.uncertain_below_confidence


def _incomplete(found: Findings, thresholds: Thresholds) -> bool:
    share = found.completeness
    return share is not None and share < thresholds.follow_up_below_completeness


def _why_accepted(found: Findings, thresholds: Thresholds) -> DecisionReason:
    """Say what the answer is accepted with; only `checks_passed` is without a doubt."""
    tolerated = (
        found.wrong
        or found.wrong_values
        or found.has(ClaimStatus.UNATTEMPTED)
        or found.failed_checks
        or found.below_floor
        or _incomplete(found, thresholds)
    )
    if tolerated:
        return DecisionReason.FAULTS_TOLERATED
    if _unsure(found, thresholds):
        return DecisionReason.LOW_CONFIDENCE
    if found.awaited:
        return DecisionReason.AWAITING_VERIFIER
    doubted = (
        found.facts_doubted
        or found.disagreed
        or found.level_open
        or found.doubted
        or found.misled
        or found.left_open
        or found.goal_unclear
    )
    if doubted:
        return DecisionReason.DOUBTS_REMAIN
    if found.settled:
        return DecisionReason.CHECKS_PASSED
    if found.looked_at:
        return DecisionReason.DOUBTS_REMAIN
    return DecisionReason.NOTHING_TO_CHECK
