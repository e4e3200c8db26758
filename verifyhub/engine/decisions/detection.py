"""The last step of the cascade: the risk of an answer, and the detection layers.

The risk is always assessed, by rules that cost nothing. Layers run if the project
enables them or a request asks for them, and can only lower a verdict (requirements E).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from verifyhub.engine.decisions.doubt import Asking, Skipped
from verifyhub.engine.decisions.findings import Findings
from verifyhub.engine.decisions.policy import goes_back
from verifyhub.engine.judging.metered import Metered
from verifyhub.engine.layer_results import DetectionResult, LayerName, Risk, RiskLevel
from verifyhub.engine.layers.base import LayerCalibrator, LayerInput, LayerTools
from verifyhub.engine.layers.run import run_layers
from verifyhub.engine.passages import PassageOrigin
from verifyhub.engine.reports import Outcome, ReportWarning
from verifyhub.engine.retrieval.run_passages import passages_of
from verifyhub.engine.risk.assess import assess_risk
from verifyhub.engine.risk.profiles import PROFILES, Profile
from verifyhub.engine.thresholds import Thresholds
from verifyhub.engine.types import Interaction
from verifyhub.engine.warning_codes import WarningCode

# Maximum code points of tool outputs in a layer's context.
MAX_CONTEXT = 20_000
LEVELS = tuple(RiskLevel)
BY_RUN = "run"


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectionInputs:
    """Tools and settings for risk assessment and detection layers.

    Attributes:
        tools: The layers' models and search.
        profiles: Layers, floor, and caps on time and money by level.
        level: A fixed level; None to assess each text.
        calibrators: Calibrations by layer.
        enabled: Layers that the project has not disabled.
        run: Whether the layers run; otherwise only the risk is returned.
        asked: Whether they were requested; then they also run for an answer that is
            sent back anyway.
    """

    tools: LayerTools = field(default_factory=LayerTools)
    profiles: Mapping[RiskLevel, Profile] = field(default_factory=lambda: PROFILES)
    level: RiskLevel | None = None
    calibrators: Mapping[str, LayerCalibrator] = field(default_factory=dict)
    enabled: Collection[LayerName] = tuple(LayerName)
    run: bool = False
    asked: bool = False


def detect(
    interaction: Interaction,
    findings: Findings,
    *,
    inputs: DetectionInputs | None,
    thresholds: Thresholds,
) -> DetectionResult | None:
    """Assess the risk of an answer, and run its layers if requested.

    Args:
        inputs: Models, profiles and calibrations; without them None is returned.
    """
    if inputs is None:
        return None
    skipped = _reason_to_skip(findings, inputs, thresholds)
    # A model is called for the risk only if layers run and no rule decides.
    verifier = inputs.tools.verifier if skipped is None else None
    model = Metered(verifier) if verifier is not None else None
    assessed = assess_risk(
        interaction.answer, interaction.task, model=model, override=inputs.level
    )
    risk = raised(assessed, interaction)
    profile = inputs.profiles[risk.level]
    if skipped is not None:
        return DetectionResult(
            risk=risk,
            outcome=Outcome.SKIPPED,
            confidence=None,
            floor=profile.floor,
            layers=(),
            reason=str(skipped),
        )
    return run_layers(
        subject_of(interaction),
        tools=inputs.tools,
        risk=risk,
        profile=profile,
        calibrators=inputs.calibrators,
        enabled=inputs.enabled,
        spent=model.usages if model else (),
    )


def raised(risk: Risk, interaction: Interaction) -> Risk:
    """Raise a risk to the level in the run's `metadata.risk`, if that is higher.

    A run may only raise it, so that an agent cannot choose a cheaper check.
    """
    stated = (interaction.metadata or {}).get("risk")
    if not isinstance(stated, str) or stated not in set(RiskLevel):
        return risk
    if LEVELS.index(RiskLevel(stated)) <= LEVELS.index(risk.level):
        return risk
    factors = (*risk.factors, f"{risk.by}: {risk.level}")
    return Risk(level=RiskLevel(stated), by=BY_RUN, factors=factors)


def subject_of(interaction: Interaction) -> LayerInput:
    """Return an answer in the form for layers, with sources and tool outputs."""
    sources: dict[str, list[str]] = {}
    context: list[str] = []
    for passage in passages_of(interaction):
        if passage.origin is PassageOrigin.SOURCE:
            sources.setdefault(passage.ref, []).append(passage.text)
        else:
            context.append(passage.text)
    texts = tuple(" ".join(parts) for parts in sources.values())
    return LayerInput(
        text=interaction.answer,
        task=interaction.task,
        context="\n\n".join((*texts, *context))[:MAX_CONTEXT],
        sources=texts,
    )


def with_detection(findings: Findings, detection: DetectionResult | None) -> Findings:
    """Add whether the layers are below the floor; skipped ones do not count."""
    if detection is None or detection.outcome is not Outcome.FAILED:
        return findings
    return replace(findings, below_floor=True)


def detection_warnings(detection: DetectionResult | None) -> Sequence[ReportWarning]:
    """Return warnings about the layers."""
    if detection is None or detection.outcome is not Outcome.FAILED:
        return ()
    return (
        ReportWarning(
            code=WarningCode.LAYERS_BELOW_FLOOR,
            message="The detection layers do not support the answer.",
            details={
                "confidence": detection.confidence,
                "floor": detection.floor,
                "risk": str(detection.risk.level),
                "layers": [
                    str(layer.layer)
                    for layer in detection.layers
                    if layer.outcome is Outcome.FAILED
                ],
            },
        ),
    )


def _reason_to_skip(
    findings: Findings, inputs: DetectionInputs, thresholds: Thresholds
) -> str | None:
    if not inputs.run:
        return Skipped.SWITCHED_OFF
    if inputs.asked:
        return None
    if Asking(thresholds.ask_models) is Asking.NEVER:
        return Skipped.SWITCHED_OFF
    return Skipped.ALREADY_REJECTED if goes_back(findings, thresholds) else None
