"""verify(): one answer and its tool calls to one report; no model, no network."""

from collections.abc import Sequence

from verifyhub.engine.decisions.measures import confidence, coverage
from verifyhub.engine.decisions.policy import decide, judge
from verifyhub.engine.decisions.warnings import warnings_of
from verifyhub.engine.grounding.ground import ground_mentions, is_counted
from verifyhub.engine.ledger.build import build_ledger
from verifyhub.engine.mentions.extract import extract_mentions
from verifyhub.engine.reports import (
    CheckResult,
    CompletionClaim,
    MentionResult,
    Outcome,
    Status,
    VerificationReport,
)
from verifyhub.engine.thresholds import Thresholds
from verifyhub.engine.types import Interaction

_DEFAULT_THRESHOLDS = Thresholds()


def verify(
    interaction: Interaction,
    *,
    thresholds: Thresholds = _DEFAULT_THRESHOLDS,
    attempt: int = 1,
) -> VerificationReport:
    """Check an answer against what the run's tools returned.

    Args:
        interaction: The task, the answer and the tool calls.
        thresholds: The project's cut-offs.
        attempt: 1 for the first answer to a task; retries are counted from there.
    """
    ledger = build_ledger(interaction)
    mentions = ground_mentions(extract_mentions(interaction.answer), ledger)
    claims: tuple[CompletionClaim, ...] = ()
    counted = [mention for mention in mentions if is_counted(mention)]
    sure = confidence(counted)
    decision = decide(
        counted=counted,
        claims=claims,
        confidence=sure,
        completeness=None,
        gaps=(),
        thresholds=thresholds,
        attempt=attempt,
    )
    return VerificationReport(
        id=interaction.id,
        verdict=judge(
            decision=decision,
            counted=counted,
            claims=claims,
            confidence=sure,
            thresholds=thresholds,
        ),
        confidence=sure,
        coverage=coverage(len(counted), len(mentions), claims),
        completeness=None,
        mentions=mentions,
        completion_claims=claims,
        checks=(
            _grounding_check(counted),
            _cross_tier_check(interaction.answer, thresholds),
        ),
        gaps=(),
        warnings=warnings_of(
            counted=counted,
            mentions=len(mentions),
            claims=claims,
            confidence=sure,
            thresholds=thresholds,
        ),
        decision=decision,
    )


def _grounding_check(counted: Sequence[MentionResult]) -> CheckResult:
    if not counted:
        return CheckResult(
            name="grounding", outcome=Outcome.SKIPPED, reason="nothing_to_check"
        )
    verified = sum(1 for mention in counted if mention.status is Status.VERIFIED)
    passed = verified == len(counted)
    return CheckResult(
        name="grounding",
        outcome=Outcome.PASSED if passed else Outcome.FAILED,
        score=verified / len(counted),
        reason="" if passed else "unverified_names",
        details={"counted": len(counted), "verified": verified},
    )


def _cross_tier_check(answer: str, thresholds: Thresholds) -> CheckResult:
    """Say why no model was asked: the answer is too short, or none is configured."""
    short = len(answer) <= thresholds.model_above_characters
    return CheckResult(
        name="cross_tier",
        outcome=Outcome.SKIPPED,
        reason="short_answer" if short else "no_model",
    )
