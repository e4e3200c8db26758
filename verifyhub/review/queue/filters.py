"""Filters of items, and of items that may be handed out."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import (
    BooleanField,
    Case,
    Count,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from verifyhub.accounts.models import User
from verifyhub.ingest.models import Interaction
from verifyhub.review.models import Judgement, Proposal, ReviewItem, Seat, Skip
from verifyhub.review.queue.order import order_of, sort_in, terms
from verifyhub.review.queue.ranking import HIGH_RISK, MEDIUM_RISK
from verifyhub.review.selectors import holds_text

Items = QuerySet[ReviewItem]

DECIDED = (ReviewItem.State.CONFIRMED, ReviewItem.State.OVERRIDDEN)
# A text search reads task and answer of this many items in queue order, and then says
# where it stopped: there is no index on words, and reading a million texts is too slow.
SEARCH_WINDOW = 10_000
RISKS = {
    "high": Q(risk__gte=HIGH_RISK),
    "medium": Q(risk__gte=MEDIUM_RISK, risk__lt=HIGH_RISK),
    "low": Q(risk__lt=MEDIUM_RISK),
}
# In hours; plus means `older than`, minus `at most`.
AGES = {"-1": 1, "-24": 24, "-168": 168, "+24": 24, "+168": 168, "+720": 720}


def matching(
    project_id: UUID,
    filters: Mapping[str, Any],
    *,
    now: datetime,
    user: User | None = None,
) -> Items:
    """Return a project's items that pass the filters, in no order; without text.

    Args:
        project_id: The tenant.
        filters: Cleaned data of `QueueFilterForm`; empty values do not filter.
        now: The time for ages and due times.
        user: The person that `me` stands for.
    """
    items = ReviewItem.objects.filter(project_id=project_id)
    if filters.get("state") == "resolved":
        items = items.filter(state__in=DECIDED)
    else:
        items = items.filter(state=ReviewItem.State.OPEN)
    return filtered(items, filters, now=now, user=user)


def filtered(
    items: Items,
    filters: Mapping[str, Any],
    *,
    now: datetime,
    user: User | None = None,
) -> Items:
    """Keep the items that pass the filters other than state and text."""
    if agent := filters.get("agent"):
        items = items.filter(agent_name=agent)
    if verdict := filters.get("verdict"):
        items = items.filter(machine_verdict=verdict)
    if reason := filters.get("reason"):
        items = items.filter(reason_kinds__contains=[reason])
    if kind := filters.get("kind"):
        items = items.filter(flagged_kinds__contains=[kind])
    if risk := filters.get("risk"):
        items = items.filter(RISKS[risk])
    return _by_people_and_time(items, filters, now, user)


def _by_people_and_time(
    items: Items, filters: Mapping[str, Any], now: datetime, user: User | None
) -> Items:
    if age := filters.get("age"):
        moment = now - timedelta(hours=AGES[age])
        field = "created_at__lt" if age.startswith("+") else "created_at__gte"
        items = items.filter(**{field: moment})
    if filters.get("due") == "overdue":
        items = items.filter(due_at__lt=now)
    assignee = filters.get("assignee")
    if assignee == "none":
        items = items.filter(assignee__isnull=True)
    elif assignee == "me":
        items = items.filter(assignee=user)
    elif assignee:
        # As a value, not a join, so that an index on assignee and order is used.
        person = User.objects.filter(username=assignee).values("pk")[:1]
        items = items.filter(assignee=Subquery(person))
    return items


def ordered(items: Items, filters: Mapping[str, Any]) -> Items:
    """Sort items by the chosen order; by default the most urgent first."""
    order = order_of(sort_in(filters))
    of_latest = str(filters.get("age") or "").startswith("-")
    return items.order_by(*terms(order, of_latest=of_latest))


def with_text(window: Items, text: str) -> Items:
    """Keep the items of a window whose task, answer or id has the text.

    Args:
        window: Ordered and limited items, whose texts are read.
        text: The text, ignoring case, or the beginning of an id.
    """
    # A subquery for each item, not a join, which may begin with all texts.
    holds = Interaction.objects.filter(pk=OuterRef("interaction_id")).values(
        holds=ExpressionWrapper(holds_text(text), output_field=BooleanField())
    )
    return ReviewItem.objects.filter(pk__in=window.values("pk")).filter(
        Subquery(holds[:1], output_field=BooleanField())
    )


def searched(items: Items, filters: Mapping[str, Any]) -> Items:
    """Keep the items with the text of the filters, if they have one; for few items."""
    text = str(filters.get("text") or "")
    return with_text(items, text) if text else items


def in_window(items: Items, filters: Mapping[str, Any]) -> Items:
    """Keep the items with the text of the filters among the first of their order."""
    if not filters.get("text"):
        return items
    return searched(ordered(items, filters)[:SEARCH_WINDOW], filters)


def all_with_text(items: Items, text: str) -> Items:
    """Keep the items whose task, answer or id has the text, reading all of them."""
    answers = Interaction.objects.filter(pk=OuterRef("interaction_id"))
    return items.filter(Exists(answers.filter(holds_text(text))))


def candidates(items: Items, *, user: User | None, now: datetime) -> Items:
    """Keep items that may be handed out: free, not snoozed, not judged already.

    Args:
        items: Open items.
        user: The person; None for a program, which snoozes nothing.
        now: Leases and snoozes that ended before do not count.
    """
    items = items.filter(Q(lease_until__isnull=True) | Q(lease_until__lte=now))
    if user is None:
        return items
    items = exclude_judged_by(without_put_off(items, user=user, now=now), user)
    return items.alias(places=_places_left(now)).filter(places__gt=0)


def _places_left(now: datetime) -> Case:
    """Return the number of free places of an item that several people judge.

    An item can be full with a free lease only after a reviewer has judged it: before
    that, the holder of the last place has the lease. Other items get a positive number
    without a query.
    """
    seats = Seat.objects.filter(item=OuterRef("pk"), until__gt=now)
    judgements = Judgement.objects.filter(
        item=OuterRef("pk"),
        round=OuterRef("round"),
        kind=Judgement.Kind.REVIEW,
        state=Judgement.State.GIVEN,
    )
    free = F("reviews_wanted") - _number(seats) - _number(judgements)
    return Case(When(reviews_wanted__gt=1, then=free), default=Value(1))


def _number(rows: QuerySet[Any]) -> Coalesce:
    counted = rows.order_by().values("item").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted), Value(0))


def without_put_off(items: Items, *, user: User, now: datetime) -> Items:
    """Leave out items that a reviewer snoozed, or has a seat at already."""
    put_off = Skip.objects.filter(item=OuterRef("pk"), user=user, until__gt=now)
    seat = Seat.objects.filter(item=OuterRef("pk"), user=user, until__gt=now)
    return items.filter(~Exists(put_off), ~Exists(seat))


def exclude_judged_by(items: Items, user: User) -> Items:
    """Leave out the open items that this person cannot judge now.

    These are items that they judged in this round, items for an adjudicator, and items
    with a proposal that needs a second person.
    """
    judged = Judgement.objects.filter(
        item=OuterRef("pk"),
        reviewer=user,
        round=OuterRef("round"),
        state=Judgement.State.GIVEN,
    )
    waiting = Proposal.objects.filter(item=OuterRef("pk"), state=Proposal.State.PENDING)
    return items.filter(~Exists(judged), ~Exists(waiting), disputed_at=None)
