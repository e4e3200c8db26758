"""From a decision to the next item, under the filters that somebody came with."""

from typing import Any
from uuid import UUID

from django.http import QueryDict

from verifyhub.accounts.models import Membership
from verifyhub.review.models import ReviewItem, SavedView
from verifyhub.review.queue import selectors as queues
from verifyhub.review.queue.forms import QueueFilterForm
from verifyhub.review.queue.leases import Holder, free_next, lease_next

# Where a page's filters come from, beside the form's own fields.
NOT_FILTERS = ("cursor", "view", "all", "since", "shown", "after")


def take_next(
    membership: Membership, query: QueryDict, after: ReviewItem | None
) -> UUID | None:
    """Take the next item for a reviewer; return its answer, None if nothing is free.

    Args:
        membership: Who goes on.
        query: The filters of the queue.
        after: What they decided or leave.
    """
    lease = lease_next(
        project_id=membership.project_id,
        holder=Holder(user=membership.user),
        filters=filters_in(query, membership),
        after=after,
    )
    return lease.interaction_id if lease else None


def next_without_taking(
    membership: Membership, query: QueryDict, after: ReviewItem
) -> UUID | None:
    """Return the answer that `take_next` would take now, None if that is not known."""
    item = free_next(
        project_id=membership.project_id,
        user=membership.user,
        filters=filters_in(query, membership),
        after=after,
    )
    return item.interaction_id if item else None


def filters_in(query: QueryDict, membership: Membership) -> dict[str, str]:
    """Return the filters of an address for what is next: open, by priority."""
    sent = sent_filters(query, view_in(query, membership))
    filters = QueueFilterForm(sent).filters()
    return {k: v for k, v in filters.items() if k not in ("state", "sort")}


def view_in(query: QueryDict, membership: Membership) -> SavedView | None:
    """Return the saved view that an address names, if the person may see it."""
    try:
        asked = UUID(query.get("view", ""))
    except ValueError:
        return None
    mine = queues.views_for(membership.project_id, membership.user)
    return next((view for view in mine if view.id == asked), None)


def sent_filters(query: QueryDict, view: SavedView | None) -> Any:
    """Return the filters of the address; of the view where it says nothing else.

    The form sends `all`: what is empty in it was emptied.
    """
    own = {name: v for name, v in query.items() if name not in NOT_FILTERS and v}
    says = own or "all" in query
    return own if says or view is None else view.filters
