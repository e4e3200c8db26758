"""Decisions about gold: preview, store for metrics, undo.

They are not applied, and look like any other decision to the reviewer (ADR 0031).
Functions return None if an item is not gold for the reviewer.
"""

from uuid import UUID

from django.utils import timezone

from verifyhub.accounts.models import User
from verifyhub.ingest.models import Interaction
from verifyhub.review.decide.apply import DecisionResult
from verifyhub.review.decide.preview import rehearse_decision, taken_back
from verifyhub.review.decide.undo import take_back, undo_override
from verifyhub.review.decisions import Decision, Reviewer
from verifyhub.review.errors import ItemChangedError
from verifyhub.review.gold import (
    answer_of,
    gold_for,
    gold_statement,
    judge_gold,
    undo_gold,
)
from verifyhub.review.models import FREE, Judgement, Override, ReviewItem, ReviewRules
from verifyhub.review.panel import wanted_for
from verifyhub.review.queue import Holder, release_item
from verifyhub.verification.models import MentionVerdict


def judge_gold_item(
    item: ReviewItem,
    rules: ReviewRules,
    decision: Decision,
    reviewer: Reviewer,
    seconds: int | None,
) -> DecisionResult | None:
    """Store a decision about gold for its reviewer's metrics; raises like `judge`."""
    if not isinstance(reviewer, User):
        return None
    gold = gold_for(item, reviewer, timezone.now())
    if gold is None:
        return None
    rehearsed = rehearse_gold(item, decision, reviewer)
    if decision.settles:
        release_item(item=item, holder=Holder(user=reviewer))
    judgement = judge_gold(gold, decision, reviewer, seconds, rehearsed)
    is_single = wanted_for(item, rules) < 2
    return DecisionResult(judgement=judgement, rehearsed=rehearsed if is_single else [])


def foresee_gold_item(
    item: ReviewItem, decision: Decision, reviewer: Reviewer
) -> list[Override] | None:
    """Return the apparent effects of a decision about gold; raises like `judge`."""
    if isinstance(reviewer, User) and gold_for(item, reviewer, timezone.now()):
        return rehearse_gold(item, decision, reviewer)
    return None


def statement_of(
    interaction: Interaction, statement: UUID, viewer: User
) -> Override | Judgement | None:
    """Return the decision with an id about an answer.

    For gold this is the viewer's judgement that contains it.
    """
    overrides = Override.objects.select_related(
        "item", "mention", "project", "act"
    ).filter(
        project_id=interaction.project_id, id=statement, item__interaction=interaction
    )
    return gold_statement(interaction, statement, viewer) or overrides.first()


def undo_statement(
    *, decided: Override | Judgement, statement: UUID, actor: User, version: int
) -> None:
    """Undo the result of `statement_of`.

    Raises:
        ReviewError: As `undo_override` and `undo_gold` do.
    """
    if isinstance(decided, Judgement):
        undo_gold(judgement=decided, statement=statement, actor=actor)
    else:
        undo_override(override=decided, actor=actor, version=version)


def rehearse_gold(
    item: ReviewItem, decision: Decision, reviewer: User
) -> list[Override]:
    """Return the effects that a decision would have if the answer were undecided.

    Raises:
        ItemChangedError: If the reviewer has already given a verdict.
        ReviewError: As `apply_decision` raises it.
    """
    own = answer_of(item, reviewer)
    if own is not None and own.state == Judgement.State.GIVEN and decision.settles:
        raise ItemChangedError(f"{item.pk} is judged")
    with taken_back():
        _forget(item, reviewer, own)
        return rehearse_decision(item, decision, reviewer)


def _forget(item: ReviewItem, reviewer: User, own: Judgement | None) -> None:
    """Undo others' decisions, and apply the reviewer's marks so far."""
    fresh = ReviewItem.objects.select_related("verification", "project").get(pk=item.pk)
    active = fresh.overrides.filter(undone_at=None).select_related("mention", "project")
    for override in active.order_by("-created_at", "-id"):
        override.item = fresh
        take_back(override, reviewer)
    ReviewItem.objects.filter(pk=item.pk).update(state=ReviewItem.State.OPEN, **FREE)
    marks = MentionVerdict.objects.filter(verification=item.verification_id)
    marks.update(human_status="")
    for flip in Decision.from_dict(own.decision).mentions if own else ():
        marks.filter(index=flip.index).update(human_status=flip.status)
