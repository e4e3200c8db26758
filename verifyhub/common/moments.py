"""Moments as the engine sees them: ISO 8601, in UTC."""

from datetime import UTC, datetime
from typing import Any

# Numbers from here on are milliseconds: as seconds they lie after the year 5000.
_MILLISECONDS = 1e11


def timestamp_text(moment: datetime) -> str:
    """Write an aware moment as the one ISO 8601 text the engine sees, in UTC."""
    return moment.astimezone(UTC).isoformat()


def from_iso(text: str) -> str | None:
    """Read a date and time; None where it is none.

    Without an offset the agent's clock is taken for UTC.
    """
    try:
        moment = datetime.fromisoformat(text)
        return timestamp_text(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        return None


def moment(value: Any) -> str | None:
    """Read a moment as transcripts write it: ISO 8601, or seconds or milliseconds."""
    if isinstance(value, str):
        return from_iso(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    seconds = value / 1000 if abs(value) >= _MILLISECONDS else value
    try:
        return timestamp_text(datetime.fromtimestamp(seconds, tz=UTC))
    except (ValueError, OverflowError, OSError):
        return None


def milliseconds(start: Any, end: Any) -> int | None:
    """Return how long something took that began and ended at these milliseconds."""
    numbers = [v for v in (start, end) if isinstance(v, int | float)]
    if len(numbers) < 2 or not 0 <= numbers[1] - numbers[0] < 2**53:
        return None
    return int(numbers[1] - numbers[0])


def duration(value: Any) -> int | None:
    """Return a duration in milliseconds; None where the JSON value is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value < 2**53 else None
