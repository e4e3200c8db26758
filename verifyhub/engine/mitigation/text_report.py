"""A verdict object for a text that belongs to no run: claims and layers alone.

Without a trace nothing can be said of names and of work done, so nothing is.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from verifyhub.engine.claim_results import ClaimResult, FactStatus
from verifyhub.engine.decisions.policy import DecisionReason
from verifyhub.engine.layer_results import (
    DetectionResult,
    LayerName,
    LayerResult,
    Risk,
    RiskLevel,
)
from verifyhub.engine.mitigation.choose import choose
from verifyhub.engine.mitigation_results import Mitigation, MitigationAction
from verifyhub.engine.reports import Action, NextStep, Outcome, Verdict
from verifyhub.engine.verdicts import VerificationReport

_REJECTED = frozenset(
    {
        MitigationAction.BLOCK,
        MitigationAction.REGENERATE,
        MitigationAction.DECOMPOSE_AND_RETRY,
    }
)


def text_report(
    claims: Sequence[ClaimResult], detection: DetectionResult | None = None
) -> VerificationReport:
    """Return a report of the claims and layers of a text.

    It is accepted only where every statement of fact was found in the evidence, or the
    layers pass.
    """
    advice = choose(claims=claims, detection=detection)
    factual = [claim for claim in claims if claim.is_factual]
    verified = [claim for claim in factual if claim.status is FactStatus.VERIFIED]
    passed = detection is not None and detection.outcome is Outcome.PASSED
    verdict = Verdict.UNCERTAIN
    if advice is not None and advice.action in _REJECTED:
        verdict = Verdict.REJECT
    elif advice is None and (passed or (factual and len(verified) == len(factual))):
        verdict = Verdict.ACCEPT
    return VerificationReport(
        verdict=verdict,
        confidence=detection.confidence if detection else None,
        claims=tuple(claims),
        decision=_decision(verdict, advice),
        detection=detection,
        mitigation=advice,
    )


def _decision(verdict: Verdict, advice: Mitigation | None) -> NextStep:
    return NextStep(
        action=Action.RETRY if verdict is Verdict.REJECT else Action.ACCEPT,
        reason={
            Verdict.REJECT: DecisionReason.CHECK_FAILED,
            Verdict.UNCERTAIN: DecisionReason.DOUBTS_REMAIN,
            Verdict.ACCEPT: DecisionReason.CHECKS_PASSED,
        }[verdict],
        additional_context=advice.text_for_agent if advice else "",
    )


def failed_detection(failed: Sequence[Mapping[str, Any]]) -> DetectionResult | None:
    """Return the named layers as failed, in a detection; None without any.

    Args:
        failed: Each with `layer` and `score`, and `calibrated` where it is known.
    """
    if not failed:
        return None
    layers = tuple(
        LayerResult(
            layer=LayerName(failure["layer"]),
            outcome=Outcome.FAILED,
            score=failure["score"],
            calibrated=failure.get("calibrated"),
            details=failure.get("details") or {},
        )
        for failure in failed
    )
    return DetectionResult(
        risk=Risk(level=RiskLevel.MEDIUM, by="default"),
        outcome=Outcome.FAILED,
        confidence=None,
        floor=0.0,
        layers=layers,
    )
