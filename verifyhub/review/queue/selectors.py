"""Reads of the queue: settings, pages, counts and saved views."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet, prefetch_related_objects
from django.utils import timezone

from verifyhub.accounts.models import User
from verifyhub.common.counts import (
    BoundedCount,
    PreparedCounts,
    bounded_count,
    bounded_counts,
)
from verifyhub.common.prepared import PreparedQuery
from verifyhub.review.models import Duty, Question, QueueSettings, ReviewItem, SavedView
from verifyhub.review.queue.filters import (
    SEARCH_WINDOW,
    Items,
    all_with_text,
    filtered,
    in_window,
    matching,
    ordered,
    searched,
    with_text,
)
from verifyhub.review.queue.order import (
    Place,
    behind,
    cursor_behind,
    is_behind,
    order_of,
    place_of,
    sort_in,
    sorted_items,
)
from verifyhub.review.visibility import handed_items, mask_list, withheld_items
from verifyhub.verification.models import Verification

PAGE_SIZE = 25
# Columns that lists do not load: whole answers and reports.
HEAVY = ("interaction__answer_text", "verification__report")
# Fetched separately: planning five more joins takes longer than executing them.
PEOPLE = ("resolved_by", "resolved_by_key", "assignee", "lease_holder", "lease_key")


@dataclass(frozen=True, slots=True)
class QueuePage:
    """Some items in the queue's order.

    Attributes:
        items: The items of the page.
        next_cursor: The cursor of the next page; empty at the end.
        searched: How many texts were read, if a search stopped before it had a full
            page; else 0.
        gold: The gold that the viewer was handed, wherever it is shown.
    """

    items: list[ReviewItem]
    next_cursor: str
    searched: int = 0
    gold: list[ReviewItem] = field(default_factory=list)


def queue_settings(project_id: UUID) -> QueueSettings:
    """Return a project's queue settings; unsaved defaults if there are none."""
    return settings_of([project_id])[project_id]


_SETTINGS = PreparedQuery(
    lambda projects: QueueSettings.objects.filter(project__any_of=projects)
)


def settings_of(project_ids: Collection[UUID]) -> dict[UUID, QueueSettings]:
    """Return `queue_settings` of several projects."""
    settings = {row.project_id: row for row in _SETTINGS(projects=list(project_ids))}
    return {
        project_id: settings.get(project_id) or QueueSettings(project_id=project_id)
        for project_id in project_ids
    }


def projects_to_rerank() -> list[UUID]:
    """Return the projects whose settings have changed since their items were ranked."""
    changed = QueueSettings.objects.filter(rerank_from__isnull=False)
    return list(changed.values_list("project_id", flat=True))


def queue_page(
    project_id: UUID,
    filters: Mapping[str, Any],
    *,
    now: datetime,
    user: User | None = None,
    cursor: str = "",
    size: int = PAGE_SIZE,
) -> QueuePage:
    """Return one page of the queue, beginning after a cursor.

    A cursor has values and an id, so that items decided or opened meanwhile shift
    nothing. `news_since` counts items that move up past the cursor.

    Raises:
        UnreadableCursorError: If the cursor is not from a page of this list.
    """
    sort = sort_in(filters)
    items = matching(project_id, filters, now=now, user=user)
    apart = _Apart(project_id, user, now)
    items, handed = apart.of(items, filters)
    place = place_of(cursor, project_id=project_id, sort=sort)
    if place:
        items = items.filter(behind(order_of(sort), place))
    items = ordered(items, filters)
    text = str(filters.get("text") or "")
    if text:
        searched = _searched(items, filters, text, sort, size)
        if handed and not place:
            searched.items[:] = _with_handed(searched.items, handed, None, sort)
        return replace(searched, gold=apart.handed)
    is_start = not filters and not handed and not place and size == PAGE_SIZE
    rows = _first_rows(project_id, now) if is_start else list(_shown(items)[: size + 1])
    rows = _with_handed(rows, handed, place, sort)
    more = len(rows) > size
    cursor = cursor_behind(rows[size - 1], sort=sort) if more else ""
    return QueuePage(rows[:size], cursor, gold=apart.handed)


_FIRST = PreparedQuery(
    lambda project, now: _with_texts(ordered(matching(project, {}, now=now), {}))[
        : PAGE_SIZE + 1
    ]
)


def _first_rows(project_id: UUID, now: datetime) -> list[ReviewItem]:
    """Return the open items of the first page, as most requests show it."""
    rows = _FIRST(project=project_id, now=now)
    named = [name for name in PEOPLE if any(getattr(row, f"{name}_id") for row in rows)]
    prefetch_related_objects(rows, *named)
    return rows


class _Apart:
    """Separates gold from the queue's rows, and selects which of it to show.

    Gold that a reviewer was handed is shown as open until they have judged it. It is a
    few rows, read once, so that the queue's queries can use their indexes.
    """

    def __init__(
        self,
        project_id: UUID,
        user: User | None,
        now: datetime,
        handed: list[ReviewItem] | None = None,
    ) -> None:
        self._project_id, self._user, self._now = project_id, user, now
        if handed is None:
            handed = handed_items(project_id, user) if user else []
        self.handed = handed

    def is_nothing(self) -> bool:
        """Whether the viewer was handed no gold."""
        return self._user is not None and not self.handed

    def of(
        self, items: Items, filters: Mapping[str, Any]
    ) -> tuple[Items, list[ReviewItem]]:
        """Return the other rows of a set of filters, and the gold that passes them."""
        decided = filters.get("state") == "resolved"
        if self._user is None:
            hidden = withheld_items(self._project_id, None) if decided else set()
            return (items.exclude(pk__in=hidden) if hidden else items), []
        if not self.handed:
            return items, []
        open_ = ReviewItem.State.OPEN
        shown = [i.pk for i in self.handed if (i.state != open_) == decided]
        gold = filtered(
            ReviewItem.objects.filter(pk__in=shown),
            filters,
            now=self._now,
            user=self._user,
        )
        gold = searched(gold, filters)
        gold_items = list(_shown(gold)) if shown else []
        mask_list(gold_items, self._project_id, self._user)
        return items.exclude(pk__in=[item.pk for item in self.handed]), gold_items


def _with_handed(
    items: list[ReviewItem], handed: list[ReviewItem], place: Place | None, sort: str
) -> list[ReviewItem]:
    """Insert gold at the position of an item with its values."""
    order = order_of(sort)
    more = [item for item in handed if not place or is_behind(item, order, place)]
    return sorted_items([*items, *more], order) if more else items


def queue_count(
    project_id: UUID,
    filters: Mapping[str, Any],
    *,
    now: datetime,
    user: User | None = None,
    handed: list[ReviewItem] | None = None,
) -> BoundedCount:
    """Count the items of some filters, with a limit.

    Args:
        project_id: The tenant.
        filters: What to count.
        now: The time for ages and due times.
        user: The viewer; None for a program.
        handed: The gold that the viewer was handed, if it was read already.
    """
    gold = _Apart(project_id, user, now, handed)
    if not filters and gold.is_nothing():
        return _OPEN(project=project_id, now=now)[0]
    items = matching(project_id, filters, now=now, user=user)
    items, handed = gold.of(items, filters)
    text = str(filters.get("text") or "")
    if not text:
        count = bounded_count(items)
        return BoundedCount(count.value + len(handed), count.more)
    window = ordered(items, filters)[:SEARCH_WINDOW]
    total = with_text(window, text).count() + len(handed)
    return BoundedCount(total, items.order_by()[SEARCH_WINDOW:][:1].exists())


# The views that every queue has, by their filters.
BUILT_IN_VIEWS: tuple[dict[str, str], ...] = (
    {},
    {"assignee": "me"},
    {"due": "overdue"},
    {"state": "resolved"},
)
_OPEN = PreparedCounts(lambda project, now: [matching(project, {}, now=now)])
_BUILT_IN = PreparedCounts(
    lambda project, now, user: [
        matching(project, filters, now=now, user=user) for filters in BUILT_IN_VIEWS
    ]
)


def view_counts(
    project_id: UUID,
    views: Sequence[Mapping[str, Any]],
    *,
    now: datetime,
    user: User | None = None,
    gold: list[ReviewItem] | None = None,
) -> list[BoundedCount | None]:
    """Count the items of several sets of filters, in one query.

    Those of `BUILT_IN_VIEWS` are counted by another one, which is built once. Text
    searches are not counted (None), since that would read all texts.

    Args:
        project_id: The tenant.
        views: The filters of each.
        now: The time for ages and due times.
        user: The viewer; None for a program.
        gold: The gold that the viewer was handed, if it was read already.
    """
    gold_filter = _Apart(project_id, user, now, gold)
    known: list[BoundedCount] = []
    if user is not None and gold_filter.is_nothing():
        known = _BUILT_IN(project=project_id, now=now, user=user.pk)
    built_in = BUILT_IN_VIEWS[: len(known)]
    plain = [
        filters
        for filters in views
        if not filters.get("text") and filters not in built_in
    ]
    split = [
        gold_filter.of(matching(project_id, filters, now=now, user=user), filters)
        for filters in plain
    ]
    counts = bounded_counts([items for items, _gold in split])
    bounded = iter(
        BoundedCount(count.value + len(gold), count.more)
        for count, (_items, gold) in zip(counts, split, strict=True)
    )
    return [
        None
        if filters.get("text")
        else known[built_in.index(filters)]
        if filters in built_in
        else next(bounded)
        for filters in views
    ]


def open_count(
    project_id: UUID, user: User, handed: list[ReviewItem] | None = None
) -> BoundedCount:
    """Return how many answers are open for review, for the header of every page."""
    now = timezone.now()
    return queue_count(project_id, {}, now=now, user=user, handed=handed)


def news_since(
    project_id: UUID,
    filters: Mapping[str, Any],
    *,
    since: datetime,
    now: datetime,
    user: User | None = None,
) -> BoundedCount:
    """Count the open items that were added or moved up since a page was loaded."""
    items = matching(project_id, filters, now=now, user=user)
    fresh = items.filter(ranked_at__gt=since)
    return bounded_count(in_window(fresh, filters), limit=99)


def shown_again(project_id: UUID, ids: list[UUID]) -> list[ReviewItem]:
    """Return the current rows of items that a page shows, at most one page."""
    return list(
        _shown(ReviewItem.objects.filter(project_id=project_id, pk__in=ids[:PAGE_SIZE]))
    )


def item_of(
    project_id: UUID, item_id: UUID, user: User | None = None
) -> ReviewItem | None:
    """Return one item of a project with the relations of its page, for a viewer."""
    queryset = ReviewItem.objects.filter(project_id=project_id, pk=item_id)
    items = list(_shown(queryset))
    if user is not None:
        mask_list(items, project_id, user)
    return items[0] if items else None


_JUDGING = PreparedQuery(
    lambda project, run: ReviewItem.objects.filter(
        project=project, verification=run
    ).select_related(*PEOPLE)
)


def item_judging(run: Verification) -> ReviewItem | None:
    """Return the item of a verification with the people that its page names."""
    return _JUDGING.first(project=run.project_id, run=run.pk)


_AHEAD = PreparedCounts(
    lambda project, rank, item: [
        ReviewItem.objects.filter(
            Q(rank__gt=rank) | Q(rank=rank, id__lt=item),
            project=project,
            state=ReviewItem.State.OPEN,
        )
    ],
    limit=1000,
)


def ahead_of(item: ReviewItem) -> BoundedCount:
    """Count the open items before one."""
    return _AHEAD(project=item.project_id, rank=item.rank, item=item.pk)[0]


def free_again_at(project_id: UUID, now: datetime) -> datetime | None:
    """Return when the first lease of a project ends; None without leases."""
    rows = ReviewItem.objects.filter(
        project_id=project_id,
        state=ReviewItem.State.OPEN,
        lease_token__isnull=False,
        lease_until__gt=now,
    )
    return rows.order_by("lease_until").values_list("lease_until", flat=True).first()


_VIEWS = PreparedQuery(
    lambda project, user: (
        SavedView.objects.filter(Q(owner=user) | Q(shared=True), project=project)
        .select_related("owner")
        .order_by("name", "id")[:30]
    )
)


def views_for(project_id: UUID, user: User) -> list[SavedView]:
    """Return a reviewer's own views and the shared ones, by name."""
    return _VIEWS(project=project_id, user=user.pk)


_DUTY = PreparedQuery(
    lambda project, user: Duty.objects.filter(
        project=project, user=user
    ).select_related("default_view")
)


def default_view(project_id: UUID, user: User) -> SavedView | None:
    """Return a reviewer's default view, if they may still see it."""
    duty = _DUTY.first(project=project_id, user=user.pk)
    view = duty.default_view if duty else None
    return view if view and (view.shared or view.owner_id == user.pk) else None


_QUESTIONS = PreparedQuery(
    lambda project, item: (
        Question.objects.filter(project=project, item=item)
        .select_related("asked_by", "asked_of")
        .order_by("created_at", "id")
    )
)


def questions_of(item: ReviewItem) -> list[Question]:
    """Return the questions about an item, oldest first."""
    return _QUESTIONS(project=item.project_id, item=item.pk)


def _shown(items: Items) -> Items:
    return _with_texts(items).prefetch_related(*PEOPLE)


def _with_texts(items: Items) -> Items:
    return items.select_related("interaction", "verification").defer(*HEAVY)


def _searched(
    items: Items, filters: Mapping[str, Any], text: str, sort: str, size: int
) -> QueuePage:
    """Search a window; if it has too few matches, the next page continues after it."""
    window = items[:SEARCH_WINDOW]
    rows = list(_shown(ordered(with_text(window, text), filters))[: size + 1])
    if len(rows) > size:
        return QueuePage(rows[:size], cursor_behind(rows[size - 1], sort=sort))
    last = items[SEARCH_WINDOW - 1 : SEARCH_WINDOW].first()
    if last is None:
        return QueuePage(rows, "")
    return QueuePage(rows, cursor_behind(last, sort=sort), SEARCH_WINDOW)


def queued_items(
    project_id: UUID, filters: Mapping[str, Any], user: User | None = None
) -> QuerySet[ReviewItem]:
    """Return every item of the queue's filters, in order.

    Unlike `queue_page`, whose text search reads one window, it reads all texts.

    Args:
        project_id: The tenant.
        filters: Cleaned data of `QueueFilterForm`; empty values do not filter.
        user: The person that `me` stands for.
    """
    items = matching(project_id, filters, now=timezone.now(), user=user)
    if text := filters.get("text"):
        items = all_with_text(items, str(text))
    shown = items.select_related("interaction", "verification", "resolved_by")
    return ordered(shown.defer(*HEAVY), filters)
