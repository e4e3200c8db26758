"""Opinions of models, their cost, and the agent's self-assessment."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from verifyhub.common.prepared import PreparedQuery
from verifyhub.engine.cross_tier.consult import SECOND_NAME
from verifyhub.engine.cross_tier.verifier import NAME
from verifyhub.engine.reports import CheckResult, Outcome
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.review.answer_page.words import CHECK_REASONS, words_for
from verifyhub.verification.models import AwaitedOpinion, Verification

TITLES = {NAME: _("A stronger model"), SECOND_NAME: _("A second model")}
DOUBTS = {
    **CHECK_REASONS,
    "open_claims": _("claims of work without evidence of execution"),
    "low_confidence": _("low confidence"),
    "low_coverage": _("low coverage"),
    "nothing_checked": _("no coverage"),
    "level_open": _("the work report is inconclusive"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class OpinionRow:
    """One verifier's opinion, or why there is none."""

    title: str
    outcome: str
    model: str
    why: str
    reasoning: str
    confidence: float | None
    completeness: float | None
    doubted: list[str]
    overruled: list[str]


_AWAITED = PreparedQuery(lambda run: AwaitedOpinion.objects.filter(verification=run))


def opinions_context(run: Verification, report: VerificationReport) -> dict[str, Any]:
    """Return the context of the models' part in a verdict."""
    signs = report.check("local_signals")
    doubts = signs.details.get("doubts", ()) if signs else ()
    awaited = _AWAITED.first(run=run.pk)
    return {
        "opinions": [
            _opinion(title, check)
            for name, title in TITLES.items()
            if (check := report.check(name))
        ],
        "signs": [words_for(doubt, DOUBTS) for doubt in doubts],
        "pointed_out": [mention for mention in report.mentions if mention.by_model],
        "awaited": awaited,
        "is_awaited": awaited is not None and awaited.state in AwaitedOpinion.WAITING,
        "cost": report.cost,
        "assessment": report.self_assessment,
        "differences": list(_differences(report)),
    }


def _opinion(title: object, check: CheckResult) -> OpinionRow:
    details = check.details
    decided = check.outcome in (Outcome.PASSED, Outcome.FAILED)
    return OpinionRow(
        title=str(title),
        outcome=check.outcome,
        model=details.get("model", ""),
        why=words_for(check.reason, CHECK_REASONS) if check.reason else "",
        reasoning=details.get("reasoning", ""),
        confidence=details.get("confidence") if decided else None,
        completeness=details.get("completeness") if decided else None,
        doubted=details.get("doubted", []),
        overruled=details.get("overruled", []),
    )


def _differences(report: VerificationReport) -> Iterator[dict[str, Any]]:
    """Yield the agent's self-assessment beside the verdict, in whole points."""
    assessment = report.self_assessment
    if assessment is None:
        return
    rows = (
        (_("Confidence"), "confidence", assessment.overconfidence),
        (_("Completeness"), "completeness", assessment.overcompleteness),
    )
    for title, field, above in rows:
        own_score, score = getattr(assessment, field), getattr(report, field)
        if own_score is not None:
            points = None if above is None else round(above * 100)
            yield {"title": title, "own": own_score, "found": score, "points": points}
