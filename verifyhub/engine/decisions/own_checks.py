"""Report the ledger's findings as checks."""

from collections.abc import Sequence

from verifyhub.engine.reports import (
    CheckResult,
    ClaimStatus,
    CompletionClaim,
    MentionResult,
    Outcome,
    Status,
)
from verifyhub.engine.value_results import VALUES, ValueResult


def grounding_check(counted: Sequence[MentionResult]) -> CheckResult:
    """Return the check of how many counted names have evidence."""
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
    supported = sum(1 for claim in settled if claim.status is ClaimStatus.SUPPORTED)
    passed = supported == len(settled)
    return CheckResult(
        name="completion",
        outcome=Outcome.PASSED if passed else Outcome.FAILED,
        score=supported / len(settled),
        reason="" if passed else "untrue_claims",
        details={
            "claims": len(claims),
            "settled": len(settled),
            "supported": supported,
        },
    )


def values_check(values: Sequence[ValueResult], *, compared: bool) -> CheckResult:
    """Count the values that tools, the user or the policy state.

    Args:
        values: The values of the answer.
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
    supported = sum(1 for value in settled if not value.is_flagged)
    passed = supported == len(settled)
    return CheckResult(
        name=VALUES,
        outcome=Outcome.PASSED if passed else Outcome.FAILED,
        score=supported / len(settled),
        reason="" if passed else "unsupported_values",
        details={
            "values": len(values),
            "settled": len(settled),
            "supported": supported,
        },
    )
