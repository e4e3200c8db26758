"""Sort orders of the queue, and keyset pagination in each."""

from collections.abc import Mapping, Sequence
from functools import cmp_to_key
from typing import Any
from uuid import UUID

from django.core import signing
from django.core.exceptions import ValidationError
from django.db.models import F, Q, Value
from django.db.models.expressions import OrderBy

from verifyhub.review.models import ReviewItem

# A field, and whether the highest comes first. Each order ends in the id, and each of
# open items is that of an index (`models.queue.QUEUE_INDEXES`), read either way.
Order = tuple[tuple[str, bool], ...]

PRIORITY: Order = (("rank", True), ("id", False))
DECIDED_LAST: Order = (("resolved_at", True), ("id", False))
SORTS: dict[str, Order] = {
    "priority": PRIORITY,
    "risk": (("risk", True), ("id", False)),
    "age": (("created_at", False), ("id", False)),
    "agent": (("agent_name", False), ("rank", True), ("id", False)),
}


def sort_in(filters: Mapping[str, Any]) -> str:
    """Return the sort of a list; a leading minus reverses it."""
    if filters.get("state") == "resolved":
        return ""
    sort = str(filters.get("sort") or "")
    return sort if sort.removeprefix("-") in SORTS else "priority"


def order_of(sort: str) -> Order:
    """Return the order of a sort from `sort_in`."""
    order = SORTS.get(sort.removeprefix("-"), DECIDED_LAST)
    if sort.startswith("-"):
        return tuple((name, not high_first) for name, high_first in order)
    return order


def terms(order: Order, *, of_latest: bool = False) -> list[OrderBy]:
    """Return an order for `order_by`.

    Args:
        order: One of the orders above.
        of_latest: Whether a filter keeps only recent items, which have a low priority:
            the index on priority would be read through all older items. Then the rank
            becomes an expression, so that the index on time is used instead.
    """
    ordering = []
    for name, high_first in order:
        plain = name != "rank" or not of_latest
        value = F(name) if plain else F(name) + Value(0.0)
        ordering.append(OrderBy(value, descending=high_first))
    return ordering


def behind(order: Order, place: Sequence[Any]) -> Q:
    """Return a filter for items after a position, with bounds that an index serves."""
    (name, high_first), value = order[0], place[0]
    after = Q(**{f"{name}__{'lt' if high_first else 'gt'}": value})
    if len(order) == 1:
        return after
    return Q(**{f"{name}__{'lte' if high_first else 'gte'}": value}) & (
        after | behind(order[1:], place[1:])
    )


def place_of_item(item: ReviewItem, order: Order) -> tuple[Any, ...]:
    """Return an item's position: its values of the order's fields."""
    return tuple(getattr(item, name) for name, _ in order)


def is_behind(item: ReviewItem, order: Order, place: Sequence[Any]) -> bool:
    """Whether an item comes after a position."""
    return _compare(place_of_item(item, order), place, order) > 0


def sorted_items(items: Sequence[ReviewItem], order: Order) -> list[ReviewItem]:
    """Return items in an order."""

    def compare(item: ReviewItem, other: ReviewItem) -> int:
        return _compare(place_of_item(item, order), place_of_item(other, order), order)

    return sorted(items, key=cmp_to_key(compare))


def _compare(left: Sequence[Any], right: Sequence[Any], order: Order) -> int:
    for (_, high_first), a, b in zip(order, left, right, strict=True):
        if a != b:
            return 1 if (a < b) == high_first else -1
    return 0


# A position: the values of the fields by which a list is sorted, ending with the id.
Place = tuple[Any, ...]


class UnreadableCursorError(ValueError):
    """The cursor is not from a page of this list."""


def cursor_behind(item: ReviewItem, *, sort: str) -> str:
    """Return the cursor of the page that begins after an item.

    Args:
        item: The last item that was shown or searched.
        sort: The sort of the list (`sort_in`).
    """
    fields = _fields(sort)
    values = [field.value_to_string(item) for field in fields]
    return signing.dumps(values, salt=_salt(item.project_id, sort))


def place_of(cursor: str, *, project_id: UUID, sort: str) -> Place | None:
    """Return the position after which a page begins; None for the first page.

    Raises:
        UnreadableCursorError: If it was changed, or is of another project or list.
    """
    if not cursor:
        return None
    try:
        values = signing.loads(cursor, salt=_salt(project_id, sort))
        pairs = zip(_fields(sort), values, strict=True)
        return tuple(field.to_python(value) for field, value in pairs)
    except (signing.BadSignature, ValidationError) as error:
        raise UnreadableCursorError(cursor) from error


def _fields(sort: str) -> list[Any]:
    return [ReviewItem._meta.get_field(name) for name, _ in order_of(sort)]


def _salt(project_id: UUID, sort: str) -> str:
    return f"review.queue {project_id} {sort}"
