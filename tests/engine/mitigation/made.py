"""Claims and layers as checks leave them, with dull defaults."""

from typing import Any

from verifyhub.engine.claim_results import (
    Claim,
    ClaimEvidence,
    ClaimResult,
    FactStatus,
    JudgedBy,
)
from verifyhub.engine.layer_results import (
    DetectionResult,
    LayerName,
    LayerResult,
    Risk,
    RiskLevel,
)
from verifyhub.engine.passages import Passage, PassageOrigin
from verifyhub.engine.reports import Outcome

PASSAGE = "The tower was finished in 1889."


def a_claim(
    status: FactStatus = FactStatus.CONTRADICTED,
    judged_by: JudgedBy = JudgedBy.MODEL,
    *,
    text: str = "The tower was finished in 1899.",
    language: str = "en",
    **fields: Any,
) -> ClaimResult:
    evidence = ClaimEvidence.of(
        passage=Passage(
            id="p-1",
            origin=PassageOrigin.SOURCE,
            ref="0",
            text=PASSAGE,
            span=(0, len(PASSAGE)),
        ),
        span=(0, len(PASSAGE)),
    )
    return ClaimResult.of(
        claim=Claim(text=text, span=(0, len(text)), language=language),
        status=status,
        judged_by=judged_by,
        evidence=None if status is FactStatus.UNKNOWN else evidence,
        **fields,
    )


def an_unknown(reason: str = "no_evidence") -> ClaimResult:
    return a_claim(FactStatus.UNKNOWN, JudgedBy.NOBODY, reason=reason)


def a_layer(
    score: float | None,
    layer: LayerName = LayerName.NLI,
    outcome: Outcome = Outcome.FAILED,
    **fields: Any,
) -> LayerResult:
    return LayerResult(layer=layer, outcome=outcome, score=score, **fields)


def found(*layers: LayerResult, outcome: Outcome = Outcome.FAILED) -> DetectionResult:
    return DetectionResult(
        risk=Risk(level=RiskLevel.MEDIUM, by="default"),
        outcome=outcome,
        confidence=0.5,
        floor=0.8,
        layers=layers,
    )
