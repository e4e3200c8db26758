"""Report the ledger's findings as checks."""

from collections.abc import Sequence

from verifyhub.engine.reports import (
    CheckResult,
    ClaimStatus,
    CompletionClaim,
    MentionResult,
    Outcome,
)
from verifyhub.engine.value_results import VALUES, ValueResult


def grounding_check(counted: Sequence[MentionResult]) -> CheckResult:
    """Return the check of how many counted names have evidence."""
    if not counted:
        return CheckResult(
            name="grounding", outcome=Outcome.SKIPPED, reason="nothing_to_check"
        )
    verified = sum(mention.is_verified for mention in counted)
    return _counted(
        "grounding",
        {"counted": len(counted), "verified": verified},
        share=verified / len(counted),
        reason="unverified_names",
    )


def completion_check(claims: Sequence[CompletionClaim]) -> CheckResult:
    """Return the check of how many completion claims the tool calls support."""
    if not claims:
        return CheckResult(
            name="completion", outcome=Outcome.SKIPPED, reason="no_claims"
        )
    settled = [claim for claim in claims if claim.status is not ClaimStatus.UNCHECKED]
    if not settled:
        return CheckResult(
            name="completion", outcome=Outcome.INCONCLUSIVE, reason="not_checkable"
        )
    supported = sum(claim.status is ClaimStatus.SUPPORTED for claim in settled)
    return _counted(
        "completion",
        {"claims": len(claims), "settled": len(settled), "supported": supported},
        share=supported / len(settled),
        reason="untrue_claims",
    )


def values_check(values: Sequence[ValueResult], *, compared: bool) -> CheckResult:
    """Count the values that tools, the user or the policy state.

    Args:
        compared: Whether the run can settle each, unlike that of an agent that works on
            files.
    """
    if not values or not compared:
        reason = "file_work" if values else "nothing_to_check"
        return CheckResult(name=VALUES, outcome=Outcome.SKIPPED, reason=reason)
    settled = [value for value in values if value.is_settled]
    if not settled:
        return CheckResult(
            name=VALUES, outcome=Outcome.INCONCLUSIVE, reason="values_open"
        )
    supported = sum(not value.is_flagged for value in settled)
    return _counted(
        VALUES,
        {"values": len(values), "settled": len(settled), "supported": supported},
        share=supported / len(settled),
        reason="unsupported_values",
    )


def _counted(
    name: str, counts: dict[str, int], *, share: float, reason: str
) -> CheckResult:
    """Return a check that passes if the share is whole, and else fails for a reason."""
    passed = share == 1
    return CheckResult(
        name=name,
        outcome=Outcome.PASSED if passed else Outcome.FAILED,
        score=share,
        reason="" if passed else reason,
        details=counts,
    )
