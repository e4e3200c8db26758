"""Leases of items that several people may hold at the same time (ADR 0027).

If several people judge an item, all but the last have a seat of their own, and the item
stays free for the next one; the last has the item's lease, so that it is no longer
free. Gold is handed out on seats only.
"""

from datetime import datetime
from uuid import UUID, uuid4

from django.db.models import QuerySet

from verifyhub.accounts.models import User
from verifyhub.review.gold import is_handed
from verifyhub.review.models import ReviewItem, ReviewRules, Seat
from verifyhub.review.panel import given_judgements, wanted_for


def sit_down(
    item: ReviewItem,
    user: User,
    *,
    now: datetime,
    until: datetime,
    rules: ReviewRules,
) -> Seat | None:
    """Give a reviewer a seat at an item; the caller has locked the item's row.

    Expired seats are deleted.

    Returns:
        The seat; None if only the item's own lease is left.
    """
    if not is_handed(item.pk, user, now) and places(item, user, now, rules) < 2:
        return None
    Seat.objects.filter(item=item, until__lte=now).exclude(user=user).delete()
    seat, _new = Seat.objects.update_or_create(
        item=item,
        user=user,
        defaults={"project_id": item.project_id, "token": uuid4(), "until": until},
    )
    return seat


def seats_of(user: User, project_id: UUID, now: datetime) -> QuerySet[Seat]:
    """Return the seats that a reviewer has now."""
    return Seat.objects.filter(project_id=project_id, user=user, until__gt=now)


def clear_seats(item: ReviewItem) -> None:
    """Delete all seats: the item is decided, or is no longer gold."""
    Seat.objects.filter(item=item).delete()


def is_open_to(item: ReviewItem, user: User, now: datetime) -> bool:
    """Whether an item is open to a reviewer: it is open, or it is their gold."""
    return item.state == ReviewItem.State.OPEN or is_handed(item.pk, user, now)


def places(item: ReviewItem, user: User, now: datetime, rules: ReviewRules) -> int:
    """Count the places at an open item that no other reviewer has, with its lease."""
    reviews = wanted_for(item, rules)
    if reviews < 2:
        return reviews
    seats = Seat.objects.filter(item=item, until__gt=now).exclude(user=user).count()
    return reviews - given_judgements(item).count() - seats
