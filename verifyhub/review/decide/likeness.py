"""Find open answers to which the same decision could apply."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from verifyhub.review.decisions import Decision
from verifyhub.review.models import ReviewItem
from verifyhub.review.selectors import report_of
from verifyhub.verification.models import MentionStatus, MentionVerdict, Verification

NAME, CLAIM, REASON = "name", "claim", "reason"


@dataclass(frozen=True, slots=True)
class SimilarItems:
    """One meaning of "like this": its data, its text, and the number of answers.

    `by` is stored with the act whose answers it selects.
    """

    by: Mapping[str, Any]
    words: str
    count: int


def likenesses(run: Verification, decision: Decision) -> list[SimilarItems]:
    """Return the other open answers to which the same decision could apply.

    For a name: answers in which the same name was not found. For a claim: answers of
    the same agent with a claim of the same kind and status. For a verdict: answers of
    the same agent that are in the queue for the same reasons.
    """
    similar = []
    for by, words in _meanings(run, decision):
        others = alike(run.project_id, by).exclude(interaction_id=run.interaction_id)
        if count := others.count():
            similar.append(SimilarItems(by, words, count))
    return similar


def alike(project_id: UUID, by: Mapping[str, Any]) -> QuerySet[ReviewItem]:
    """Return the open items of a project that match a likeness, oldest first."""
    items = ReviewItem.objects.filter(
        project_id=project_id, state=ReviewItem.State.OPEN
    )
    if by["like"] == NAME:
        return items.filter(Exists(_mentions(by))).order_by("created_at", "id")
    items = items.filter(agent_name=by["agent"])
    if by["like"] == CLAIM:
        claim = {"kind": by["kind"], "status": by["status"]}
        items = items.filter(verification__report__completion_claims__contains=[claim])
    else:
        items = items.filter(reason_kinds=by["reasons"], machine_verdict=by["verdict"])
    return items.order_by("created_at", "id")


def decision_for(
    item: ReviewItem, decision: Decision, by: Mapping[str, Any]
) -> Decision | None:
    """Return the decision adapted to another answer; None if it does not apply."""
    data = decision.as_dict()
    if by.get("like") == NAME:
        mention = _mentions(by, item.verification_id).first()
        data["mentions"] = (
            [{**data["mentions"][0], "index": mention.index}] if mention else []
        )
    if by.get("like") == CLAIM:
        claims = report_of(item.verification).completion_claims
        data["claims"] = [
            {**data["claims"][0], "index": index}
            for index, claim in enumerate(claims)
            if (claim.kind, claim.status) == (by["kind"], by["status"])
        ]
    fitted = Decision.from_dict(data)
    return None if fitted.says_nothing else fitted


def _mentions(
    by: Mapping[str, Any], verification_id: Any = None
) -> QuerySet[MentionVerdict]:
    return MentionVerdict.objects.filter(
        verification_id=verification_id or OuterRef("verification_id"),
        kind=by["kind"],
        key=by["key"],
        status=MentionStatus.UNVERIFIED,
        human_status="",
    )


def _meanings(
    run: Verification, decision: Decision
) -> list[tuple[dict[str, Any], str]]:
    agent = run.interaction.agent_name
    if len(decision.mentions) == 1:
        mention = MentionVerdict.objects.filter(
            verification=run, index=decision.mentions[0].index
        ).first()
        if mention is None:
            return []
        by = {"like": NAME, "kind": mention.kind, "key": mention.key}
        return [(by, _("in which the same name was not found"))]
    if len(decision.claims) == 1:
        claims = report_of(run).completion_claims
        if decision.claims[0].index >= len(claims):
            return []
        claim = claims[decision.claims[0].index]
        by = {"like": CLAIM, "agent": agent}
        by |= {"kind": claim.kind, "status": str(claim.status)}
        return [(by, _("of the same agent with the same kind of claim"))]
    item = ReviewItem.objects.filter(verification=run).first()
    if item is None or not decision.settles:
        return []
    by = {"like": REASON, "agent": agent, "verdict": run.verdict}
    by |= {"reasons": item.reason_kinds}  # type: ignore[dict-item]
    return [(by, _("of the same agent, in the queue for the same reasons"))]
