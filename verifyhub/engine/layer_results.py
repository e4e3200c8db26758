"""Results of detection layers for one text (requirements E)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from verifyhub.common.contract import Seconds, Share, StoredModel
from verifyhub.engine.ports import Cost
from verifyhub.engine.reports import CheckResult, Outcome

UNCALIBRATED = "uncalibrated"
# Reasons of a whole result.
COST_UNKNOWN, EMPTY_TEXT = "cost_unknown", "empty_text"
_NO_COST = Cost()


class LayerName(StrEnum):
    """The five layers, in the order of requirement E."""

    SEMANTIC_ENTROPY = "semantic_entropy"
    FACT_DECOMPOSITION = "fact_decomposition"
    MULTI_SOURCE = "multi_source"
    SELF_CONSISTENCY = "self_consistency"
    NLI = "nli"


class RiskLevel(StrEnum):
    """The level of harm that a wrong text could do, lowest first."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


@dataclass(frozen=True, slots=True, kw_only=True)
class Risk(StoredModel):
    """How much harm a wrong text could do, and why."""

    level: RiskLevel
    by: str
    """`rules`, `model`, `override`, `run` or `default`."""
    factors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerResult(StoredModel):
    """One layer's outcome."""

    layer: LayerName
    outcome: Outcome
    """Skipped and inconclusive layers have no score and are excluded from means."""
    score: Share | None = None
    """Raw score; higher means better grounded."""
    calibrated: Share | None = None
    """Probability that the text is correct, by the active calibration; null without
    one."""
    calibration: str = UNCALIBRATED
    """Version of the calibration, or `uncalibrated`."""
    reason: str = ""
    """Stable code: why it was skipped, or how it failed."""
    cost: Cost = _NO_COST
    latency_seconds: Seconds = 0.0
    details: Mapping[str, Any] = field(default_factory=dict)
    """Details of the result."""

    @property
    def probability(self) -> float | None:
        """The calibrated score where there is one, else the raw one."""
        return self.score if self.calibrated is None else self.calibrated

    def as_check(self) -> CheckResult:
        """The layer as a check of the report: the raw score, the rest as details."""
        return CheckResult(
            name=str(self.layer),
            outcome=self.outcome,
            score=self.score,
            reason=self.reason,
            details={
                "calibrated": self.calibrated,
                "calibration": self.calibration,
                "latency_seconds": round(self.latency_seconds, 3),
                **self.details,
            },
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectionResult(StoredModel):
    """The layers of one text, and whether it passes its risk profile."""

    risk: Risk
    outcome: Outcome
    """`failed` if a layer failed or the confidence is below the floor; `passed` if
    every applicable layer has a score and none failed; otherwise `inconclusive`."""
    confidence: Share | None
    """Mean score of the layers with a score."""
    floor: Share
    """The minimum confidence of the profile."""
    layers: tuple[LayerResult, ...]
    """All layers of the profile, whether they ran or not."""
    calibrated: bool = False
    """Whether all scores in the mean are calibrated."""
    cost: Cost = _NO_COST
    latency_seconds: Seconds = 0.0
    stopped_by: Annotated[
        str, Field(json_schema_extra={"enum": ["", "cost", "latency", "calls"]})
    ] = ""
    """The limit that stopped a layer."""
    reason: str = ""
    """Why no layer ran; `cost_unknown` if a call had no known price, so the cost limit
    could not be enforced."""
