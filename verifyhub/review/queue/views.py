"""The queue's list, its live updates, and `next`."""

import threading
import time
from datetime import UTC, datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db.models import Max
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from verifyhub.accounts.models import Membership
from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.common.counts import BoundedCount
from verifyhub.common.http import page_or_fragment, uuid_in
from verifyhub.ingest.selectors import agent_names, characters_searched, has_answers
from verifyhub.review.models import ReviewItem, SavedView
from verifyhub.review.queue import selectors as queues
from verifyhub.review.queue.assignment import reviewers_of
from verifyhub.review.queue.columns import column_choices, headings
from verifyhub.review.queue.forms import QueueFilterForm
from verifyhub.review.queue.leases import Holder, free_next, lease_next
from verifyhub.review.queue.order import UnreadableCursorError
from verifyhub.review.queue.progress import progress_of
from verifyhub.review.queue.rows import QueueRow, rows_of
from verifyhub.review.queue.selectors import queued_items
from verifyhub.review.visibility import mask_list


@project_page("answers.view", "GET")
def queue(request: ProjectRequest) -> HttpResponse:
    user, project = request.membership.user, request.project
    if not request.GET and (view := queues.default_view(project.id, user)):
        return redirect(_queue_url(request, {"view": str(view.id)}))
    now = timezone.now()
    view = view_in(request.GET, request.membership)
    form = QueueFilterForm(sent_filters(request.GET, view))
    filters = form.filters()
    cursor = request.GET.get("cursor", "")
    read = partial(queues.queue_page, project.id, filters, now=now, user=user)
    cursor_is_invalid = False
    try:
        page = read(cursor=cursor)
    except UnreadableCursorError:
        page, cursor_is_invalid = read(), True
    mask_list(page.items, project.id, user, page.gold)
    rows = rows_of(page.items, user=user, now=now)
    shown = headings(user, filters)
    context = _chrome(request, form, view, now, page.gold) | {
        "page": page,
        "rows": rows,
        "all_held_until": _first_free_at(page, rows),
        "filtered": filters.keys() - {"sort"},
        "headings": [
            (each, _query(filters | {"sort": each.sort}, view)) for each in shown
        ],
        "shows": {each.name: True for each in shown},
        "sort": filters.get("sort", ""),
        "columns": column_choices(user),
        "query": _query(filters, view),
        "loaded_at": now.isoformat(),
        "characters_searched": characters_searched(project.id),
        "on_first_page": cursor_is_invalid or not cursor,
        "place_lost": cursor_is_invalid,
        "has_answers": not rows and has_answers(project.id),
    }
    return page_or_fragment(
        request, "review/queue.html", "review/_queue_table.html", context
    )


@never_cache
@project_page("answers.view", "GET")
def live(request: ProjectRequest) -> HttpResponse:
    """Show changes since a page was loaded, without moving its rows.

    Shown rows are updated; new ones are only counted.
    """
    now, user = timezone.now(), request.membership.user
    since = _moment(request.GET.get("since", "")) or now
    filters = QueueFilterForm(request.GET).filters()
    decided = filters.get("state") == "resolved"
    ids = [
        item_id for text in request.GET.getlist("shown") if (item_id := uuid_in(text))
    ]
    items = queues.shown_again(request.project.id, ids)
    mask_list(items, request.project.id, user)
    context = {
        "news": None
        if decided
        else queues.news_since(
            request.project.id, filters, since=since, now=now, user=user
        ),
        "rows": rows_of(items, user=user, now=now),
        "open_count": queues.open_count(request.project.id, user),
        "query": _query(filters, view_in(request.GET, request.membership)),
        "list_url": reverse("review:queue", args=[request.project.slug]),
        "resolved": decided,
    }
    return render(request, "review/_queue_live.html", context)


@never_cache
@project_page("answers.view", "GET")
def pulse(request: ProjectRequest) -> HttpResponse:
    """Return when an item was last added or moved up; 429 for too many readers."""
    if not readers.admit(request.membership.user_id):
        return HttpResponse(status=429, headers={"Retry-After": "15"})
    return HttpResponse(latest_news(request.project.id), content_type="text/plain")


@never_cache
@project_page("answers.view", "GET")
def next_item(request: ProjectRequest) -> HttpResponse:
    """Claim the next item for a reviewer, and redirect to it.

    It is a GET although it claims an item, because a decision redirects to it and a
    link must work without JavaScript. Repeated requests claim one item, leases expire,
    and prefetches of browsers are refused.
    """
    if "prefetch" in request.headers.get("Sec-Purpose", ""):
        return HttpResponse(status=503)
    after = _after(request)
    filters = filters_in(request.GET, request.membership)
    interaction_id = (
        take_next(request.membership, request.GET, after)
        if can(request.membership.role, "review.decide")
        else _look(request, filters, after)
    )
    if interaction_id is None:
        _say_why_nothing(request)
        return redirect(_queue_url(request, filters))
    address = reverse(
        "review:answer-detail",
        args=[request.project.slug, interaction_id],
        query=filters,
    )
    return redirect(address)


def _first_free_at(page: queues.QueuePage, rows: list[QueueRow]) -> datetime | None:
    """Return when the first item becomes free, if others hold all of a list."""
    if page.next_cursor or not rows:
        return None
    if not all(row.held_by and not row.held_by_me for row in rows):
        return None
    return min(row.item.lease_until for row in rows if row.item.lease_until)


def _say_why_nothing(request: ProjectRequest) -> None:
    until = queues.free_again_at(request.project.id, timezone.now())
    if until is None:
        messages.info(request, _("There are no open items for you."))
        return
    message = _(
        "Other reviewers have claimed what is open here. The first is "
        "released at %(time)s."
    )
    messages.info(
        request, message % {"time": timezone.localtime(until).strftime("%H:%M")}
    )


def _look(
    request: ProjectRequest, filters: dict[str, str], after: ReviewItem | None
) -> UUID | None:
    """Find the next item for a viewer without claiming it."""
    items = queued_items(request.project.id, filters, request.membership.user)
    if after is not None:
        later = items.filter(rank__lt=after.rank).first()
        items = items.exclude(pk=after.pk)
        if later is not None:
            return later.interaction_id
    first = items.first()
    return first.interaction_id if first else None


def _chrome(
    request: ProjectRequest,
    form: QueueFilterForm,
    view: SavedView | None,
    now: datetime,
    gold: list[ReviewItem],
) -> dict[str, Any]:
    """Return the context around the list, which fragments do not need."""
    role, user = request.membership.role, request.membership.user
    shared = {
        "form": form,
        "view": view,
        "list_url": reverse("review:queue", args=[request.project.slug]),
        "may_decide": can(role, "review.decide"),
        "may_manage": can(role, "review.manage"),
        "reviewers": reviewers_of(request.project.id),
        "ingest_url": request.build_absolute_uri("/api/v1/interactions/"),
    }
    filters = form.filters()
    count = partial(queues.queue_count, request.project.id, now=now, user=user)
    if getattr(request, "htmx", False):
        return shared | {"count": count(filters)}
    saved = queues.views_for(request.project.id, user)
    filter_sets = [filters, *queues.BUILT_IN_VIEWS]
    filter_sets += [
        QueueFilterForm(saved_view.filters).filters() for saved_view in saved
    ]
    shown, *counts = queues.view_counts(
        request.project.id, filter_sets, now=now, user=user, gold=gold
    )
    return shared | {
        "agents": agent_names(request.project.id),
        "progress": progress_of(request.project.id, user.pk, now)
        if shared["may_decide"]
        else None,
        "count": count(filters) if shown is None else shown,
        # The header uses the same count.
        "open_count": counts[0],
        "tabs": _tabs(saved, counts, filters, view),
    }


def _tabs(
    saved: list[SavedView],
    counts: list[BoundedCount | None],
    filters: dict[str, str],
    view: SavedView | None,
) -> list[dict[str, Any]]:
    """Return the built-in views, then the saved ones, each with its count."""
    unsorted = {name: value for name, value in filters.items() if name != "sort"}
    tabs: list[dict[str, Any]] = [
        {
            "built_in": position,
            "query": _query(built_in_filters) or "all=1",
            "current": view is None and unsorted == built_in_filters,
        }
        for position, built_in_filters in enumerate(queues.BUILT_IN_VIEWS)
    ]
    tabs += [
        {
            "view": saved_view,
            "query": f"view={saved_view.id}",
            "current": saved_view == view,
        }
        for saved_view in saved
    ]
    return [tab | {"count": count} for tab, count in zip(tabs, counts, strict=True)]


def _query(filters: dict[str, str], view: SavedView | None = None) -> str:
    query = QueryDict(mutable=True)
    query.update(filters)
    if view is not None:
        query.update({"view": str(view.id)} | ({} if filters else {"all": "1"}))
    return query.urlencode()


def _queue_url(request: ProjectRequest, query: dict[str, str]) -> str:
    return reverse("review:queue", args=[request.project.slug], query=query)


def _after(request: ProjectRequest) -> ReviewItem | None:
    interaction_id = uuid_in(request.GET.get("after", ""))
    if interaction_id is None:
        return None
    return (
        ReviewItem.objects.filter(
            project=request.project, interaction_id=interaction_id
        )
        .order_by("-verification__number")
        .first()
    )


def _moment(text: str) -> datetime | None:
    try:
        moment = parse_datetime(text)
        # In UTC: the database accepts fewer offsets than ISO 8601.
        return moment.astimezone(UTC) if moment and moment.tzinfo else None
    except (ValueError, OverflowError):
        return None


# Parameters of the page that are not filters.
NOT_FILTERS = ("cursor", "view", "all", "since", "shown", "after")


def take_next(
    membership: Membership, query: QueryDict, after: ReviewItem | None
) -> UUID | None:
    """Claim the next item for a reviewer; return its answer, None if none is free.

    Args:
        membership: The reviewer's membership.
        query: The filters of the queue.
        after: The item that they decided or leave.
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
    """Return the answer that `take_next` would claim now, None if it is unknown."""
    item = free_next(
        project_id=membership.project_id,
        user=membership.user,
        filters=filters_in(query, membership),
        after=after,
    )
    return item.interaction_id if item else None


def filters_in(query: QueryDict, membership: Membership) -> dict[str, str]:
    """Return the filters of a URL for the next item: open, by priority."""
    sent = sent_filters(query, view_in(query, membership))
    filters = QueueFilterForm(sent).filters()
    return {k: v for k, v in filters.items() if k not in ("state", "sort")}


def view_in(query: QueryDict, membership: Membership) -> SavedView | None:
    """Return the saved view of a URL, if the person may see it."""
    view_id = uuid_in(query.get("view", ""))
    if view_id is None:
        return None
    views = queues.views_for(membership.project_id, membership.user)
    return next((view for view in views if view.id == view_id), None)


def sent_filters(query: QueryDict, view: SavedView | None) -> Any:
    """Return the filters of the address; of the view where it says nothing else.

    The form sends `all`: what is empty in it was emptied.
    """
    own = {name: v for name, v in query.items() if name not in NOT_FILTERS and v}
    has_filters = own or "all" in query
    return own if has_filters or view is None else view.filters


# Whether anything came into a queue: asked each second by each open list.
#
# The list itself and what others have claimed are asked for less often (`views.live`).

# People whose lists one process of the server answers so often; others ask every 15 s.
READERS = 40
# A reviewer who has not asked for so long has left.
GONE_SECONDS = 5.0


class Readers:
    """Who asked of this process lately."""

    def __init__(self, limit: int = READERS) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._last_requests: dict[int, float] = {}

    def admit(self, user_id: int) -> bool:
        """Count a reviewer who asks; False if there are too many beside them."""
        now = time.monotonic()
        with self._lock:
            self._last_requests = {
                reader: at
                for reader, at in self._last_requests.items()
                if now - at < GONE_SECONDS
            }
            if (
                user_id not in self._last_requests
                and len(self._last_requests) >= self._limit
            ):
                return False
            self._last_requests[user_id] = now
            return True


readers = Readers()


def latest_news(project_id: UUID) -> str:
    """Return when an open item last came or moved up, ISO 8601; empty if none did."""
    waiting = ReviewItem.objects.filter(
        project_id=project_id, state=ReviewItem.State.OPEN
    )
    latest = waiting.aggregate(at=Max("ranked_at"))["at"]
    return latest.isoformat() if latest else ""
