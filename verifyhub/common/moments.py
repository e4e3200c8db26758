"""Times in the engine's format: ISO 8601, in UTC."""

from datetime import UTC, datetime
from typing import Any

# Larger numbers are milliseconds: as seconds they would be after the year 5000.
_MILLISECONDS = 1e11


def timestamp_text(moment: datetime) -> str:
    """Return an aware time in the engine's ISO 8601 format, in UTC."""
    return moment.astimezone(UTC).isoformat()


def from_iso(text: str) -> str | None:
    """Parse a date and time; None if it is invalid.

    Without an offset it counts as UTC.
    """
    try:
        moment = datetime.fromisoformat(text)
        return timestamp_text(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        return None


def moment(value: Any) -> str | None:
    """Parse a time of a transcript: ISO 8601, or seconds or milliseconds."""
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
    """Return the milliseconds between two times in milliseconds."""
    numbers = [v for v in (start, end) if isinstance(v, int | float)]
    if len(numbers) < 2 or not 0 <= numbers[1] - numbers[0] < 2**53:
        return None
    return int(numbers[1] - numbers[0])


def duration(value: Any) -> int | None:
    """Return a duration in milliseconds; None if the JSON value is invalid."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value < 2**53 else None
