"""Update the ranks of items when their reach or the settings change.

Waiting changes no rank (`ranking`). A name that occurs in another session does: it
increases the reach of open items with that name. Each new item updates a bounded number
of others once, outside the transaction that opened it.
"""

from collections.abc import Sequence
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from verifyhub.common.row_writes import update
from verifyhub.review.models import QueueSettings, ReviewItem
from verifyhub.review.queue.ranking import REACH_LIMIT
from verifyhub.review.queue.reach import flagged_names, items_sharing, reaches_of
from verifyhub.review.queue.selectors import settings_of
from verifyhub.review.queue.stand import due_at, factors_of

SPREAD_BATCH = 200
# Items are opened by the batch of verifications.
OPENED_BATCH = 10
RERANK_BATCH = 2000
RECOUNT_BATCH = 500
FIRST_ID = UUID(int=0)
TAKE_OPENED = """
DELETE FROM review_openeditems WHERE id IN (
    SELECT id FROM review_openeditems ORDER BY id LIMIT %s FOR UPDATE SKIP LOCKED
) RETURNING items
"""


@transaction.atomic
def spread_reach() -> int:
    """Update the reach of open items that share names with a batch of new ones.

    Locked rows are skipped; the next new item with the name updates them.

    Returns:
        How many new items were processed.
    """
    with connection.cursor() as cursor:
        cursor.execute(TAKE_OPENED, [OPENED_BATCH])
        opened = [item for (items,) in cursor.fetchall() for item in items]
    # New items are not locked: they are not changed.
    fresh = list(
        ReviewItem.objects.filter(Q(pk__in=opened) | Q(reach_due=True))
        .select_related("verification__interaction")
        .defer("verification__report", "verification__interaction__answer_text")
        .order_by("id")[: len(opened) + SPREAD_BATCH]
    )
    names = flagged_names([item.verification for item in fresh])
    touched = sorted(items_sharing(fresh, names))
    for start in range(0, len(touched), RECOUNT_BATCH):
        _recount(touched[start : start + RECOUNT_BATCH])
    changed = [item.pk for item in fresh if item.reach_due]
    if changed:
        ReviewItem.objects.filter(pk__in=changed).update(reach_due=False)
    return len(fresh)


@transaction.atomic
def rerank(*, project_id: UUID) -> int:
    """Recompute ranks of one batch of open items after a change of settings, by id.

    Returns:
        How many were processed; 0 at the end.
    """
    stored = QueueSettings.objects.select_for_update().get(project_id=project_id)
    if stored.rerank_from is None:
        return 0
    items = list(
        ReviewItem.objects.select_for_update(of=("self",))
        .filter(
            project_id=project_id,
            state=ReviewItem.State.OPEN,
            id__gt=stored.rerank_from,
        )
        .order_by("id")[:RERANK_BATCH]
    )
    for item in items:
        item.rank = factors_of(item).rank(item.created_at, stored.doubling_hours)
        item.due_at = due_at(stored, item.risk, item.created_at)
    ReviewItem.objects.bulk_update(items, ["rank", "due_at"], batch_size=500)
    stored.rerank_from = items[-1].pk if items else None
    stored.save(update_fields=["rerank_from"])
    return len(items)


def _recount(ids: Sequence[UUID]) -> None:
    """Recompute the reach of items; a greater one moves them up."""
    items = list(
        ReviewItem.objects.select_for_update(of=("self",), skip_locked=True)
        .filter(pk__in=ids, state=ReviewItem.State.OPEN, reach__lt=REACH_LIMIT)
        .select_related("verification__interaction")
        .defer("verification__report", "verification__interaction__answer_text")
        .order_by("id")
    )
    runs = [item.verification for item in items]
    reaches = reaches_of(list(zip(runs, flagged_names(runs), strict=True)))
    settings = settings_of({item.project_id for item in items})
    moved = []
    for item, reach in zip(items, reaches, strict=True):
        if reach > item.reach:
            item.reach, item.ranked_at = reach, timezone.now()
            hours = settings[item.project_id].doubling_hours
            item.rank = factors_of(item).rank(item.created_at, hours)
            moved.append(item)
    update(moved, ["reach", "rank", "ranked_at"])
