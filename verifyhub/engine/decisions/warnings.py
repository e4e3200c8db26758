"""Warnings by stable codes, in one form."""

from verifyhub.engine.decisions.findings import Findings
from verifyhub.engine.reports import (
    ClaimStatus,
    CompletionClaim,
    MentionResult,
    ReportWarning,
)
from verifyhub.engine.thresholds import Thresholds
from verifyhub.engine.warning_codes import WarningCode


def warnings_of(
    findings: Findings, *, mentions: int, thresholds: Thresholds
) -> tuple[ReportWarning, ...]:
    """Return the warnings for readers of the verdict.

    Args:
        mentions: Number of names, counted or not.
    """
    claims, confidence = findings.claims, findings.confidence
    warnings = [_unverified(mention) for mention in findings.wrong]
    warnings += [_claim(claim) for claim in claims if claim.status in _CLAIM_CODES]
    if confidence is not None and confidence < thresholds.uncertain_below_confidence:
        warnings.append(
            ReportWarning(
                code=WarningCode.LOW_CONFIDENCE,
                message=f"Confidence is {confidence:.2f}.",
                details={"confidence": confidence},
            )
        )
    if not mentions and not claims and not findings.shows_values:
        warnings.append(
            ReportWarning(
                code=WarningCode.NOTHING_TO_CHECK,
                message="The answer contains no name or claim of work that tool calls "
                "could confirm.",
            )
        )
    return tuple(warnings)


_CLAIM_CODES = {
    ClaimStatus.CONTRADICTED: WarningCode.CONTRADICTED_CLAIM,
    ClaimStatus.UNATTEMPTED: WarningCode.UNATTEMPTED_CLAIM,
}


def _unverified(mention: MentionResult) -> ReportWarning:
    kind = str(mention.kind)
    details = {"text": mention.text, "reason": mention.reason}
    if mention.suggestion is not None:
        details["suggestion"] = mention.suggestion
    spoken = kind.replace("_", " ")
    if mention.reason == "look_alike":
        # The other codes contain the kind.
        return ReportWarning(
            code=WarningCode.LOOK_ALIKE_NAME,
            message=f"The {spoken} is spelt with characters that look like others.",
            details={**details, "kind": kind},
        )
    return ReportWarning(
        code=WarningCode(f"UNVERIFIED_{kind.upper()}"),
        message=f"The {spoken} was not found in the tool outputs.",
        details=details,
    )


def _claim(claim: CompletionClaim) -> ReportWarning:
    verb = (
        "speak against" if claim.status is ClaimStatus.CONTRADICTED else "do not show"
    )
    return ReportWarning(
        code=_CLAIM_CODES[claim.status],
        message=f"The tool calls {verb} a claim of work done.",
        details={"text": claim.text, "kind": claim.kind, "tool_calls": claim.evidence},
    )
