"""Store the counts of slices and of days."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from verifyhub.metrics.counting.names import names_as_json
from verifyhub.metrics.counting.raw import (
    DAY,
    NameCounts,
    Part,
    Stretch,
    count_both,
)
from verifyhub.metrics.counting.stored import stretches_of
from verifyhub.metrics.counting.tally import REST, Tally
from verifyhub.metrics.models import SLICE, DayCount, SliceCount
from verifyhub.metrics.services import names
from verifyhub.metrics.windows import Window, midnight_of

ALL_ANSWERS = Window(days=None, since=None)
# Maximum agents, tiers and models that a slice, or a day, counts separately.
MAX_PARTS = 200
# The first key of the advisory locks.
_LOCK = 0x636E7473
_NO_PART: Part = ("", "", "")
# The part for all others.
REST_PART: Part = (REST, REST, REST)


def try_lock_counts(project_id: UUID) -> bool:
    """Lock a project's counts until the transaction ends; False if another has."""
    return bool(_locked("pg_try_advisory_xact_lock", project_id))


def lock_counts(project_id: UUID) -> None:
    """Wait for the lock of a project's counts; it lasts until the transaction ends."""
    _locked("pg_advisory_xact_lock", project_id)


def count_slices(
    project_id: UUID, stretches: list[Stretch], width: timedelta = SLICE
) -> list[SliceCount]:
    """Count slices, or days, from the rows; empty ones are left out."""
    now = timezone.now()
    counted, loose_names = count_both(
        project_id,
        stretches,
        scope=ALL_ANSWERS,
        width=width,
        most_names=names.MAX_SLICE_NAMES if width == SLICE else names.MAX_TOTAL_NAMES,
    )
    parts = _few_parts(counted)
    named: dict[tuple[datetime, Part], list[NameCounts]] = defaultdict(list)
    for name in loose_names:
        part = name.part if (name.at, name.part) in parts else REST_PART
        named[name.at, part].append(name)
    slices = []
    for (at, part), tally in parts.items():
        tally.bound()
        slices.append(
            SliceCount(
                slice=at,
                names=names_as_json(named[at, part]),
                **_columns(project_id, part, tally, now),
            )
        )
    return slices


def write_slices(project_id: UUID, slices: Collection[datetime]) -> None:
    """Recount slices and their days from the rows.

    The caller has locked the project's counts.
    """
    SliceCount.objects.filter(project_id=project_id, slice__in=slices).delete()
    rows = count_slices(project_id, stretches_of(slices))
    SliceCount.objects.bulk_create(rows, batch_size=500)
    for day in sorted({at.astimezone(UTC).date() for at in slices}):
        _write_day(project_id, day, list(slices_of(project_id, day)))


def write_whole_day(project_id: UUID, day: date) -> None:
    """Recount a day from the rows, without its slices."""
    slices_of(project_id, day).delete()
    _write_day(project_id, day, count_whole_day(project_id, day))


def count_whole_day(project_id: UUID, day: date) -> list[SliceCount]:
    """Count a day from the rows, by agent, tier and model."""
    start = midnight_of(day)
    return count_slices(project_id, [(start, start + DAY)], width=DAY)


def _write_day(project_id: UUID, day: date, rows: list[SliceCount]) -> None:
    now = timezone.now()
    DayCount.objects.filter(project_id=project_id, day=day).delete()
    parts, named = sum_of_day(rows)
    DayCount.objects.bulk_create(
        DayCount(day=day, is_total=is_total, **_columns(project_id, part, tally, now))
        for is_total, part, tally in parts
    )
    names.write_names(project_id, day, named)


def slices_of(project_id: UUID, day: date) -> QuerySet[SliceCount]:
    """Return the counts of a day's slices, in their order."""
    start = midnight_of(day)
    rows = SliceCount.objects.filter(
        project_id=project_id, slice__gte=start, slice__lt=start + DAY
    )
    return rows.order_by("slice", "agent", "tier", "model")


def sum_of_day(
    rows: Sequence[SliceCount],
) -> tuple[list[tuple[bool, Part, Tally]], names.DayNames]:
    """Return the sums of slices, of all agents and of each, and their names."""
    total = Tally()
    by_part: dict[tuple[None, Part], Tally] = defaultdict(Tally)
    for row in rows:
        tally = Tally.from_json(row.figures)
        total.include(tally)
        by_part[None, (row.agent, row.tier, row.model)].include(tally)
    parts = {part: tally for (_, part), tally in _few_parts(by_part).items()}
    named = names.names_of_day(
        rows, total, parts, lambda part: part if part in parts else REST_PART
    )
    sums = [(True, _NO_PART, total)] if total else []
    sums += [(False, part, tally) for part, tally in parts.items()]
    for _, _, tally in sums:
        tally.bound()
    return sums, named


def _few_parts(
    parts: dict[tuple[Any, Part], Tally],
) -> dict[tuple[Any, Part], Tally]:
    """Merge the agents with the fewest answers, if a slice or day has too many."""
    parts_at: dict[Any, list[Part]] = defaultdict(list)
    for at, part in parts:
        parts_at[at].append(part)
    merged = dict(parts)
    for at, members in parts_at.items():
        if len(members) <= MAX_PARTS:
            continue
        members.sort(key=lambda part: (-_received(parts[at, part]), part))
        rest = merged.setdefault((at, REST_PART), Tally())
        for part in members[MAX_PARTS:]:
            if part != REST_PART:
                rest.include(merged.pop((at, part)))
    return merged


def _columns(
    project_id: UUID, part: Part, tally: Tally, now: datetime
) -> dict[str, Any]:
    agent, tier, model = part
    return {
        "project_id": project_id,
        "agent": agent,
        "tier": tier,
        "model": model,
        "figures": tally.as_json(),
        "answers": _received(tally),
        "open_items": tally.sum("opened")["open"],
        "counted_at": now,
    }


def _received(tally: Tally) -> int:
    return tally.sum("answers")["received"]


def _locked(function: str, project_id: UUID) -> object:
    with connection.cursor() as cursor:
        cursor.callproc(function, [_LOCK, project_id.int % 2**31])
        return cursor.fetchone()[0]
