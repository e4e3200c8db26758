"""Undo a decision with all its effects."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import ApiKey, User
from verifyhub.audit.services import record_event
from verifyhub.common.db import update_if
from verifyhub.learning import services as learning
from verifyhub.memory import services as memory
from verifyhub.review.decide.announce import announce_reopened, announce_undone
from verifyhub.review.decide.apply import advance
from verifyhub.review.decisions import Reviewer
from verifyhub.review.effect_words import english_effects
from verifyhub.review.errors import (
    ItemChangedError,
    OverrideUndoneError,
    SeveralPeopleError,
)
from verifyhub.review.models import UNDECIDED, Act, Override, ReviewItem
from verifyhub.review.panel import begin_round, may_undo
from verifyhub.review.queue import DECIDED
from verifyhub.verification import services as verification
from verifyhub.verification.models import ClaimVerdict


@transaction.atomic
def undo_override(*, override: Override, actor: Reviewer, version: int) -> Override:
    """Undo an override, not necessarily the latest one.

    After undoing a verdict the item is open again. A mention gets the status of its
    newest remaining override, or else the verification's. Effects on memory,
    constraints and learned examples are undone in this transaction; deleted opinions
    stay deleted.

    Raises:
        OverrideUndoneError: If it was undone before.
        SeveralPeopleError: If several settled the item, and the actor may not alone.
        ItemChangedError: If the item's version has changed.
    """
    if override.undone_at is not None:
        raise OverrideUndoneError(str(override.id))
    _refuse_alone(override.item, actor)
    advance(override.item, version)
    take_back(override, actor)
    if override.act is not None:
        _close(override.act, actor)
    return override


@transaction.atomic
def undo_act(
    *, act: Act, item: ReviewItem, actor: Reviewer, version: int
) -> ReviewItem:
    """Undo all overrides of an act on one answer, the last one first.

    Raises:
        OverrideUndoneError: If all were undone before.
        ItemChangedError: If the item's version has changed.
    """
    _refuse_alone(item, actor)
    advance(item, version)
    active = list(
        act.overrides.filter(item=item, undone_at=None)
        .select_related("mention", "project")
        .order_by("-created_at", "-id")
    )
    if not active:
        raise OverrideUndoneError(str(act.id))
    for override in active:
        override.item = item
        take_back(override, actor)
    _close(act, actor)
    return item


@transaction.atomic
def reopen_item(*, item: ReviewItem, actor: Reviewer, version: int) -> ReviewItem:
    """Undo an agreement: the answer is open again.

    Raises:
        ItemChangedError: If the item is not confirmed, or its version has changed.
    """
    if item.state != ReviewItem.State.CONFIRMED:
        raise ItemChangedError(f"{item.id} is {item.state}, not confirmed")
    agreed = _settling(item)
    if agreed is not None:
        agreed.item = item
        undo_override(override=agreed, actor=actor, version=version)
        return item
    _refuse_alone(item, actor)
    # An agreement from before agreements had rows.
    before = {"state": item.state, "verdict": item.human_verdict}
    advance(item, version, ReviewItem.State.CONFIRMED, **UNDECIDED)
    begin_round(item, actor)
    verification.set_human_verdict(verification=item.verification, verdict="")
    record_event(
        "review.item_reopened", item, actor, before=before, after={"state": item.state}
    )
    announce_reopened(item, actor)
    return item


def _refuse_alone(item: ReviewItem, actor: Reviewer) -> None:
    """Refuse that one of several reviewers undoes their common decision.

    Raises:
        SeveralPeopleError: If several settled it, and the actor may not alone.
    """
    if not may_undo(item, actor):
        raise SeveralPeopleError(
            _("several reviewers decided it; a lead can undo it"), field="item"
        )


def undone_fields(actor: Reviewer) -> dict[str, Any]:
    """Return the fields for when and by whom a row is undone."""
    who = "undone_by_key" if isinstance(actor, ApiKey) else "undone_by"
    return {"undone_at": timezone.now(), who: actor}


def take_back(override: Override, actor: Reviewer) -> None:
    """Undo one statement; the caller has locked the item and checked permissions."""
    item = override.item
    reopens = override.target in Override.SETTLING and _settling(item) == override
    if not update_if(override, expected={"undone_at": None}, **undone_fields(actor)):
        raise OverrideUndoneError(str(override.id))
    if reopens:
        update_if(item, expected={}, **UNDECIDED)
        begin_round(item, actor)
        verification.set_human_verdict(verification=item.verification, verdict="")
    if override.mention is not None:
        status = _newest(override.mention.overrides.filter(undone_at=None))
        verification.set_human_status(mention=override.mention, status=status)
    if override.target == Override.Target.FACT:
        _restore_fact(override)
    undone: list[Any] = [*memory.undo_effects(effects=override.effects, actor=actor)]
    person = actor if isinstance(actor, User) else None
    undone += learning.undo_effects(effects=override.effects, actor=person)
    agreed = override.target == Override.Target.AGREEMENT
    record_event(
        "review.item_reopened" if agreed else "review.override_undone",
        item,
        actor,
        before={"value": override.after, "override": str(override.id)},
        after={"value": override.before, "effects": english_effects(undone)},
    )
    announce_undone(override, actor, undone)


def _settling(item: ReviewItem) -> Override | None:
    """Return the current override that decides the whole item; None if it is open."""
    if item.state not in DECIDED:
        return None
    return (
        item.overrides.filter(target__in=Override.SETTLING, undone_at=None)
        .select_related("act", "project")
        .order_by("-created_at", "-id")
        .first()
    )


def _close(act: Act, actor: Reviewer) -> None:
    """Mark an act on one answer as undone, once all its overrides are."""
    active = act.overrides.filter(undone_at=None)
    if act.kind == Act.Kind.SINGLE and not active.exists():
        changes = {"state": Act.State.UNDONE, **undone_fields(actor)}
        update_if(act, expected={"undone_at": None}, **changes)


def _restore_fact(override: Override) -> None:
    """Set a claim of fact to its newest remaining override, if there is one."""
    index = override.subject.get("index")
    row = ClaimVerdict.objects.filter(
        verification=override.item.verification, index=index
    ).first()
    if row is not None:
        active = override.item.overrides.filter(
            target=Override.Target.FACT, undone_at=None, subject__index=index
        )
        verification.set_human_claim(claim=row, status=_newest(active))


def _newest(overrides: QuerySet[Override]) -> str:
    """Return the status that the newest of some overrides gave; empty without any."""
    latest = overrides.order_by("-created_at", "-id").first()
    return latest.after if latest else ""
