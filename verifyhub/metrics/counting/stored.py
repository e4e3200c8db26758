"""Read stored counts, and recount changed periods."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from json import loads
from typing import Any
from uuid import UUID

from django.db import connection

from verifyhub.metrics.counting.raw import DAY, Stretch, count_parts
from verifyhub.metrics.counting.stretches import Plan
from verifyhub.metrics.counting.tally import Tally
from verifyhub.metrics.models import SLICE
from verifyhub.metrics.windows import Window, midnight

# Maximum slices that a page recounts, and answers in them, each of which takes up to
# 0.3 ms; with more, metrics are as of the oldest change.
MAX_FRESH_SLICES = 40
MAX_FRESH_ANSWERS = 500

# One snapshot, so that days, slices and uncounted changes are consistent.
_READ = """
WITH pending AS (
    SELECT slice, min(created_at) AS noted FROM metrics_change
    WHERE project_id = %(project)s AND (
        slice >= %(first)s::timestamptz AND slice < %(last)s::timestamptz
        OR EXISTS (
            SELECT FROM unnest(%(since)s::timestamptz[], %(until)s::timestamptz[])
                AS edge (since, until)
            WHERE slice >= edge.since AND slice < edge.until
        )
    )
    GROUP BY slice ORDER BY slice DESC
), fresh AS (
    SELECT slice FROM pending LIMIT %(slices)s
)
SELECT 'day', day::timestamp AT TIME ZONE 'UTC', figures::text FROM metrics_daycount
WHERE project_id = %(project)s AND is_total = %(total)s
  AND day >= %(first)s::date AND day < %(last)s::date
  AND (is_total OR (%(agent)s IN ('', agent) AND %(tier)s IN ('', tier)
       AND %(model)s IN ('', model)))
UNION ALL
SELECT 'slice', slice, figures::text FROM metrics_slicecount
WHERE project_id = %(project)s
  AND %(agent)s IN ('', agent) AND %(tier)s IN ('', tier) AND %(model)s IN ('', model)
  AND slice IN (
      SELECT slice FROM fresh
      UNION ALL
      SELECT beginning
      FROM unnest(%(since)s::timestamptz[], %(until)s::timestamptz[])
          AS edge (since, until),
          generate_series(since, until - %(width)s, %(width)s) AS beginning
  )
UNION ALL
SELECT 'pending', slice, to_json(noted)::text FROM pending
"""
_ARRIVED = """
SELECT slice, (
    SELECT count(*) FROM (
        SELECT FROM ingest_interaction
        WHERE project_id = %(project)s AND created_at >= slice
          AND created_at < slice + width
        LIMIT %(most)s
    ) AS few
)
FROM unnest(%(slices)s::timestamptz[], %(widths)s::interval[]) AS wanted (slice, width)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fresh:
    """Recounted periods: slices of recent days, and whole older days."""

    slices: tuple[datetime, ...] = ()
    days: tuple[datetime, ...] = ()

    @property
    def stretches(self) -> list[Stretch]:
        """The slices and days as periods, adjacent ones joined."""
        return stretches_of(self.slices) + [(day, day + DAY) for day in self.days]


@dataclass(slots=True, kw_only=True)
class StoredWindow:
    """The counts of a window, read without unchanged rows.

    Attributes:
        days: Counts by day (UTC).
        fresh: The recounted periods.
        as_of: Later changes are not counted yet; None if all are.
    """

    days: dict[date, Tally] = field(default_factory=lambda: defaultdict(Tally))
    fresh: Fresh = field(default_factory=Fresh)
    as_of: datetime | None = None


def read_kept(
    project_id: UUID, window: Window, plan: Plan, sliced_from: date
) -> StoredWindow:
    """Read the stored counts of a window, with current changes.

    Args:
        project_id: The tenant.
        window: The window.
        plan: The plan for reading it.
        sliced_from: The first day (UTC) that is counted in slices.
    """
    stored = StoredWindow()
    slices: dict[datetime, list[Tally]] = defaultdict(list)
    pending: dict[datetime, datetime] = {}
    for kind, at, text in _rows(project_id, window, plan):
        if kind == "day":
            stored.days[_date(at)].include(Tally.from_json(loads(text)))
        elif kind == "slice":
            slices[at].append(Tally.from_json(loads(text)))
        else:
            pending[at] = datetime.fromisoformat(loads(text))
    stored.fresh = _affordable(project_id, pending, sliced_from)
    recounted = {*stored.fresh.slices, *stored.fresh.days}
    left = [
        noted
        for at, noted in pending.items()
        if _unit(at, sliced_from) not in recounted
    ]
    stored.as_of = min(left, default=None)
    for day in stored.fresh.days:
        stored.days.pop(_date(day), None)
    for at, tallies in slices.items():
        _apply(stored, at, tallies, plan)
    stretches = [*plan.raw, *stored.fresh.stretches]
    count_into(stored.days, project_id, stretches, window)
    return stored


def _apply(
    stored: StoredWindow, at: datetime, tallies: list[Tally], plan: Plan
) -> None:
    """Add a slice at the edge of a window; subtract one that is recounted."""
    day = stored.days[_date(at)]
    is_fresh = at in stored.fresh.slices
    is_edge = any(since <= at < until for since, until in plan.slices)
    for tally in tallies:
        if is_edge and not is_fresh:
            day.include(tally)
        elif is_fresh and not is_edge:
            day.without(tally)


def _unit(at: datetime, sliced_from: date) -> datetime:
    """Return the period that is recounted for a changed slice: itself, or its day."""
    return at if _date(at) >= sliced_from else midnight(at)


def _date(at: datetime) -> date:
    return at.astimezone(UTC).date()


def count_into(
    days: dict[date, Tally],
    project_id: UUID,
    stretches: list[Stretch],
    window: Window,
) -> None:
    """Add counts of some periods, read from the rows."""
    if not stretches:
        return
    for (at, _), tally in count_parts(project_id, stretches, scope=window).items():
        days[_date(at)].include(tally)


def stretches_of(slices: Iterable[datetime]) -> list[Stretch]:
    """Return slices as periods, adjacent ones joined."""
    stretches: list[tuple[datetime, datetime]] = []
    for at in sorted(slices):
        if stretches and stretches[-1][1] == at:
            stretches[-1] = (stretches[-1][0], at + SLICE)
        else:
            stretches.append((at, at + SLICE))
    return [*stretches]


def _rows(project_id: UUID, window: Window, plan: Plan) -> list[tuple[Any, ...]]:
    first, last = plan.days or (date.min, date.min)
    parameters = {
        **scope_of(project_id, window),
        "total": not window.is_of_some,
        "first": _day(first, "-infinity") if plan.days else "infinity",
        "last": _day(last, "infinity"),
        "since": [since for since, _ in plan.slices],
        "until": [until for _, until in plan.slices],
        "slices": MAX_FRESH_SLICES,
        "width": SLICE,
    }
    with connection.cursor() as cursor:
        cursor.execute(_READ, parameters)
        return list(cursor.fetchall())


def scope_of(project_id: UUID, window: Window) -> dict[str, Any]:
    """Return the filter of answers, as parameters of a query."""
    return {
        "project": project_id,
        "agent": window.agent,
        "tier": window.tier,
        "model": window.model,
    }


def _affordable(
    project_id: UUID, pending: Iterable[datetime], sliced_from: date
) -> Fresh:
    """Return the newest periods, few enough to recount them quickly."""
    units = {_unit(at, sliced_from) for at in pending}
    newest = sorted(units, reverse=True)[:MAX_FRESH_SLICES]
    if not newest:
        return Fresh()
    parameters: dict[str, Any] = {
        "project": project_id,
        "slices": newest,
        "widths": [SLICE if _date(at) >= sliced_from else DAY for at in newest],
        "most": MAX_FRESH_ANSWERS + 1,
    }
    with connection.cursor() as cursor:
        cursor.execute(_ARRIVED, parameters)
        arrived = dict(cursor.fetchall())
    chosen, left = [], MAX_FRESH_ANSWERS
    for at in newest:
        if arrived[at] <= left:
            left -= arrived[at]
            chosen.append(at)
    return Fresh(
        slices=tuple(at for at in chosen if _date(at) >= sliced_from),
        days=tuple(at for at in chosen if _date(at) < sliced_from),
    )


def _day(day: date | None, endless: str) -> str:
    return f"{day.isoformat()} 00:00:00+00" if day else endless
