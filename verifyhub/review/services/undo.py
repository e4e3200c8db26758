"""Take a decision back, with all that followed from it."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from verifyhub.accounts.models import User
from verifyhub.audit.services import record_event
from verifyhub.common.db import update_if
from verifyhub.memory import services as memory
from verifyhub.review.models import Override, ReviewItem
from verifyhub.review.services.decide import advance
from verifyhub.review.services.errors import ItemChangedError, OverrideUndoneError
from verifyhub.verification import services as verification
from verifyhub.verification.models import MentionVerdict

REOPENED = {
    "state": ReviewItem.State.OPEN,
    "human_verdict": "",
    "resolved_by": None,
    "resolved_at": None,
}


@transaction.atomic
def undo_override(*, override: Override, actor: User, version: int) -> Override:
    """Undo an override: the latest one, or any before it.

    A verdict goes back into the queue. A mention has the status of the newest
    override of it that still stands, else the machine's. Memory and constraints lose
    what the override gave them, in this transaction.

    Raises:
        OverrideUndoneError: If it was undone before.
        ItemChangedError: If the item is another version by now.
    """
    item = override.item
    of_verdict = override.target == Override.Target.VERDICT
    if override.undone_at is not None:
        raise OverrideUndoneError(str(override.id))
    advance(item, version, **(REOPENED if of_verdict else {}))
    if of_verdict:
        verification.set_human_verdict(verification=item.verification, verdict="")
    if not update_if(
        override,
        expected={"undone_at": None},
        undone_at=timezone.now(),
        undone_by=actor,
    ):
        raise OverrideUndoneError(str(override.id))
    if override.mention is not None:
        _restore(override.mention)
    undone = memory.undo_effects(effects=override.effects, actor=actor)
    record_event(
        project_id=override.project_id,
        actor=actor,
        action="review.override_undone",
        obj=item,
        before={"value": override.after, "override": str(override.id)},
        after={"value": override.before, "effects": _texts(undone)},
    )
    return override


@transaction.atomic
def reopen_item(*, item: ReviewItem, actor: User, version: int) -> ReviewItem:
    """Take an agreement back: the answer waits for a decision again.

    Raises:
        ItemChangedError: If the item is not confirmed, or another version by now.
    """
    if item.state != ReviewItem.State.CONFIRMED:
        raise ItemChangedError(f"{item.id} is {item.state}, not confirmed")
    before = {"state": item.state, "verdict": item.human_verdict}
    advance(item, version, ReviewItem.State.CONFIRMED, **REOPENED)
    verification.set_human_verdict(verification=item.verification, verdict="")
    record_event(
        project_id=item.project_id,
        actor=actor,
        action="review.item_reopened",
        obj=item,
        before=before,
        after={"state": item.state},
    )
    return item


def _restore(mention: MentionVerdict) -> None:
    standing = (
        mention.overrides.filter(undone_at=None).order_by("-created_at", "-id").first()
    )
    status = standing.after if standing else ""
    verification.set_human_status(mention=mention, status=status)


def _texts(effects: list[Any]) -> list[str]:
    return [str(effect.get("text", "")) for effect in effects]
