"""The parts of a report as columns and rows, for those who write it."""

from collections.abc import Mapping, Sequence
from typing import Any

from verifyhub.common.inserting import insert
from verifyhub.verification.models import (
    ClaimVerdict,
    MentionStatus,
    MentionVerdict,
    Verification,
)

MAX_REASON = 60
ROWS_PER_INSERT = 500


def columns_of(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of a verification that repeat parts of its report."""
    mentions = report["mentions"]
    own = report.get("self_assessment") or {}
    return {
        "report": report,
        "verdict": report["verdict"],
        "confidence": report["confidence"],
        "coverage": report["coverage"],
        "completeness": report["completeness"],
        "self_confidence": own.get("confidence"),
        "action": report["decision"]["action"],
        "mention_count": len(mentions),
        "unverified_count": sum(
            1 for mention in mentions if mention["status"] == MentionStatus.UNVERIFIED
        ),
    }


def write_mentions(
    verification: Verification,
    mentions: Sequence[Mapping[str, Any]],
    *,
    start: int = 0,
) -> None:
    """Write the mentions of a report from one position on."""
    rows = [
        _mention(verification, index, mention)
        for index, mention in enumerate(mentions)
        if index >= start
    ]
    for first in range(0, len(rows), ROWS_PER_INSERT):
        insert(rows[first : first + ROWS_PER_INSERT])


def write_claims(
    verification: Verification, claims: Sequence[Mapping[str, Any]]
) -> None:
    """Write the claims of fact of a verification's first report."""
    ClaimVerdict.objects.bulk_create(
        [_claim(verification, index, claim) for index, claim in enumerate(claims)],
        batch_size=ROWS_PER_INSERT,
    )


def replace_claims(
    verification: Verification, claims: Sequence[Mapping[str, Any]]
) -> None:
    """Write the claims of fact of a report in place of those that were there.

    What people said of a claim stays with the one of the same text and place.
    """
    held = {
        (row.text, row.start, row.end): row.human_status
        for row in verification.claims.exclude(human_status="")
    }
    verification.claims.all().delete()
    rows = [_claim(verification, index, claim) for index, claim in enumerate(claims)]
    for row in rows:
        row.human_status = held.get((row.text, row.start, row.end), "")
    ClaimVerdict.objects.bulk_create(rows, batch_size=ROWS_PER_INSERT)


def _claim(
    verification: Verification, index: int, claim: Mapping[str, Any]
) -> ClaimVerdict:
    return ClaimVerdict(
        project_id=verification.project_id,
        verification=verification,
        index=index,
        text=claim["text"],
        start=claim["span"][0],
        end=claim["span"][1],
        kind=claim["kind"],
        status=claim["status"],
        judged_by=claim["judged_by"],
        reason=claim["reason"][:MAX_REASON],
        confidence=claim["confidence"],
        support=claim["support"],
        evidence=claim["evidence"],
        contradicting=claim["contradicting"],
    )


def _mention(
    verification: Verification, index: int, mention: Mapping[str, Any]
) -> MentionVerdict:
    return MentionVerdict(
        project_id=verification.project_id,
        verification=verification,
        index=index,
        text=mention["text"],
        kind=mention["kind"],
        key=mention["key"][: MentionVerdict.MAX_KEY],
        status=mention["status"],
        reason=mention["reason"],
        grade=mention["grade"] or "",
        suggestion=mention.get("suggestion") or "",
    )
