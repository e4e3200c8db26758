"""Leases of items (ADR 0023); several people may hold one on `seats` (ADR 0027).

One statement that skips locked rows takes a lease, so concurrent requests get different
items. It expires by itself; its last holder may still decide unless another reviewer
takes the item. Leases are not audited: they last for minutes, and every heartbeat would
be a permanent event.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from verifyhub.accounts.models import ApiKey, User
from verifyhub.audit.services import record_event
from verifyhub.review.errors import HeldByOtherError, ItemChangedError
from verifyhub.review.gold import is_handed, may_hand_gold, seed_gold
from verifyhub.review.models import FREE, ReviewItem, Seat
from verifyhub.review.panel import rules_of
from verifyhub.review.queue.filters import (
    Items,
    candidates,
    filtered,
    in_window,
    matching,
    ordered,
    searched,
    without_put_off,
)
from verifyhub.review.queue.items import hold_item
from verifyhub.review.queue.seats import clear_seats, places, seats_of, sit_down
from verifyhub.review.queue.selectors import queue_settings

# A reviewer who leaves a page may have reloaded it, or come back.
LEAVING_SECONDS = 30

# Selected once: PostgreSQL may execute a subquery again for every row.
TAKE = """
WITH picked AS MATERIALIZED ({candidates})
UPDATE review_reviewitem
SET lease_holder_id = %s, lease_key_id = %s, lease_token = %s, taken_at = %s,
    lease_until = %s
WHERE id IN (SELECT id FROM picked)
RETURNING *
"""


@dataclass(frozen=True, slots=True)
class Holder:
    """A person or a program that takes items."""

    user: User | None = None
    api_key: ApiKey | None = None

    def has(self, item: ReviewItem) -> bool:
        """Whether the item's last lease is this holder's."""
        if self.user is not None:
            return item.lease_holder_id == self.user.pk
        return self.api_key is not None and item.lease_key_id == self.api_key.pk


@dataclass(frozen=True, slots=True)
class LeasedItem:
    """A claimed item; the holder of the token may renew or release it."""

    item_id: UUID
    interaction_id: UUID
    token: UUID
    until: datetime

    @classmethod
    def of_seat(cls, item: ReviewItem, seat: Seat) -> "LeasedItem":
        """Return the claim of a reviewer who has a seat at an item."""
        return cls(item.pk, item.interaction_id, seat.token, seat.until)


@dataclass(frozen=True, slots=True)
class _Request:
    """The items that a holder asks for at a time, continuing after an item or not."""

    project_id: UUID
    holder: Holder
    filters: Mapping[str, Any]
    after: ReviewItem | None
    now: datetime

    def matching(self) -> Items:
        return matching(
            self.project_id, self.filters, now=self.now, user=self.holder.user
        )

    def free(self) -> Iterator[Items]:
        """Yield the items that the holder may get, best first.

        Each set is read in the order of one index: first the holder's own items, then
        unassigned ones, each from the last item on and then from the top.
        """
        items, after = self.matching(), self.after
        pools = [items.filter(assignee__isnull=True)]
        if self.holder.user is not None:
            pools.insert(0, items.filter(assignee=self.holder.user))
        if after is not None:
            later = Q(rank__lt=after.rank) | Q(rank=after.rank, id__gt=after.id)
            onwards = [pool.filter(later, rank__lte=after.rank) for pool in pools]
            pools = onwards + [pool.exclude(pk=after.pk) for pool in pools]
        for pool in pools:
            free = candidates(pool, user=self.holder.user, now=self.now)
            yield ordered(in_window(free, self.filters), self.filters)

    def leased(self) -> Items:
        """Return the items that a person already holds, best first."""
        leased = self.matching().filter(
            lease_holder=self.holder.user,
            lease_token__isnull=False,
            lease_until__gt=self.now,
        )
        return in_window(leased, self.filters).order_by("-rank")

    def passing(self, items: Items) -> Items:
        """Keep the items that pass the filters, whatever their state."""
        items = filtered(items, self.filters, now=self.now, user=self.holder.user)
        return searched(items, self.filters)

    def renewed(self) -> LeasedItem | None:
        """Renew what the holder already has, so that asking twice takes one item."""
        user = self.holder.user
        if user is None:
            return None
        item = self.leased().first()
        if item is not None and item.lease_token is not None:
            return renew_lease(item=item, token=item.lease_token)
        seats = seats_of(user, self.project_id, self.now).select_related("item")
        seated = ReviewItem.objects.filter(pk__in=seats.values("item"))
        seat = seats.filter(item__in=self.passing(seated)).order_by("-item__rank")
        if first := seat.first():
            return renew_lease(item=first.item, token=first.token)
        return None


@transaction.atomic
def lease_next(
    *,
    project_id: UUID,
    holder: Holder,
    filters: Mapping[str, Any] | None = None,
    after: ReviewItem | None = None,
) -> LeasedItem | None:
    """Claim the most urgent free item, preferring those assigned to the holder.

    Args:
        project_id: The tenant.
        holder: Who claims it.
        filters: Cleaned data of `QueueFilterForm`, which restricts the items.
        after: The item to continue after; if the holder has it, it is released. After
            the end of the queue it continues from the top.

    Returns:
        The lease, or None if no item is free.
    """
    request = _request(project_id, holder, filters or {}, after)
    if after is not None:
        # A decision has ended the lease with the item.
        if after.state == ReviewItem.State.OPEN:
            release_item(item=after, holder=holder)
    elif lease := request.renewed():
        return lease
    until = request.now + _length(project_id)
    for free in request.free():
        if item := _take(free, holder, request.now, until):
            return _instead(item, request)
    # An item that the holder still has, such as one reopened by undo.
    return request.renewed()


def free_next(
    *, project_id: UUID, user: User, filters: Mapping[str, Any], after: ReviewItem
) -> ReviewItem | None:
    """Return the item that `lease_next` would claim for a person, without claiming it.

    None if gold may be handed out instead.
    """
    if may_hand_gold(project_id):
        return None
    request = _request(project_id, Holder(user=user), filters, after)
    turns = [*request.free(), request.leased()]
    firsts = (items.exclude(pk=after.pk).first() for items in turns)
    return next((item for item in firsts if item is not None), None)


def _request(
    project_id: UUID,
    holder: Holder,
    filters: Mapping[str, Any],
    after: ReviewItem | None,
) -> _Request:
    open_ones = {**filters, "state": ""}
    return _Request(project_id, holder, open_ones, after, timezone.now())


def _instead(item: ReviewItem, request: _Request) -> LeasedItem:
    """Hand out gold instead of an item if it is due, or else a seat at the item.

    Only instead of an item, since gold would be noticed in an empty queue. Programs get
    none.
    """
    user, now, lease = request.holder.user, request.now, _lease_of(item)
    if user is None:
        return lease

    def shown(items: Items) -> Items:
        items = request.passing(without_put_off(items, user=user, now=now))
        return items.exclude(pk=request.after.pk) if request.after else items

    rules = rules_of(item.project_id)
    gold = seed_gold(rules=rules, reviewer=user, now=now, shown=shown)
    if gold is not None:
        release_item(item=item, holder=request.holder)
        item = gold.item
    seat = sit_down(item, user, now=now, until=lease.until, rules=rules)
    if seat is None:
        return lease
    if gold is None:
        ReviewItem.objects.filter(pk=item.pk).update(**FREE)
    return LeasedItem.of_seat(item, seat)


@transaction.atomic
def lease_item(
    *, item: ReviewItem, holder: Holder, take_over: bool = False
) -> LeasedItem:
    """Claim this item, or keep it.

    Args:
        item: An open item.
        holder: Who claims it.
        take_over: Take it from its current holder; audited.

    Raises:
        HeldByOtherError: If another reviewer has it.
        ItemChangedError: If it is not open.
    """
    now = timezone.now()
    stored = hold_item(item.pk)
    if seated := _seated(stored, holder, now):
        return seated
    if stored.state != ReviewItem.State.OPEN:
        raise ItemChangedError(f"{item.id} is not open")
    is_holder = holder.has(stored) and stored.lease_until is not None
    if is_held(stored, now) and not is_holder:
        if not take_over:
            raise _lease_error(stored)
        record_event(
            "review.lease_taken_over",
            stored,
            holder.user or holder.api_key,
            before={"holder": holder_name(stored)},
        )
    if not is_holder and holder.user is not None:
        until = now + _length(stored.project_id)
        if not take_over:
            _refuse_full(stored, holder.user, now)
        rules = rules_of(stored.project_id)
        if seat := sit_down(stored, holder.user, now=now, until=until, rules=rules):
            return LeasedItem.of_seat(stored, seat)
    if not is_holder:
        stored.lease_holder, stored.lease_key = holder.user, holder.api_key
        stored.lease_token, stored.taken_at = uuid4(), now
    stored.lease_until = now + _length(stored.project_id)
    stored.save(update_fields=[*FREE, "taken_at"])
    return _lease_of(stored)


@transaction.atomic
def renew_lease(*, item: ReviewItem, token: UUID) -> LeasedItem | None:
    """Renew a lease; the item's page does so while it is open.

    An expired lease is renewed too, if no other reviewer has taken the item.

    Returns:
        The lease, or None if another reviewer has the item, or it is decided.
    """
    until = timezone.now() + _length(item.project_id)
    renewed = Seat.objects.filter(item=item, token=token).update(
        until=until
    ) or ReviewItem.objects.filter(
        pk=item.pk, lease_token=token, state=ReviewItem.State.OPEN
    ).update(lease_until=until)
    return LeasedItem(item.pk, item.interaction_id, token, until) if renewed else None


@transaction.atomic
def leave_item(*, item: ReviewItem, token: UUID) -> None:
    """End the lease soon, since the page was left or is being reloaded."""
    soon = timezone.now() + timedelta(seconds=LEAVING_SECONDS)
    Seat.objects.filter(item=item, token=token, until__gt=soon).update(until=soon)
    ReviewItem.objects.filter(
        pk=item.pk, lease_token=token, lease_until__gt=soon
    ).update(lease_until=soon)


@transaction.atomic(savepoint=False)
def release_item(*, item: ReviewItem, holder: Holder) -> bool:
    """Release an item at once; False if the holder does not have it."""
    if holder.user is None and holder.api_key is None:
        return False
    leased = ReviewItem.objects.filter(
        pk=item.pk, lease_holder=holder.user, lease_key=holder.api_key
    ).filter(lease_token__isnull=False)
    seats_left = Seat.objects.filter(item=item, user=holder.user).delete()[0]
    return leased.update(**FREE) == 1 or seats_left == 1


def keep_lease(item: ReviewItem, actor: User | ApiKey) -> None:
    """Check that an action on an item is allowed, and renew the actor's lease.

    Raises:
        HeldByOtherError: If another reviewer has taken the item.
    """
    stored = hold_item(item.pk)
    holder = _as_holder(actor)
    if not is_held(stored, timezone.now()):
        return
    if not holder.has(stored):
        raise _lease_error(stored)
    stored.lease_until = timezone.now() + _length(stored.project_id)
    stored.save(update_fields=["lease_until"])


def end_lease(item: ReviewItem, actor: User | ApiKey) -> dict[str, Any]:
    """Return the changes that end an item's lease with its decision.

    A decision with an expired lease is accepted unless another reviewer has the item.
    The start of the lease is stored only if it is the actor's own.

    Raises:
        HeldByOtherError: If another reviewer has taken the item.
    """
    stored = hold_item(item.pk)
    own = _as_holder(actor).has(stored)
    if is_held(stored, timezone.now()) and not own:
        raise _lease_error(stored)
    clear_seats(stored)
    return {**FREE, "taken_at": stored.taken_at if own else None}


def is_held(item: ReviewItem, now: datetime) -> bool:
    """Whether a reviewer has the item at `now`."""
    return item.lease_until is not None and item.lease_until > now


def holder_name(item: ReviewItem) -> str:
    """Return the name of the item's current or last holder."""
    return str(item.lease_holder or item.lease_key or "somebody")


def _as_holder(actor: User | ApiKey) -> Holder:
    return Holder(user=actor) if isinstance(actor, User) else Holder(api_key=actor)


def _lease_error(item: ReviewItem) -> HeldByOtherError:
    return HeldByOtherError(holder_name(item), item.lease_until or timezone.now())


def _length(project_id: UUID) -> timedelta:
    return timedelta(minutes=queue_settings(project_id).lease_minutes)


def _lease_of(item: ReviewItem) -> LeasedItem:
    if item.lease_token is None or item.lease_until is None:
        raise ItemChangedError(f"{item.id} is free")
    return LeasedItem(item.pk, item.interaction_id, item.lease_token, item.lease_until)


def _seated(item: ReviewItem, holder: Holder, now: datetime) -> LeasedItem | None:
    """Renew a reviewer's seat, or give them one at their gold."""
    if holder.user is None:
        return None
    sits = seats_of(holder.user, item.project_id, now).filter(item=item).exists()
    if not sits and not is_handed(item.pk, holder.user, now):
        return None
    until, rules = now + _length(item.project_id), rules_of(item.project_id)
    seat = sit_down(item, holder.user, now=now, until=until, rules=rules)
    return LeasedItem.of_seat(item, seat) if seat else None


def _refuse_full(item: ReviewItem, user: User, now: datetime) -> None:
    """Refuse a seat if all places of the item are taken.

    Raises:
        HeldByOtherError: If they are; it names the holder whose lease ends last.
    """
    if places(item, user, now, rules_of(item.project_id)) > 0:
        return
    seat = item.seats.filter(until__gt=now).select_related("user").order_by("-until")
    if last := seat.first():
        raise HeldByOtherError(str(last.user), last.until)


def _take(
    items: Items, holder: Holder, now: datetime, until: datetime
) -> ReviewItem | None:
    picked = items.select_for_update(skip_locked=True).values("id")[:1]
    sql, parameters = picked.query.sql_with_params()
    user_id = holder.user.pk if holder.user else None
    key_id = holder.api_key.pk if holder.api_key else None
    rows = ReviewItem.objects.raw(
        TAKE.format(candidates=sql),
        [*parameters, user_id, key_id, uuid4(), now, until],
    )
    return next(iter(rows), None)
