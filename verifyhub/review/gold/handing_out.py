"""Hand out gold by `Next` instead of an item."""

from collections.abc import Callable
from datetime import datetime
from secrets import randbelow
from typing import TypeAlias
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from verifyhub.accounts.models import User
from verifyhub.accounts.permissions import holds
from verifyhub.common.prepared import PreparedQuery
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
    """Hand out gold to a reviewer, if it is due.

    It may be due while gold is less than the project's share of the reviewer's
    judgements of the day; the time is random, so that the order does not reveal gold.
    Nobody gets items that they decided or judged before, or that their filters exclude.

    Args:
        rules: The project's rules.
        reviewer: Who requests the next item.
        now: The time (aware).
        shown: Keeps the items of the reviewer's filters, which gold must pass too.

    Returns:
        The gold; None if an item of the queue is due.
    """
    project_id = rules.project_id
    if not _may_hand(rules) or not _is_due(rules, reviewer, now):
        return None
    active = GoldItem.objects.active(now).filter(project_id=project_id)
    candidates = active.filter(
        item__in=shown(ReviewItem.objects.filter(pk__in=active.values("item")))
    )
    # Gold that was handed out and never judged comes first, then a random one.
    waiting = candidates.filter(seeds__reviewer=reviewer, seeds__judgement=None)
    gold = waiting.select_related("item").first() or _unseen(candidates, reviewer)
    if gold is not None:
        GoldSeed.objects.get_or_create(
            gold=gold, reviewer=reviewer, defaults={"project_id": project_id}
        )
    return gold


def may_hand_gold(project_id: UUID) -> bool:
    """Whether `Next` may hand out gold in a project."""
    return _may_hand(rules_of(project_id))


def _may_hand(rules: ReviewRules) -> bool:
    # Gold is not confirmed: if other decisions are, it would be recognisable.
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
    # The first item of a day is never gold.
    total = today.count()
    below = total > 0 and gold * 100 < rules.gold_percent * (total + 1)
    # Twice the share, since gold is only handed out while it is below its share.
    return below and randbelow(100) < 2 * rules.gold_percent


def _unseen(candidates: QuerySet[GoldItem], reviewer: User) -> GoldItem | None:
    """Select random gold that a reviewer has not decided, judged or been handed."""
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
    """Whether an item is gold that a reviewer was handed and has not judged."""
    handed = GoldSeed.objects.filter(
        Q(judgement=None) | ~Q(judgement__state=Judgement.State.GIVEN),
        reviewer=user,
        gold__in=GoldItem.objects.active(now).filter(item=item_id),
    )
    return handed.order_by().exists()


_HANDED = PreparedQuery(
    lambda project, viewer, now: GoldSeed.objects.filter(
        project=project, reviewer=viewer, gold__in=GoldItem.objects.active(now)
    ).values_list("gold__item_id", flat=True)
)


def handed_ids(project_id: UUID, viewer: User) -> set[UUID]:
    """Return the items of the active gold that a reviewer was handed."""
    return set(_HANDED(project=project_id, viewer=viewer.pk, now=timezone.now()))


def handed_to(project_id: UUID, viewer: User) -> QuerySet[GoldSeed]:
    """Return the active gold that a reviewer was handed."""
    return GoldSeed.objects.filter(
        project_id=project_id,
        reviewer=viewer,
        gold__in=GoldItem.objects.active(timezone.now()),
    )


def keeps_gold(project_id: UUID, viewer: User) -> bool:
    """Whether a person may mark answers as gold, and so may know all gold."""
    return holds(project_id, viewer, "review.gold")
