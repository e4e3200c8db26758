"""From findings to the next step of the agent (requirement A8) and the verdict."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from verifyhub.engine.claim_results import ClaimResult
from verifyhub.engine.decisions.backoff import backoff_seconds
from verifyhub.engine.decisions.next_prompt import next_prompt
from verifyhub.engine.reports import (
    Action,
    CheckResult,
    ClaimStatus,
    CompletionClaim,
    Decision,
    MentionResult,
    Status,
    Verdict,
)
from verifyhub.engine.thresholds import Thresholds


class DecisionReason(StrEnum):
    """Why a next step was chosen."""

    LEVEL_1_STRUCTURE_FAILED = "level_1_structure_failed"
    LEVEL_2_SCHEMA_FAILED = "level_2_schema_failed"
    LEVEL_3_FILESYSTEM_FAILED = "level_3_filesystem_failed"
    TOO_MANY_UNVERIFIED = "too_many_unverified"
    VERY_LOW_CONFIDENCE = "very_low_confidence"
    CONTRADICTED_CLAIM = "contradicted_claim"
    CONTRADICTION = "contradiction"
    FACT_CONTRADICTED = "fact_contradicted"
    INCOMPLETE = "incomplete"
    GOAL_NOT_ACHIEVED = "goal_not_achieved"
    LOW_CONFIDENCE = "low_confidence"
    NOTHING_TO_CHECK = "nothing_to_check"
    CHECKS_PASSED = "checks_passed"
    MAX_RETRIES_EXCEEDED = "max_retries_exceeded"
    REPEATED_INVENTION = "repeated_invention"
    AWAITING_VERIFIER = "awaiting_verifier"


REJECTING = frozenset({Action.RETRY, Action.REFORMULATE, Action.CLARIFY, Action.FAIL})


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What is known of an answer when its next step is chosen.

    Attributes:
        counted: Mentions that count.
        claims: Claims of work done, settled or not.
        confidence: 0..1, or None when nothing could be checked.
        completeness: 0..1, or None without a model.
        gaps: What the answer leaves open.
        contradicted: Whether the stronger model named a contradiction.
        failed_level: The level (requirements B1 to B3) that failed, if one did.
        earlier_inventions: Kind and key of the names that earlier attempts at the
            same subtask invented.
        awaited: Whether a model's opinion is missing and will be asked for again;
            nothing is accepted without it (requirement A3).
        read_again_after: When it may be there, in seconds; None where no clock says.
        facts: Claims of fact with what the evidence says of each.
        facts_contradicted: Whether a judge found evidence against one of them.
        facts_doubted: Whether one differs from its evidence without a judge's word.
        below_floor: Whether the detection layers fell below the floor of the risk.
    """

    counted: Sequence[MentionResult]
    claims: Sequence[CompletionClaim]
    confidence: float | None
    completeness: float | None = None
    gaps: Sequence[str] = ()
    contradicted: bool = False
    failed_level: CheckResult | None = None
    earlier_inventions: Collection[tuple[str, str]] = ()
    awaited: bool = False
    read_again_after: int | None = None
    facts: Sequence[ClaimResult] = ()
    facts_contradicted: bool = False
    facts_doubted: bool = False
    below_floor: bool = False

    @property
    def false_facts(self) -> list[ClaimResult]:
        """The claims of fact that a judge found evidence against."""
        return [one for one in self.facts if one.is_denied]

    @property
    def wrong(self) -> list[MentionResult]:
        """The names that count and have no evidence."""
        return [m for m in self.counted if m.status is Status.UNVERIFIED]

    @property
    def is_disputed(self) -> bool:
        """Whether a name or a fact has no evidence, or evidence against it."""
        return bool(self.wrong) or self.facts_contradicted or self.facts_doubted

    @property
    def repeated(self) -> list[MentionResult]:
        """Those of them that an earlier attempt invented as well."""
        earlier = self.earlier_inventions
        return [m for m in self.wrong if (str(m.kind), m.key) in earlier]


def decide(found: Findings, *, thresholds: Thresholds, attempt: int) -> Decision:
    """Choose the next step, in the order of A8; a failed level comes first (B5).

    Args:
        found: What is known of the answer.
        thresholds: The project's cut-offs.
        attempt: 1 for the first answer to a subtask, 2 for its first retry.
    """
    action, reason = _step(found, thresholds)
    context = next_prompt(
        found.wrong,
        found.claims,
        found.gaps,
        repeated=found.repeated,
        failed_level=found.failed_level,
        false_facts=found.false_facts,
    )
    if attempt > thresholds.max_retries and action in REJECTING:
        return Decision(
            action=Action.FAIL,
            reason=DecisionReason.MAX_RETRIES_EXCEEDED,
            additional_context=context,
        )
    chosen = found.gaps[: thresholds.max_follow_ups]
    follows = action is Action.FOLLOW_UP
    return Decision(
        action=action,
        reason=reason,
        additional_context=context,
        follow_ups=tuple(f"Address missing aspect: {gap}" for gap in chosen)
        if follows
        else (),
        retry_after_seconds=_wait(found, reason, attempt),
    )


def _wait(found: Findings, reason: DecisionReason, attempt: int) -> int | None:
    if found.failed_level is not None:
        return backoff_seconds(attempt)
    awaits = reason is DecisionReason.AWAITING_VERIFIER
    return found.read_again_after if awaits else None


def _step(found: Findings, thresholds: Thresholds) -> tuple[Action, DecisionReason]:
    """Return the first step that applies; each kind of error has its own remedy."""
    for rule in (_of_levels, _of_names, _of_statements, _of_coverage):
        step = rule(found, thresholds)
        if step is not None:
            return step
    return Action.ACCEPT, _why_accepted(found, thresholds)


def _of_levels(
    found: Findings, thresholds: Thresholds
) -> tuple[Action, DecisionReason] | None:
    if found.failed_level is None:
        return None
    return Action.RETRY, DecisionReason(f"{found.failed_level.name}_failed")


def _of_names(
    found: Findings, thresholds: Thresholds
) -> tuple[Action, DecisionReason] | None:
    """Name the inventions; a name invented again needs another task, not more of it."""
    if found.repeated:
        return Action.REFORMULATE, DecisionReason.REPEATED_INVENTION
    if len(found.wrong) > thresholds.retry_above_unverified:
        return Action.RETRY, DecisionReason.TOO_MANY_UNVERIFIED
    sure = found.confidence
    if sure is not None and sure < thresholds.reformulate_below_confidence:
        return Action.REFORMULATE, DecisionReason.VERY_LOW_CONFIDENCE
    return None


def _of_statements(
    found: Findings, thresholds: Thresholds
) -> tuple[Action, DecisionReason] | None:
    if any(claim.status is ClaimStatus.CONTRADICTED for claim in found.claims):
        return Action.CLARIFY, DecisionReason.CONTRADICTED_CLAIM
    if found.contradicted:
        return Action.CLARIFY, DecisionReason.CONTRADICTION
    if found.facts_contradicted:
        return Action.CLARIFY, DecisionReason.FACT_CONTRADICTED
    return None


def _of_coverage(
    found: Findings, thresholds: Thresholds
) -> tuple[Action, DecisionReason] | None:
    """Close known gaps one by one."""
    share = found.completeness
    incomplete = share is not None and share < thresholds.follow_up_below_completeness
    if incomplete and found.gaps and thresholds.max_follow_ups:
        return Action.FOLLOW_UP, DecisionReason.INCOMPLETE
    return None


def _why_accepted(found: Findings, thresholds: Thresholds) -> DecisionReason:
    sure = found.confidence
    if sure is not None and sure < thresholds.uncertain_below_confidence:
        return DecisionReason.LOW_CONFIDENCE
    if found.awaited:
        return DecisionReason.AWAITING_VERIFIER
    open_ = all(claim.status is ClaimStatus.UNCHECKED for claim in found.claims)
    if sure is None and open_:
        return DecisionReason.NOTHING_TO_CHECK
    return DecisionReason.CHECKS_PASSED


def judge(
    found: Findings,
    *,
    decision: Decision,
    thresholds: Thresholds,
    settled: bool,
    doubted: bool = False,
) -> Verdict:
    """Turn findings and decision into the judgement of the answer.

    Args:
        found: What is known of the answer.
        decision: The next step that follows from it.
        thresholds: The project's cut-offs.
        settled: Whether the ledger alone could settle anything at all.
        doubted: Whether somebody did not accept what the ledger holds, or was misled;
            either keeps an answer from being accepted unseen.
    """
    states = {claim.status for claim in found.claims}
    if decision.action in REJECTING or ClaimStatus.CONTRADICTED in states:
        return Verdict.REJECT
    sure = found.confidence
    doubtful = (
        bool(found.wrong)
        or ClaimStatus.UNATTEMPTED in states
        or (sure is not None and sure < thresholds.uncertain_below_confidence)
        or decision.action is Action.FOLLOW_UP
        or found.awaited
        or found.facts_doubted
        or found.below_floor
        or doubted
        or not settled
    )
    return Verdict.UNCERTAIN if doubtful else Verdict.ACCEPT
