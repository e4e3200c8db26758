"""Distribute items: by assignment rules, then in rotation among those on duty.

A task does it in batches, not the transaction that stores a verdict: rotation depends
on everybody's open items, for which verification must not wait.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Count, QuerySet
from django.utils import timezone

from verifyhub.accounts.models import Membership, User
from verifyhub.audit.services import record_event
from verifyhub.review.models import (
    FREE,
    AssignmentRule,
    Duty,
    QueueSettings,
    ReviewItem,
)
from verifyhub.review.queue.assignment import JUDGING_ROLES
from verifyhub.review.queue.selectors import queue_settings

BATCH = 200


@dataclass(slots=True)
class Hand:
    """The open items and weight of one reviewer on duty during distribution."""

    user_id: int
    weight: int
    open_items: int


@transaction.atomic
def deal_items(*, project_id: UUID) -> int:
    """Assign one batch of unassigned open items.

    A rule assigns to its person, on duty or not. Other items are assigned, if the
    project uses rotation, to the person on duty with the fewest open items for their
    weight, until everybody has the project's limit. The rest stay unassigned.

    Returns:
        How many were assigned.
    """
    settings = queue_settings(project_id)
    count = 0
    rules = AssignmentRule.objects.filter(
        project_id=project_id,
        user__is_active=True,
        user__memberships__project_id=project_id,
        user__memberships__role__in=JUDGING_ROLES,
    )
    for rule in rules.order_by("created_at", "id"):
        count += _give(_fitting(project_id, rule)[: BATCH - count], [rule.user_id])
    if settings.rotation and count < BATCH:
        hands = _hands(project_id)
        room = sum(_room(hand, settings) for hand in hands)
        turns = list(_turns(hands, settings, min(room, BATCH - count)))
        free = _free(project_id).select_for_update(skip_locked=True)
        unassigned = list(free.values_list("pk", flat=True)[:BATCH])
        count += _give(unassigned[: len(turns)], turns)
    if count:
        record_event(
            "review.items_dealt",
            queue_settings(project_id),
            None,
            after={"items": count},
        )
    return count


@transaction.atomic
def take_back_items() -> int:
    """Unassign one batch of open items of people who may no longer judge.

    Their leases end, too.
    """
    judging = Membership.objects.filter(user__is_active=True, role__in=JUDGING_ROLES)
    returned = 0
    rows = (
        ReviewItem.objects.filter(state=ReviewItem.State.OPEN, assignee__isnull=False)
        .order_by()
        .values_list("project_id", "assignee_id")
        .distinct()
    )
    for project_id, user_id in rows:
        if judging.filter(project_id=project_id, user_id=user_id).exists():
            continue
        ids = (
            ReviewItem.objects.select_for_update(skip_locked=True)
            .filter(
                project_id=project_id,
                assignee_id=user_id,
                state=ReviewItem.State.OPEN,
            )
            .values_list("pk", flat=True)[:BATCH]
        )
        changed = ReviewItem.objects.filter(pk__in=list(ids)).update(
            assignee=None, assigned_at=None, **FREE
        )
        if changed:
            record_event(
                "review.items_returned",
                User.objects.get(pk=user_id),
                None,
                after={"items": changed},
                project_id=project_id,
            )
        returned += changed
    return returned


def projects_that_deal() -> list[UUID]:
    """Return the projects with a rule or with rotation."""
    ruled = AssignmentRule.objects.values_list("project_id", flat=True)
    rotating = QueueSettings.objects.filter(rotation=True)
    return list({*ruled, *rotating.values_list("project_id", flat=True)})


def _free(project_id: UUID) -> QuerySet[ReviewItem]:
    """Return the open, free and unassigned items, most urgent first."""
    return ReviewItem.objects.filter(
        project_id=project_id,
        state=ReviewItem.State.OPEN,
        assignee__isnull=True,
        lease_token__isnull=True,
    ).order_by("-rank", "id")


def _fitting(project_id: UUID, rule: AssignmentRule) -> list[UUID]:
    free = _free(project_id)
    if rule.agent_name:
        free = free.filter(agent_name=rule.agent_name)
    if rule.reason_kind:
        free = free.filter(reason_kinds__contains=[rule.reason_kind])
    # A rule does not assign an item again to a person who returned it.
    free = free.exclude(skips__user_id=rule.user_id)
    return list(free.values_list("pk", flat=True)[:BATCH])


def _hands(project_id: UUID) -> list[Hand]:
    on_duty = Duty.objects.filter(
        project_id=project_id,
        on_duty=True,
        weight__gte=1,
        user__is_active=True,
        user__memberships__project_id=project_id,
        user__memberships__role__in=JUDGING_ROLES,
    ).values_list("user_id", "weight")
    open_counts = dict(
        ReviewItem.objects.filter(
            project_id=project_id,
            state=ReviewItem.State.OPEN,
            assignee__in=[user_id for user_id, _ in on_duty],
        )
        .order_by()
        .values_list("assignee_id")
        .annotate(open_items=Count("pk"))
    )
    return [Hand(user, weight, open_counts.get(user, 0)) for user, weight in on_duty]


def _room(hand: Hand, settings: QueueSettings) -> int:
    return max(0, settings.open_limit * hand.weight - hand.open_items)


def _turns(hands: list[Hand], settings: QueueSettings, count: int) -> Iterator[int]:
    """Yield whose turn it is: the fewest items for the weight, then the lowest id."""
    for _ in range(count):
        free = [hand for hand in hands if _room(hand, settings)]
        if not free:
            return
        hand = min(free, key=lambda h: (h.open_items / h.weight, h.user_id))
        hand.open_items += 1
        yield hand.user_id


def _give(items: list[UUID], turns: list[int]) -> int:
    """Assign each item to the person whose turn it is; a single person gets all."""
    count, now = 0, timezone.now()
    people = turns if len(turns) != 1 else turns * len(items)
    by_person: dict[int, list[UUID]] = {}
    for item_id, user_id in zip(items, people, strict=False):
        by_person.setdefault(user_id, []).append(item_id)
    for user_id, ids in by_person.items():
        count += ReviewItem.objects.filter(
            pk__in=ids, assignee__isnull=True, state=ReviewItem.State.OPEN
        ).update(assignee_id=user_id, assigned_at=now)
    return count
