"""One verifier's opinion, or two and whether they agree (A16, dual-model mode)."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from verifyhub.engine.cross_tier.verifier import NAME, CrossTierOpinion, ask_verifier
from verifyhub.engine.judging.examples import Example
from verifyhub.engine.judging.metered import Metered
from verifyhub.engine.ledger.summary import RunSummary
from verifyhub.engine.ports import Model, ModelUsage
from verifyhub.engine.reports import CheckResult, MentionResult, ReportWarning
from verifyhub.engine.thresholds import Thresholds
from verifyhub.engine.types import Interaction
from verifyhub.engine.warning_codes import WarningCode

SECOND_NAME = "cross_tier_second"


@dataclass(frozen=True, slots=True, kw_only=True)
class Consultation:
    """The verifiers' combined opinion: the lower of each score, and all other findings.

    Attributes:
        added: Names to be looked up; no check has looked for them yet.
        contradictions: What they call a contradiction, in their words.
        disagreed: Whether two judge the answer, or a name, differently.
        misled: Whether one judged a control name wrongly.
        usages: What each call took.
    """

    checks: tuple[CheckResult, ...]
    confidence: float | None = None
    completeness: float | None = None
    gaps: tuple[str, ...] = ()
    warnings: tuple[ReportWarning, ...] = ()
    added: tuple[str, ...] = ()
    contradictions: tuple[str, ...] = ()
    disagreed: bool = False
    misled: bool = False
    usages: tuple[ModelUsage, ...] = ()


def consult(
    interaction: Interaction,
    mentions: Sequence[MentionResult],
    summary: RunSummary,
    *,
    models: Sequence[Model],
    thresholds: Thresholds,
    rng: random.Random,
    examples: Sequence[Example] = (),
) -> Consultation:
    """Ask one verifier or two, each without knowing of the other.

    Args:
        mentions: What the ledger settled.
        models: The verifier, and a second one in dual-model mode.
        thresholds: Gives the confidence at which opinions part.
        rng: Where nonces and control names come from.
        examples: What people decided of like answers.
    """
    metered = [Metered(model) for model in models]
    opinions = [
        ask_verifier(
            interaction,
            mentions,
            summary,
            model=model,
            rng=rng,
            name=name,
            examples=examples,
        )
        for model, name in zip(metered, (NAME, SECOND_NAME), strict=False)
    ]
    disagreements = disagreement(opinions, thresholds)
    return Consultation(
        checks=tuple(opinion.check for opinion in opinions),
        confidence=_least([opinion.confidence for opinion in opinions]),
        completeness=_least([opinion.completeness for opinion in opinions]),
        gaps=_once([gap for opinion in opinions for gap in opinion.gaps]),
        warnings=(
            *(w for opinion in opinions for w in opinion.warnings),
            *disagreements,
        ),
        added=_once([name for opinion in opinions for name in opinion.added]),
        contradictions=_once(
            [text for opinion in opinions for text in opinion.contradictions]
        ),
        disagreed=bool(disagreements),
        misled=any(opinion.misled for opinion in opinions),
        usages=tuple(usage for model in metered for usage in model.usages),
    )


def disagreement(
    opinions: Sequence[CrossTierOpinion], thresholds: Thresholds
) -> tuple[ReportWarning, ...]:
    """Return a warning where two verifiers judge the answer or a name differently.

    They differ on the answer where one passes it and the other does not, or where
    their confidence lies on either side of the project's cut-off. An opinion that is
    missing does not disagree.
    """
    if len(opinions) < 2 or not all(opinion.decided for opinion in opinions):
        return ()
    first, second = opinions
    line = thresholds.uncertain_below_confidence
    unsure = [(opinion.confidence or 0.0) < line for opinion in opinions]
    answer = first.check.outcome != second.check.outcome or unsure[0] != unsure[1]
    names = sorted(
        name
        for name in first.judged.keys() & second.judged.keys()
        if first.judged[name] != second.judged[name]
    )
    if not answer and not names:
        return ()
    return (
        ReportWarning(
            code=WarningCode.VERIFIERS_DISAGREE,
            message="Two verifiers judge this answer differently.",
            details={"answer": answer, "names": names},
        ),
    )


def _least(shares: Sequence[float | None]) -> float | None:
    return min((share for share in shares if share is not None), default=None)


def _once(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))
