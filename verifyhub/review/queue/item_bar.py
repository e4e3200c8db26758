"""What the bar above an answer shows of its item in the queue."""

from typing import Any

from django.utils import timezone

from verifyhub.accounts.models import Membership
from verifyhub.accounts.permissions import ProjectRequest, can
from verifyhub.common.counts import BoundedCount
from verifyhub.review.models import ReviewItem
from verifyhub.review.queue import selectors as queues
from verifyhub.review.queue.assignment import reviewers_of
from verifyhub.review.queue.forms import SKIP_HOURS
from verifyhub.review.queue.progress import Sitting, sitting_of
from verifyhub.review.queue.rows import row_of


def bar_context(request: ProjectRequest, item: ReviewItem) -> dict[str, Any]:
    """Return the context of `review/_item_bar.html`."""
    user, role = request.membership.user, request.membership.role
    people = reviewers_of(item.project_id)
    settings = queues.queue_settings(item.project_id)
    row = row_of(
        item,
        user=user,
        now=timezone.now(),
        doubling_hours=settings.doubling_hours,
    )
    query = request.GET.copy() if request.method == "GET" else None
    for name in ("run", "whole", "mention", "claim", "after", "peek"):
        if query is not None:
            query.pop(name, None)
    return {
        "request": request,
        "item": item,
        "row": row,
        "query": query.urlencode() if query is not None else request.POST.get("query"),
        "token": item.lease_token if row.held_by_me else "",
        "beat_seconds": settings.lease_minutes * 15,
        "may_decide": can(role, "review.decide"),
        "may_manage": can(role, "review.manage"),
        "is_open": item.state == ReviewItem.State.OPEN,
        "mine": item.assignee_id == user.pk,
        "reviewers": people,
        "colleagues": [one for one in people if one != user],
        "questions": list(queues.questions_of(item)),
        "skips": SKIP_HOURS.items(),
        "user": user,
    }


def place_context(
    membership: Membership, item: ReviewItem | None, waiting: BoundedCount | None
) -> dict[str, Any]:
    """Return an item's position among the open ones, and how far its reviewer is.

    Args:
        membership: Who looks.
        item: An open item; None where there is none.
        waiting: How many are open, where the page has counted them.
    """
    user, project_id = membership.user, membership.project_id
    ahead = queues.ahead_of(item) if item else BoundedCount(0)
    sitting = Sitting()
    if can(membership.role, "review.decide"):
        sitting = sitting_of(project_id, user.pk, timezone.now())
    return {
        "position": BoundedCount(ahead.value + 1, ahead.more),
        "open_count": waiting or queues.open_count(project_id, user),
        "sitting": sitting,
    }
