"""Where a page of the queue begins, as text that an address can carry."""

import json
import math
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.utils.dateparse import parse_datetime

from verifyhub.review.models import ReviewItem

# When it was decided, in the list of decided items, else its rank; and its id.
Place = tuple[Any, UUID]

# One that a page gave has some 180 characters.
MAX_CURSOR = 400


class UnreadableCursorError(ValueError):
    """A cursor is none that a page of this list gave."""


def cursor_behind(item: ReviewItem, *, decided: bool) -> str:
    """Return the cursor of the page that begins behind an item.

    Args:
        item: The last that was shown or searched.
        decided: Whether the list is that of decided items, whose order is another.
    """
    resolved = item.resolved_at.isoformat() if item.resolved_at else ""
    place = [resolved if decided else item.rank, str(item.pk), str(item.project_id)]
    return urlsafe_b64encode(json.dumps(place).encode()).decode()


def place_of(cursor: str, *, project_id: UUID, decided: bool) -> Place | None:
    """Return the value and the id that a page begins behind; None for the first page.

    Raises:
        UnreadableCursorError: If it is changed, or of another project or list.
    """
    if not cursor:
        return None
    try:
        value, item, project = _parts(cursor)
        if UUID(project) == project_id:
            return (_moment(value) if decided else _rank(value)), UUID(item)
    except (ValueError, TypeError, AttributeError, OverflowError) as error:
        raise UnreadableCursorError(cursor[:MAX_CURSOR]) from error
    raise UnreadableCursorError(cursor)


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


def _rank(value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise ValueError
    return float(value)
