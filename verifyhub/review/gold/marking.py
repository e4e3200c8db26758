"""Mark answers as gold, and retire gold.

A judgement of gold changes nothing but the reviewer's own figures: no item, no memory,
nothing learned. Until it is given, the answer looks to its reviewer like any other
that nobody has decided (`gold_view`).
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import User
from verifyhub.audit.services import record_event
from verifyhub.common.db import update_if
from verifyhub.review.errors import UnchangedError
from verifyhub.review.models import FREE, GoldItem, ReviewItem, Seat
from verifyhub.review.panel import rules_of
from verifyhub.verification import services as verification
from verifyhub.verification.models import Verdict

OPEN = ReviewItem.State.OPEN
# Withheld from programs until then, where gold never expires.
FOR_GOOD = timedelta(days=36_500)
MOST_ROWS = 1000


@transaction.atomic
def mark_gold(
    *, item: ReviewItem, verdict: Verdict, note: str, actor: User, now: datetime
) -> GoldItem:
    """Make an answer gold, by which reviewers are measured from now on.

    Retired gold becomes active again.

    Raises:
        UnchangedError: If it is active gold.
    """
    days = rules_of(item.project_id).gold_days
    expires = now + timedelta(days=days) if days else None
    gold, new = GoldItem.objects.get_or_create(
        item=item,
        defaults={
            "project_id": item.project_id,
            "verdict": verdict,
            "note": note,
            "marked_by": actor,
            "expires_at": expires,
        },
    )
    if not new and not update_if(
        gold,
        expected={"retired_at__isnull": False},
        verdict=verdict,
        note=note,
        marked_by=actor,
        expires_at=expires,
        retired_at=None,
    ):
        raise UnchangedError(_("this answer is already gold"), field="gold")
    _withhold(item, expires or now + FOR_GOOD)
    # An open item would stay in the queue, since nobody can decide gold.
    update_if(item, expected={"state": OPEN}, state=ReviewItem.State.GOLD, **FREE)
    _record(gold, actor, "review.gold_marked", {"verdict": verdict})
    return gold


@transaction.atomic
def retire_gold(*, gold: GoldItem, actor: User, now: datetime) -> GoldItem:
    """Retire gold: it no longer measures reviewers; its results stay.

    Raises:
        UnchangedError: If it is retired already.
    """
    if not update_if(gold, expected={"retired_at": None}, retired_at=now):
        raise UnchangedError(_("this answer is already retired"), field="gold")
    _withhold(gold.item, None)
    Seat.objects.filter(item=gold.item).delete()
    update_if(gold.item, expected={"state": ReviewItem.State.GOLD}, state=OPEN)
    _record(gold, actor, "review.gold_retired", {})
    return gold


@transaction.atomic
def reopen_expired_gold(*, now: datetime) -> int:
    """Return undecided answers that are no longer gold to the queue.

    Returns:
        How many.
    """
    ended = GoldItem.objects.filter(
        expires_at__lte=now, retired_at=None, item__state=ReviewItem.State.GOLD
    ).select_related("item")
    reopened = 0
    for gold in ended[:MOST_ROWS]:
        Seat.objects.filter(item=gold.item).delete()
        expected = {"state": ReviewItem.State.GOLD}
        reopened += update_if(gold.item, expected=expected, state=OPEN)
    return reopened


def _withhold(item: ReviewItem, until: datetime | None) -> None:
    verification.withhold_review(verification=item.verification, until=until)


def _record(gold: GoldItem, actor: User, action: str, after: dict[str, str]) -> None:
    record_event(action, gold, actor, after={"item": str(gold.item_id), **after})
