"""Claims of fact, put into a verdict as the engine writes them."""

from typing import Any

from verifyhub.engine.claim_results import (
    Claim,
    ClaimEvidence,
    ClaimResult,
    FactStatus,
    JudgedBy,
)
from verifyhub.engine.passages import Passage, PassageOrigin
from verifyhub.review.models import ReviewItem
from verifyhub.verification.services.results import write_claims
from verifyhub.verification.steps import FinishedVerification

SOURCE = "Shop manual. The tax is 19 percent since 2007. It is added at the end."


def a_passage(deciding: str, text: str = SOURCE) -> ClaimEvidence:
    start = text.index(deciding)
    return ClaimEvidence.of(
        passage=Passage(
            id="source:0",
            origin=PassageOrigin.SOURCE,
            ref="0",
            text=text,
            span=(0, len(text)),
            title="Manual",
        ),
        span=(start, start + len(deciding)),
    )


def a_fact(answer: str, text: str, **changes: Any) -> ClaimResult:
    start = answer.index(text)
    values: dict[str, Any] = {
        "claim": Claim(text=text, span=(start, start + len(text))),
        "status": FactStatus.VERIFIED,
        "judged_by": JudgedBy.MODEL,
        "reason": "judged",
        "confidence": 0.9,
        "support": 0.8,
        "evidence": a_passage("19 percent"),
    }
    return ClaimResult.of(**values | changes)


def with_facts(item: ReviewItem, *facts: ClaimResult) -> ReviewItem:
    """Let the verdict of an item hold claims of fact."""
    run = item.verification
    claims = [fact.as_dict() for fact in facts]
    run.report = {**(run.report or {}), "claims": claims}
    run.save(update_fields=["report"])
    finished = FinishedVerification(
        run.interaction, run.id, run.verdict_object, verification=run, attempt=1
    )
    write_claims([finished])
    return item
