"""What models said of an answer, what that took, and what the agent says of itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from verifyhub.engine.cross_tier.consult import SECOND_NAME
from verifyhub.engine.cross_tier.verifier import NAME
from verifyhub.engine.reports import Outcome
from verifyhub.review.answer_page.words import CHECK_REASONS, words_for
from verifyhub.verification.models import AwaitedOpinion, Verification

TITLES = {NAME: _("A stronger model"), SECOND_NAME: _("A second model")}
DOUBTS = {
    "unverified_names": _("names without evidence"),
    "open_claims": _("claims of work that are not shown"),
    "low_confidence": _("low confidence"),
    "low_coverage": _("little of it could be checked"),
    "nothing_checked": _("nothing could be checked"),
    "level_open": _("the account of the work is not settled"),
    "no_tool_calls": _("no tool was called"),
    "overconfident": _("the agent is much surer than the evidence"),
    "poor_record": _("most earlier answers of the agent did not stand up"),
    "own_gaps": _("the agent itself names gaps"),
    "judge_addressed": _("a text may talk to the judges"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
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


def opinions_context(run: Verification, report: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the answer page shows of the models' part in a verdict."""
    checks = {check["name"]: check for check in report.get("checks", ())}
    signs = checks.get("local_signals", {}).get("details", {})
    awaited = AwaitedOpinion.objects.filter(verification=run).first()
    own = report.get("self_assessment")
    return {
        "opinions": [
            _opinion(title, checks[name])
            for name, title in TITLES.items()
            if name in checks
        ],
        "signs": [words_for(doubt, DOUBTS) for doubt in signs.get("doubts", ())],
        "pointed_out": [
            mention for mention in report["mentions"] if mention.get("by") == "model"
        ],
        "awaited": awaited,
        "is_awaited": awaited is not None and awaited.state in AwaitedOpinion.WAITING,
        "cost": report.get("cost"),
        "assessment": own,
        "differences": _differences(own, report) if own else [],
    }


def _opinion(title: object, check: Mapping[str, Any]) -> Opinion:
    details = check["details"]
    decided = check["outcome"] in (Outcome.PASSED, Outcome.FAILED)
    return Opinion(
        title=str(title),
        outcome=check["outcome"],
        model=details.get("model", ""),
        why=words_for(check["reason"], CHECK_REASONS) if check["reason"] else "",
        reasoning=details.get("reasoning", ""),
        confidence=details.get("confidence") if decided else None,
        completeness=details.get("completeness") if decided else None,
        doubted=details.get("doubted", []),
        overruled=details.get("overruled", []),
    )


def _differences(
    own: Mapping[str, Any], report: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Set what the agent says of itself beside the verdict, in whole points."""
    rows = (
        (_("Confidence"), "confidence", "overconfidence"),
        (_("Completeness"), "completeness", "overcompleteness"),
    )
    return [
        {
            "title": title,
            "own": own[name],
            "found": report[name],
            "points": None if own[by] is None else round(own[by] * 100),
        }
        for title, name, by in rows
        if own[name] is not None
    ]
