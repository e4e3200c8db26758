"""Days and times in filters of lists."""

from datetime import UTC, datetime, time, timedelta

from django.utils.dateparse import parse_date, parse_datetime


def moment(text: str, *, is_end: bool = False) -> datetime | None:
    """Parse a day or a time; without an offset it is in UTC.

    Args:
        text: A day such as `2026-11-21`, or with a time.
        is_end: Whether a day means its end, which is the beginning of the next day.

    Returns:
        The time in UTC, since the database accepts fewer offsets than ISO 8601; None
        if the text is invalid.
    """
    try:
        parsed = parse_datetime(text) if len(text) > len("2026-11-21") else None
        day = None if parsed else parse_date(text)
        if parsed:
            aware = parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
            return aware.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    if day is None or not 1 < day.year < 9999:
        return None
    return datetime.combine(day, time.min, tzinfo=UTC) + timedelta(days=is_end)
