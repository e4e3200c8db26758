"""Hand out gold by `Next` in place of an item."""

from collections.abc import Callable
from datetime import datetime
from secrets import randbelow
from typing import TypeAlias
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from verifyhub.accounts.models import Membership, User
from verifyhub.accounts.permissions import can
from verifyhub.review.models import (
    GoldItem,
    GoldSeed,
    Judgement,
    Override,
    ReviewItem,
    ReviewRules,
)
from verifyhub.review.panel import rules_of

Items: TypeAlias = QuerySet[ReviewItem]


@transaction.atomic(savepoint=False)
def seed_gold(
    *,
    rules: ReviewRules,
    reviewer: User,
    now: datetime,
    shown: Callable[[Items], Items] = lambda items: items,
) -> GoldItem | None:
    """Hand out gold to a reviewer, if it is gold's turn.

    It may be whenever gold makes up less than the project's share of what the reviewer
    judged today; chance decides when, so that no place tells gold. Nobody is handed
    what they decided or judged before, nor what their filters would not show.

    Args:
        rules: Those of the project.
        reviewer: Who asks for the next item.
        now: Aware.
        shown: Keeps the items that the queue would show the reviewer: gold must pass
            like any other item.

    Returns:
        The gold; None where the queue itself is to be asked.
    """
    project_id = rules.project_id
    if not _may_hand(rules):
        return None
    if not _is_due(rules, reviewer, now):
        return None
    active = GoldItem.objects.active(now).filter(project_id=project_id)
    candidates = active.filter(
        item__in=shown(ReviewItem.objects.filter(pk__in=active.values("item")))
    )
    # What was handed out and never judged comes first, then what chance picks.
    waiting = candidates.filter(seeds__reviewer=reviewer, seeds__judgement=None)
    gold = waiting.select_related("item").first() or _unseen(candidates, reviewer)
    if gold is not None:
        GoldSeed.objects.get_or_create(
            gold=gold, reviewer=reviewer, defaults={"project_id": project_id}
        )
    return gold


def may_hand_gold(project_id: UUID) -> bool:
    """Whether any reviewer of a project may be handed gold by `Next`."""
    return _may_hand(rules_of(project_id))


def _may_hand(rules: ReviewRules) -> bool:
    # Nobody confirms gold: where others are confirmed, it would look unlike them.
    is_told_apart = rules.confirm_overrides or rules.confirm_constraints
    return bool(rules.gold_percent) and not is_told_apart


def _is_due(rules: ReviewRules, reviewer: User, now: datetime) -> bool:
    midnight = timezone.localtime(now).replace(hour=0, minute=0, second=0)
    today = Judgement.objects.filter(
        project_id=rules.project_id,
        reviewer=reviewer,
        state=Judgement.State.GIVEN,
        given_at__gte=midnight,
    )
    gold = today.filter(kind=Judgement.Kind.GOLD).count()
    # The first of a day is never gold: its place would give it away.
    total = today.count()
    below = total > 0 and gold * 100 < rules.gold_percent * (total + 1)
    # Twice as often as its share, since it has to stay below it: half the turns do.
    return below and randbelow(100) < 2 * rules.gold_percent


def _unseen(candidates: QuerySet[GoldItem], reviewer: User) -> GoldItem | None:
    """Pick by chance gold that a reviewer neither decided, judged nor was given."""
    judged = Judgement.objects.filter(item=OuterRef("item"), reviewer=reviewer)
    rows = Override.objects.filter(item=OuterRef("item"), reviewer=reviewer)
    seeded = GoldSeed.objects.filter(gold=OuterRef("pk"), reviewer=reviewer)
    return (
        candidates.filter(~Exists(judged), ~Exists(rows), ~Exists(seeded))
        .exclude(Q(item__resolved_by=reviewer) | Q(marked_by=reviewer))
        .select_related("item")
        .order_by("?")
        .first()
    )


def is_handed(item_id: UUID, user: User, now: datetime) -> bool:
    """Whether an item is gold that somebody was handed and has not judged."""
    return (
        GoldSeed.objects.filter(
            Q(judgement=None) | ~Q(judgement__state=Judgement.State.GIVEN),
            reviewer=user,
            gold__in=GoldItem.objects.active(now).filter(item=item_id),
        )
        .order_by()
        .exists()
    )


def handed_to(project_id: UUID, viewer: User) -> QuerySet[GoldSeed]:
    """Return the gold that somebody was handed and that still measures."""
    return GoldSeed.objects.filter(
        project_id=project_id,
        reviewer=viewer,
        gold__in=GoldItem.objects.active(timezone.now()),
    )


def keeps_gold(project_id: UUID, viewer: User) -> bool:
    """Whether a person may mark answers as gold, so that it is no secret to them."""
    role = (
        Membership.objects.filter(project_id=project_id, user=viewer)
        .values_list("role", flat=True)
        .first()
    )
    return role is not None and can(role, "review.gold")
