"""Warnings by stable codes, in one form."""

from collections.abc import Sequence

from verifyhub.engine.reports import (
    ClaimStatus,
    CompletionClaim,
    MentionResult,
    ReportWarning,
    Status,
)
from verifyhub.engine.thresholds import Thresholds

CONTRADICTED_CLAIM = "CONTRADICTED_CLAIM"


def warnings_of(
    *,
    counted: Sequence[MentionResult],
    mentions: int,
    claims: Sequence[CompletionClaim],
    confidence: float | None,
    thresholds: Thresholds,
) -> tuple[ReportWarning, ...]:
    """Return what a reader of the verdict should know."""
    found = [
        _unverified(mention)
        for mention in counted
        if mention.status is Status.UNVERIFIED
    ]
    found += [_claim(claim) for claim in claims if claim.status in _CLAIM_CODES]
    if confidence is not None and confidence < thresholds.uncertain_below_confidence:
        found.append(
            ReportWarning(
                code="LOW_CONFIDENCE",
                message=f"Confidence is {confidence:.2f}.",
                details={"confidence": confidence},
            )
        )
    if not mentions and not claims:
        found.append(
            ReportWarning(
                code="NOTHING_TO_CHECK",
                message="The answer names nothing and claims no work"
                " that the tool calls could confirm.",
            )
        )
    return tuple(found)


_CLAIM_CODES = {
    ClaimStatus.CONTRADICTED: CONTRADICTED_CLAIM,
    ClaimStatus.UNATTEMPTED: "UNATTEMPTED_CLAIM",
}


def _unverified(mention: MentionResult) -> ReportWarning:
    kind = str(mention.kind).replace("_", " ")
    disguised = mention.reason == "look_alike"
    code = "LOOK_ALIKE_NAME" if disguised else f"UNVERIFIED_{str(mention.kind).upper()}"
    text = f"The {kind} was not found in what the tools returned."
    if disguised:
        text = f"The {kind} is spelt with characters that look like others."
    details = {"text": mention.text, "reason": mention.reason}
    if mention.suggestion is not None:
        details["suggestion"] = mention.suggestion
    return ReportWarning(code=code, message=text, details=details)


def _claim(claim: CompletionClaim) -> ReportWarning:
    said = (
        "speak against" if claim.status is ClaimStatus.CONTRADICTED else "do not show"
    )
    return ReportWarning(
        code=_CLAIM_CODES[claim.status],
        message=f"The tool calls {said} a claim of work done.",
        details={"text": claim.text, "kind": claim.kind, "tool_calls": claim.evidence},
    )
