"""Collect an answer's faults from its claims and layers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifyhub.engine.claim_results import ClaimResult, FactStatus
from verifyhub.engine.layer_results import DetectionResult, LayerName, LayerResult
from verifyhub.engine.reports import Outcome

NO_EVIDENCE = "no_evidence"
# Below this support the best passage is no evidence for a claim.
LITTLE_SUPPORT = 0.05
CONTRADICTED_SCORE = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Faults:
    """Faults of an answer, by kind.

    Attributes:
        layers: Layers that failed with a score, in the order of requirement E.
        contradicted: Positions of claims that a judge found contradicted.
        doubted: Of claims that only local signals contradict.
        ambiguous: Of claims that the evidence disagrees about.
        without_evidence: Of claims for which nothing was found.
        unsupported_facts: How many facts a layer found unsupported.
        few_sources: Whether a layer had too few sources to compare.
        below_floor: Whether the layers together do not pass, though none failed.
    """

    layers: tuple[LayerResult, ...]
    contradicted: tuple[int, ...]
    doubted: tuple[int, ...]
    ambiguous: tuple[int, ...]
    without_evidence: tuple[int, ...]
    unsupported_facts: int
    few_sources: bool
    below_floor: bool

    @property
    def worst(self) -> float | None:
        """The lowest probability among the failures; None without any."""
        scores = [layer.probability for layer in self.layers]
        known = [score for score in scores if score is not None]
        known += [CONTRADICTED_SCORE] * bool(self.contradicted)
        return min(known, default=None)

    @property
    def opposed(self) -> tuple[int, ...]:
        """The positions of claims that any evidence speaks against."""
        return (*self.contradicted, *self.doubted, *self.ambiguous)

    @property
    def failed_facts(self) -> int:
        """The number of facts that failed, by a judge or by a layer."""
        return max(len(self.contradicted), self.unsupported_facts)


def faults_of(
    claims: Sequence[ClaimResult], detection: DetectionResult | None
) -> Faults:
    """Collect the faults in claims and layers."""
    layers = detection.layers if detection else ()
    failed = tuple(
        layer
        for layer in layers
        if layer.outcome is Outcome.FAILED and layer.probability is not None
    )
    facts: list[Mapping[str, Any]] = [
        fact
        for layer in layers
        if layer.layer is LayerName.FACT_DECOMPOSITION
        and layer.outcome is Outcome.FAILED
        for fact in layer.details.get("results", ())
    ]
    return Faults(
        layers=failed,
        contradicted=_places(claims, lambda claim: claim.is_denied),
        doubted=_places(
            claims,
            lambda claim: (
                claim.status is FactStatus.CONTRADICTED and not claim.is_settled
            ),
        ),
        ambiguous=_places(claims, lambda claim: claim.status is FactStatus.AMBIGUOUS),
        without_evidence=_places(claims, _lacks_evidence),
        unsupported_facts=sum(fact.get("supported") is False for fact in facts),
        few_sources=any(
            layer.layer is LayerName.MULTI_SOURCE
            and layer.outcome not in {Outcome.PASSED, Outcome.FAILED}
            and layer.reason.startswith("insufficient")
            for layer in layers
        ),
        below_floor=bool(
            detection and detection.outcome is Outcome.FAILED and not failed
        ),
    )


def _lacks_evidence(claim: ClaimResult) -> bool:
    """Return whether a statement was looked up and nothing speaks to it.

    A judge's UNKNOWN says that; without one a passage without common words does.
    """
    if claim.status is not FactStatus.UNKNOWN:
        return False
    little = claim.support is not None and claim.support < LITTLE_SUPPORT
    return claim.reason == NO_EVIDENCE or claim.is_settled or little


def _places(
    claims: Sequence[ClaimResult], holds: Callable[[ClaimResult], bool]
) -> tuple[int, ...]:
    return tuple(index for index, claim in enumerate(claims) if holds(claim))
