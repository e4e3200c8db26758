"""Where a page of the queue begins, as text that an address can carry."""

import json
import math
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.utils.dateparse import parse_datetime

from verifyhub.review.models import ReviewItem
from verifyhub.review.queue.order import order_of, place_of_item

# The values of an item's fields by which a list is sorted, its id last.
Place = tuple[Any, ...]

# One that a page gave has some 200 characters, and those of an agent's name.
MAX_CURSOR = 1500


class UnreadableCursorError(ValueError):
    """A cursor is none that a page of this list gave."""


def cursor_behind(item: ReviewItem, *, sort: str) -> str:
    """Return the cursor of the page that begins behind an item.

    Args:
        item: The last that was shown or searched.
        sort: What the list is sorted by (`order.sort_in`).
    """
    place = [_written(value) for value in place_of_item(item, order_of(sort))]
    parts = [sort, *place, str(item.project_id)]
    text = json.dumps(parts, ensure_ascii=False)
    return urlsafe_b64encode(text.encode()).decode()


def place_of(cursor: str, *, project_id: UUID, sort: str) -> Place | None:
    """Return the values that a page begins behind; None for the first page.

    Raises:
        UnreadableCursorError: If it is changed, or of another project or list.
    """
    if not cursor:
        return None
    try:
        of_sort, *values, project = _parts(cursor)
        if UUID(project) == project_id and of_sort == sort:
            names = [name for name, _ in order_of(sort)]
            pairs = zip(names, values, strict=True)
            return tuple(READ.get(name, _moment)(value) for name, value in pairs)
    except (ValueError, TypeError, AttributeError, OverflowError) as error:
        raise UnreadableCursorError(cursor[:MAX_CURSOR]) from error
    raise UnreadableCursorError(cursor)


def _written(value: Any) -> str | float:
    if isinstance(value, datetime):
        return value.isoformat()
    return value if isinstance(value, float) else str(value)


def _parts(cursor: str) -> list[Any]:
    if len(cursor) > MAX_CURSOR:
        raise ValueError
    parts = json.loads(urlsafe_b64decode(cursor.encode()))
    return parts if isinstance(parts, list) else []


def _moment(value: str) -> datetime:
    found = parse_datetime(value)
    if found is None or found.tzinfo is None:
        raise ValueError
    # In UTC: the database knows fewer offsets than the notation.
    return found.astimezone(UTC)


def _number(value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise ValueError
    return float(value)


def _text(value: str) -> str:
    # What the database cannot hold.
    if "\0" in value:
        raise ValueError
    value.encode()
    return value


READ: dict[str, Callable[[Any], Any]] = {
    "rank": _number,
    "risk": _number,
    "agent_name": _text,
    "id": UUID,
}
