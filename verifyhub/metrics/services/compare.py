"""Compare stored counts with the rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from verifyhub.metrics.counting.raw import DAY, Part
from verifyhub.metrics.counting.tally import Tally
from verifyhub.metrics.models import Change, CountState, DayCount, SliceCount
from verifyhub.metrics.services.names import stored_names
from verifyhub.metrics.services.slices import (
    count_slices,
    count_whole_day,
    lock_counts,
    slices_of,
    sum_of_day,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CountDifference:
    """A stored count that differs from the rows.

    `stored` is the stored count, `counted` the current one of the rows; None if absent.
    """

    day: date
    what: str
    stored: Any
    counted: Any


@transaction.atomic
def differences(*, project_id: UUID, day: date) -> list[CountDifference]:
    """Compare a day's counts with its rows.

    Slices with uncounted changes are left out. The lock prevents others from counting,
    and changes are read last, so that concurrent ones are not reported as differences.
    """
    lock_counts(project_id)
    start = datetime(day.year, day.month, day.day, tzinfo=UTC)
    state = CountState.objects.filter(project_id=project_id).first()
    if state is None or (state.counted_from and day < state.counted_from):
        return []
    if day < state.sliced_from:
        recounted = count_whole_day(project_id, day)
        return (
            []
            if _waiting(project_id, start)
            else list(_days(project_id, day, recounted))
        )
    stored = {_place(row): row for row in slices_of(project_id, day)}
    counted = {
        _place(row): row for row in count_slices(project_id, [(start, start + DAY)])
    }
    waiting = _waiting(project_id, start)
    differing = [
        CountDifference(
            day=day, what=f"slice {at:%H:%M} {' / '.join(part)}: {name}", **both
        )
        for at, *part in sorted({*stored, *counted})
        if at not in waiting
        for name in ("figures", "names")
        if (both := _stored_and_counted(stored, counted, (at, *part), name))["stored"]
        != both["counted"]
    ]
    return differing + list(_days(project_id, day, list(stored.values())))


def _waiting(project_id: UUID, start: datetime) -> set[datetime]:
    rows = Change.objects.filter(
        project_id=project_id, slice__gte=start, slice__lt=start + DAY
    )
    return set(rows.values_list("slice", flat=True))


def _days(
    project_id: UUID, day: date, rows: list[SliceCount]
) -> Iterator[CountDifference]:
    """Compare the day's sums with those of its slices."""
    stored: dict[tuple[bool, Part], Any] = {
        (row.is_total, (row.agent, row.tier, row.model)): _comparable(row.figures)
        for row in DayCount.objects.filter(project_id=project_id, day=day)
    }
    parts, names = sum_of_day(rows)
    counted = {(is_total, part): tally.as_json() for is_total, part, tally in parts}
    for key in sorted({*stored, *counted}):
        if stored.get(key) != counted.get(key):
            what = f"day {'all' if key[0] else ' / '.join(key[1])}"
            yield CountDifference(
                day=day, what=what, stored=stored.get(key), counted=counted.get(key)
            )
    names_before = stored_names(project_id, day)
    for stored_part, counted_part in (
        (names_before.parts, names.parts),
        (names_before.total, names.total),
    ):
        for name in sorted({*stored_part, *counted_part}):
            if stored_part.get(name) != counted_part.get(name):
                yield CountDifference(
                    day=day,
                    what=f"name {name[-1]}",
                    stored=stored_part.get(name),
                    counted=counted_part.get(name),
                )


def _place(row: SliceCount) -> tuple[Any, ...]:
    return row.slice, row.agent, row.tier, row.model


def _stored_and_counted(
    stored: dict[tuple[Any, ...], SliceCount],
    counted: dict[tuple[Any, ...], SliceCount],
    place: tuple[Any, ...],
    name: str,
) -> dict[str, Any]:
    first, second = stored.get(place), counted.get(place)
    return {
        "stored": _comparable(getattr(first, name)) if first else None,
        "counted": _comparable(getattr(second, name)) if second else None,
    }


def _comparable(value: Any) -> Any:
    """Return names in a fixed order, and figures in the current format."""
    if not isinstance(value, list):
        return Tally.from_json(value).as_json()
    return sorted(
        ({**name, "sessions": sorted(name["sessions"])} for name in value),
        key=lambda name: (name["kind"], name["key"]),
    )
