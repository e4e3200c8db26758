"""Write the parts of a report as columns and rows."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from verifyhub.common.row_writes import insert
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.verification.models import ClaimVerdict, MentionVerdict, Verification
from verifyhub.verification.steps import FinishedVerification

MAX_REASON = 60
ROWS_PER_INSERT = 500


def columns_of(report: VerificationReport) -> dict[str, Any]:
    """Return the columns of a verification that repeat parts of its report."""
    mentions = report.mentions
    own = report.self_assessment
    return {
        "report": report,
        "verdict": report.verdict,
        "confidence": report.confidence,
        "coverage": report.coverage,
        "completeness": report.completeness,
        "self_confidence": own.confidence if own else None,
        "action": report.decision.action,
        "mention_count": len(mentions),
        "unverified_count": sum(not mention.is_verified for mention in mentions),
    }


def write_mentions(finished: Sequence[FinishedVerification]) -> None:
    """Insert the mentions of reports; an amended report has the same mentions."""
    rows = [
        MentionVerdict(
            project_id=completed.verification.project_id,
            verification=completed.verification,
            index=index,
            text=mention.text,
            kind=mention.kind,
            key=mention.key[: MentionVerdict.MAX_KEY],
            status=mention.status,
            reason=mention.reason,
            grade=mention.grade or "",
            suggestion=mention.suggestion or "",
        )
        for completed in finished
        for index, mention in enumerate(completed.report.mentions)
        if index >= (len(completed.before.mentions) if completed.before else 0)
    ]
    _insert(rows)


def write_claims(finished: Sequence[FinishedVerification]) -> None:
    """Write the claims of fact of reports, replacing those of an amended report.

    People's decisions stay with the claim of the same text and position.
    """
    amended = [completed.verification for completed in finished if completed.before]
    decided = _take_decided(amended) if amended else {}
    rows = [
        ClaimVerdict(
            project_id=completed.verification.project_id,
            verification=completed.verification,
            index=index,
            text=claim.text,
            start=claim.span[0],
            end=claim.span[1],
            kind=claim.kind,
            status=claim.status,
            judged_by=claim.judged_by,
            reason=claim.reason[:MAX_REASON],
            confidence=claim.confidence,
            support=claim.support,
            evidence=claim.evidence.as_dict() if claim.evidence else None,
            contradicting=[passage.as_dict() for passage in claim.contradicting],
        )
        for completed in finished
        for index, claim in enumerate(completed.report.claims)
    ]
    for row in rows:
        place = (row.verification_id, row.text, row.start, row.end)
        row.human_status = decided.get(place, "")
    _insert(rows)


def _take_decided(
    amended: Sequence[Verification],
) -> dict[tuple[UUID, str, int, int], str]:
    """Delete the claims of earlier reports; return people's decisions on them."""
    earlier = ClaimVerdict.objects.filter(verification__in=amended)
    decided = {
        (row.verification_id, row.text, row.start, row.end): row.human_status
        for row in earlier.exclude(human_status="")
    }
    earlier.delete()
    return decided


def _insert(rows: Sequence[MentionVerdict | ClaimVerdict]) -> None:
    for first in range(0, len(rows), ROWS_PER_INSERT):
        insert(rows[first : first + ROWS_PER_INSERT])


def set_human_verdict(*, verification: Verification, verdict: str) -> None:
    """Store a person's verdict; an empty one removes it.

    The caller's transaction also holds the decision itself and its audit event.
    """
    verification.human_verdict = verdict
    verification.save(update_fields=["human_verdict"])


def withhold_review(*, verification: Verification, until: datetime | None) -> None:
    """Withhold people's decisions on a verdict from programs until a time (aware)."""
    verification.review_withheld_until = until
    verification.save(update_fields=["review_withheld_until"])


def set_human_status(*, mention: MentionVerdict, status: str) -> None:
    """Store a person's status of a name; an empty one removes it.

    The caller's transaction also holds the decision itself and its audit event.
    """
    mention.human_status = status
    mention.save(update_fields=["human_status"])


def set_human_claim(*, claim: ClaimVerdict, status: str) -> None:
    """Store a person's status of a claim of fact; an empty one removes it.

    The caller's transaction also holds the decision itself and its audit event.
    """
    claim.human_status = status
    claim.save(update_fields=["human_status"])
