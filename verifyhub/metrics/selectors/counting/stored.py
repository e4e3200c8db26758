"""Read counts that were made beforehand, and count anew what has changed since."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from json import loads
from typing import Any
from uuid import UUID

from django.db import connection

from verifyhub.metrics.models import SLICE
from verifyhub.metrics.selectors.counting.raw import Stretch, count_parts
from verifyhub.metrics.selectors.counting.stretches import Plan
from verifyhub.metrics.selectors.counting.tally import Tally
from verifyhub.metrics.windows import Window

# What a page may count anew: beyond it figures are as of the oldest change left.
MAX_FRESH_SLICES = 40
MAX_FRESH_ANSWERS = 1_500

# One snapshot: a day, its slices and what is not yet counted of them fit together.
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
          AND created_at < slice + %(width)s
        LIMIT %(most)s
    ) AS few
)
FROM unnest(%(slices)s::timestamptz[]) AS slice
"""


@dataclass(slots=True, kw_only=True)
class Kept:
    """What is known of a window without reading rows that nobody touched.

    Attributes:
        days: Counts by day (UTC).
        fresh: Slices that were counted anew.
        as_of: Since when changes are missing; None where none is.
    """

    days: dict[date, Tally] = field(default_factory=lambda: defaultdict(Tally))
    fresh: list[datetime] = field(default_factory=list)
    as_of: datetime | None = None


def read_kept(project_id: UUID, window: Window, plan: Plan) -> Kept:
    """Read what is counted of a window, as it is now."""
    kept = Kept()
    slices: dict[datetime, list[Tally]] = defaultdict(list)
    pending: dict[datetime, datetime] = {}
    for kind, at, text in _rows(project_id, window, plan):
        if kind == "day":
            kept.days[at.astimezone(UTC).date()].include(Tally.from_json(loads(text)))
        elif kind == "slice":
            slices[at].append(Tally.from_json(loads(text)))
        else:
            pending[at] = datetime.fromisoformat(loads(text))
    kept.fresh = _affordable(project_id, pending)
    left = [noted for at, noted in pending.items() if at not in set(kept.fresh)]
    kept.as_of = min(left, default=None)
    for at, tallies in slices.items():
        day = kept.days[at.astimezone(UTC).date()]
        if not _is_edge(at, plan):
            if at in kept.fresh:
                for tally in tallies:
                    day.without(tally)
        elif at not in kept.fresh:
            for tally in tallies:
                day.include(tally)
    count_into(kept.days, project_id, [*plan.raw, *stretches_of(kept.fresh)], window)
    return kept


def count_into(
    days: dict[date, Tally],
    project_id: UUID,
    stretches: list[Stretch],
    window: Window,
) -> None:
    """Add what rows say of some stretches of time."""
    if not stretches:
        return
    for (at, _), tally in count_parts(project_id, stretches, whose=window).items():
        days[at.astimezone(UTC).date()].include(tally)


def stretches_of(slices: Iterable[datetime]) -> list[Stretch]:
    """Return slices as stretches of time, adjacent ones as one."""
    found: list[tuple[datetime, datetime]] = []
    for at in sorted(slices):
        if found and found[-1][1] == at:
            found[-1] = (found[-1][0], at + SLICE)
        else:
            found.append((at, at + SLICE))
    return list(found)


def _rows(project_id: UUID, window: Window, plan: Plan) -> list[tuple[Any, ...]]:
    first, last = plan.days or (date.min, date.min)
    given = {
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
        cursor.execute(_READ, given)
        return list(cursor.fetchall())


def scope_of(project_id: UUID, window: Window) -> dict[str, Any]:
    """Return whose answers count, as parameters of a query."""
    return {
        "project": project_id,
        "agent": window.agent,
        "tier": window.tier,
        "model": window.model,
    }


def _affordable(project_id: UUID, pending: Iterable[datetime]) -> list[datetime]:
    """Return the newest slices, so many that counting them anew takes no time."""
    newest = sorted(pending, reverse=True)[:MAX_FRESH_SLICES]
    if not newest:
        return []
    given: dict[str, Any] = {
        "project": project_id,
        "slices": newest,
        "width": SLICE,
        "most": MAX_FRESH_ANSWERS + 1,
    }
    with connection.cursor() as cursor:
        cursor.execute(_ARRIVED, given)
        arrived = dict(cursor.fetchall())
    chosen, left = [], MAX_FRESH_ANSWERS
    for at in newest:
        if arrived[at] <= left:
            left -= arrived[at]
            chosen.append(at)
    return chosen


def _is_edge(at: datetime, plan: Plan) -> bool:
    return any(since <= at < until for since, until in plan.slices)


def _day(day: date | None, endless: str) -> str:
    return f"{day.isoformat()} 00:00:00+00" if day else endless
