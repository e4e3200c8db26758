"""Compute rank and reasons of items that are older than the queue's order.

The migration that added the order gave open items a rank from columns alone. This
module adds what needs the report (codes of reasons, flagged kinds, disagreement) or
other answers (reach). Rows show what is left to do, so an interrupted run can be
repeated.
"""

from uuid import UUID

from django.db import transaction

from verifyhub.review.models import ReviewItem
from verifyhub.review.queue import policy
from verifyhub.review.queue.items import OPENED_BY_PERSON
from verifyhub.review.queue.reason_words import english_words
from verifyhub.review.queue.stand import STAND_FIELDS, stand_of
from verifyhub.review.selectors import report_of
from verifyhub.verification.models import Verdict

BATCH = 200


@transaction.atomic
def place_old_items(*, batch: int = BATCH, after: UUID | None = None) -> list[UUID]:
    """Compute reasons, reach and rank of one batch of old items, by id.

    Decisions, leases and opening times do not change, and pages do not show it as news.
    Decided items get no due time.

    Args:
        batch: Maximum number of items.
        after: The last item of the previous batch.

    Returns:
        The items of this batch; empty once all are placed.
    """
    rows = (
        ReviewItem.objects.select_for_update(of=("self",))
        .filter(reason_facts=[], verification__report__isnull=False)
        # Items that were carried over without reasons.
        .exclude(reasons=[])
        .exclude(state=ReviewItem.State.SUPERSEDED)
        .select_related("verification__interaction")
        .defer("verification__interaction__answer_text")
        .order_by("id")
    )
    if after is not None:
        rows = rows.filter(id__gt=after)
    items = list(rows[:batch])
    for item in items:
        ranked_at = item.ranked_at or item.created_at
        agreed = [policy.agreed_before(verdict) for verdict in Verdict.values]
        agreement_reasons = [
            reason
            for reason in agreed
            if {*english_words([reason.as_fact()], [])} <= {*item.reasons}
        ]
        reasons = policy.reasons(report_of(item.verification)) or [OPENED_BY_PERSON]
        stand_of([*agreement_reasons, *reasons], item.verification).give(item)
        item.ranked_at = ranked_at
        # All compute their reach here, so none needs to notify another.
        item.reach_due = False
        if item.state != ReviewItem.State.OPEN:
            item.due_at = None
    ReviewItem.objects.bulk_update(items, STAND_FIELDS, batch_size=100)
    return [item.pk for item in items]
