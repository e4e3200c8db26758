"""Select answers by the filters of the answer list and of the queue."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone

from verifyhub.accounts.models import Project, User
from verifyhub.ingest.models import Interaction
from verifyhub.review.answer_list.selectors import answers as listed_answers
from verifyhub.review.models import ReviewItem
from verifyhub.review.queue import DECIDED, all_with_text, filtered

OPEN, RESOLVED = "open", "resolved"


def matching_answers(
    project: Project,
    answers: Mapping[str, Any],
    queue: Mapping[str, Any] | None,
    *,
    now: datetime | None,
    user: User | None,
    withheld: Collection[UUID] = (),
) -> QuerySet[Interaction]:
    """Return the answers that pass, in no order.

    Args:
        project: The tenant.
        answers: Filters of the answer list, by their names.
        queue: Filters of the queue, by their names, and `review`: `open`,
            `resolved`, or both where it is empty; None asks for no item.
        now: What ages are measured from; None for now.
        user: The person that `me` means and whose lists are read; None for a program.
        withheld: Items that look undecided to the viewer.
    """
    rows = listed_answers(project.id, answers, user).order_by()
    if queue is None:
        return rows
    items = ReviewItem.objects.filter(project=project)
    state = queue.get("review")
    if state == RESOLVED:
        items = items.filter(state__in=DECIDED).exclude(pk__in=withheld)
    elif state == OPEN:
        items = items.filter(Q(state=ReviewItem.State.OPEN) | Q(pk__in=withheld))
    items = filtered(items, queue, now=now or timezone.now(), user=user)
    if text := queue.get("text"):
        items = all_with_text(items, str(text))
    return rows.filter(pk__in=items.values("interaction_id"))
