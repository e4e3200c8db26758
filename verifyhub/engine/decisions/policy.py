"""From findings to the next step of the agent (requirement A8) and the verdict.

The verdict follows from the step, so that they are consistent.
"""

from collections.abc import Callable
from enum import StrEnum

from verifyhub.engine.decisions.attempts import backoff_seconds
from verifyhub.engine.decisions.findings import Findings
from verifyhub.engine.decisions.next_prompt import next_prompt
from verifyhub.engine.reports import Action, ClaimStatus, NextStep, Verdict
from verifyhub.engine.thresholds import SendsBack, Thresholds


class DecisionReason(StrEnum):
    """The reason for a next step."""

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

Step = tuple[Action, DecisionReason]
# After the last attempt a person is asked where nothing is known to be wrong.
_AFTER_THE_LAST: dict[DecisionReason, Step] = dict.fromkeys(
    (DecisionReason.GOAL_UNCLEAR, DecisionReason.IN_DOUBT),
    (Action.ACCEPT, DecisionReason.DOUBTS_REMAIN),
)


def decide(findings: Findings, *, thresholds: Thresholds, attempt: int) -> NextStep:
    """Choose the next step, in the order of A8; a failed level comes first (B5).

    Args:
        attempt: 1 for the first answer to a subtask, 2 for its first retry.
    """
    action, reason = _step(findings, thresholds)
    context = next_prompt(
        findings, thresholds, doubts=reason is DecisionReason.IN_DOUBT
    )
    if attempt > thresholds.max_retries and action in REJECTING:
        action, reason = _AFTER_THE_LAST.get(
            reason, (Action.FAIL, DecisionReason.MAX_RETRIES_EXCEEDED)
        )
    follows = action is Action.FOLLOW_UP
    chosen = findings.gaps[: thresholds.max_follow_ups] if follows else ()
    return NextStep(
        action=action,
        reason=reason,
        additional_context=context,
        follow_ups=tuple(f"Address missing aspect: {gap}" for gap in chosen),
        retry_after_seconds=_wait(findings, action, reason, attempt),
    )


def goes_back(findings: Findings, thresholds: Thresholds) -> bool:
    """Whether the findings so far send a first attempt back to its agent."""
    return _step(findings, thresholds)[0] in REJECTING


def verdict_of(decision: NextStep) -> Verdict:
    if decision.action in REJECTING:
        return Verdict.REJECT
    if decision.reason == DecisionReason.CHECKS_PASSED:
        return Verdict.ACCEPT
    return Verdict.UNCERTAIN


def _wait(
    findings: Findings, action: Action, reason: DecisionReason, attempt: int
) -> int | None:
    if findings.failed_level is not None and action is Action.RETRY:
        return backoff_seconds(attempt)
    awaits = reason is DecisionReason.AWAITING_VERIFIER
    return findings.read_again_after if awaits else None


def _step(findings: Findings, thresholds: Thresholds) -> Step:
    """Return the first applicable step; each kind of error has its own."""
    for rule in _RULES:
        step = rule(findings, thresholds)
        if step is not None:
            return step
    return Action.ACCEPT, _why_accepted(findings, thresholds)


def _of_levels(findings: Findings, thresholds: Thresholds) -> Step | None:
    if findings.failed_level is None:
        return None
    return Action.RETRY, DecisionReason(f"{findings.failed_level.name}_failed")


def _of_names(findings: Findings, thresholds: Thresholds) -> Step | None:
    """Retry with the inventions named; if repeated, reformulate the task."""
    if findings.repeated:
        return Action.REFORMULATE, DecisionReason.REPEATED_INVENTION
    if len(findings.wrong) > thresholds.unverified_allowed:
        return Action.RETRY, DecisionReason.TOO_MANY_UNVERIFIED
    confidence = findings.confidence
    if confidence is not None and confidence < thresholds.reformulate_below_confidence:
        return Action.REFORMULATE, DecisionReason.VERY_LOW_CONFIDENCE
    return None


def _of_statements(findings: Findings, thresholds: Thresholds) -> Step | None:
    if findings.has(ClaimStatus.CONTRADICTED):
        return Action.CLARIFY, DecisionReason.CONTRADICTED_CLAIM
    untrue = thresholds.sends_back_for(SendsBack.UNTRUE)
    if untrue and findings.has(ClaimStatus.UNATTEMPTED):
        return Action.RETRY, DecisionReason.UNATTEMPTED_CLAIM
    if findings.contradictions:
        return Action.CLARIFY, DecisionReason.CONTRADICTION
    if findings.facts_contradicted:
        return Action.CLARIFY, DecisionReason.FACT_CONTRADICTED
    if findings.wrong_values and thresholds.sends_back_for(SendsBack.WRONG):
        return Action.RETRY, DecisionReason.UNSUPPORTED_VALUE
    return None


def _of_goal(findings: Findings, thresholds: Thresholds) -> Step | None:
    """Retry if the judge is sure; otherwise the goal itself may be unclear."""
    goal = findings.goal_missed
    if goal is not None:
        confidence, line = goal.confidence, thresholds.uncertain_below_confidence
        unsure = confidence is not None and confidence < line
        action = Action.CLARIFY if unsure else Action.RETRY
        return action, DecisionReason.GOAL_NOT_ACHIEVED
    if findings.goal_unclear and thresholds.sends_back_for(SendsBack.UNTRUE):
        return Action.CLARIFY, DecisionReason.GOAL_UNCLEAR
    return None


def _of_checks(findings: Findings, thresholds: Thresholds) -> Step | None:
    if findings.below_line:
        return Action.RETRY, DecisionReason.SCORE_BELOW_LINE
    wrong = thresholds.sends_back_for(SendsBack.WRONG)
    if wrong and (findings.failed_checks or findings.below_floor):
        return Action.RETRY, DecisionReason.CHECK_FAILED
    return None


def _of_coverage(findings: Findings, thresholds: Thresholds) -> Step | None:
    """Follow up on known gaps; retry an answer with unknown ones."""
    if not _incomplete(findings, thresholds):
        return None
    if findings.gaps and thresholds.max_follow_ups:
        return Action.FOLLOW_UP, DecisionReason.INCOMPLETE
    if thresholds.sends_back_for(SendsBack.UNTRUE):
        return Action.RETRY, DecisionReason.INCOMPLETE
    return None


def _of_doubts(findings: Findings, thresholds: Thresholds) -> Step | None:
    """Send back an answer with open checks that the agent can do something about."""
    if not thresholds.sends_back_for(SendsBack.DOUBTFUL):
        return None
    in_doubt = (
        findings.facts_doubted
        or findings.disagreed
        or findings.level_open
        or findings.has(ClaimStatus.UNCHECKED)
        or _unsure(findings, thresholds)
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


def _unsure(findings: Findings, thresholds: Thresholds) -> bool:
    confidence = findings.confidence
    return confidence is not None and confidence < thresholds.uncertain_below_confidence


def _incomplete(findings: Findings, thresholds: Thresholds) -> bool:
    share = findings.completeness
    return share is not None and share < thresholds.follow_up_below_completeness


def _why_accepted(findings: Findings, thresholds: Thresholds) -> DecisionReason:
    """Return the reason for accepting; only `checks_passed` is without doubt."""
    tolerated = (
        findings.wrong
        or findings.wrong_values
        or findings.has(ClaimStatus.UNATTEMPTED)
        or findings.failed_checks
        or findings.below_floor
        or _incomplete(findings, thresholds)
    )
    if tolerated:
        return DecisionReason.FAULTS_TOLERATED
    if _unsure(findings, thresholds):
        return DecisionReason.LOW_CONFIDENCE
    if findings.awaited:
        return DecisionReason.AWAITING_VERIFIER
    doubted = (
        findings.facts_doubted
        or findings.disagreed
        or findings.level_open
        or findings.doubted
        or findings.misled
        or findings.left_open
        or findings.goal_unclear
    )
    if doubted:
        return DecisionReason.DOUBTS_REMAIN
    if findings.settled:
        return DecisionReason.CHECKS_PASSED
    if findings.is_compared:
        return DecisionReason.DOUBTS_REMAIN
    return DecisionReason.NOTHING_TO_CHECK
