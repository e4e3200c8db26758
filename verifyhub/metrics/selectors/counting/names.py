"""Which names stand without evidence in the most answers."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from json import dumps
from typing import Any

from django.db import connection

from verifyhub.accounts.models import Project
from verifyhub.metrics.models import SLICE, CountState
from verifyhub.metrics.selectors.counting.raw import SeenName, count_names
from verifyhub.metrics.selectors.counting.reading import read
from verifyhub.metrics.selectors.counting.stored import Fresh, scope_of
from verifyhub.metrics.selectors.counting.stretches import Plan, plan
from verifyhub.metrics.windows import Window

# Names with as many answers as the last one shown are told apart by their sessions;
# of so many.
TIES = 200

# Days whose slices were counted anew are read slice by slice.
_MOST = """
WITH seen AS MATERIALIZED (
    SELECT kind, key, text, reason, answers, sessions FROM metrics_dayname
    WHERE project_id = %(project)s AND day >= %(first)s::date AND day < %(last)s::date
      AND day <> ALL(%(touched)s::date[])
      AND %(agent)s IN ('', agent) AND %(tier)s IN ('', tier)
      AND %(model)s IN ('', model)
    UNION ALL
    SELECT name.* FROM metrics_slicecount AS counted,
        jsonb_to_recordset(counted.names) AS name (
            kind text, key text, text text, reason text, answers int, sessions uuid[]
        )
    WHERE counted.project_id = %(project)s
      AND counted.slice <> ALL(%(fresh)s::timestamptz[])
      AND %(agent)s IN ('', counted.agent) AND %(tier)s IN ('', counted.tier)
      AND %(model)s IN ('', counted.model)
      AND counted.slice IN (
          SELECT beginning
          FROM unnest(%(since)s::timestamptz[], %(until)s::timestamptz[])
              AS edge (since, until),
              generate_series(since, until - %(width)s, %(width)s) AS beginning
      )
    UNION ALL
    SELECT * FROM jsonb_to_recordset(%(counted)s::jsonb) AS name (
        kind text, key text, text text, reason text, answers int, sessions uuid[]
    )
), most AS (
    SELECT kind, key, max(text) AS text, max(reason) AS reason,
        sum(answers) AS answers
    FROM seen GROUP BY kind, key
    ORDER BY answers DESC, kind, key LIMIT %(ties)s
)
SELECT most.kind, most.key, most.text, most.reason, most.answers,
    count(DISTINCT session) AS sessions
FROM most
JOIN seen ON seen.kind = most.kind AND seen.key = most.key
LEFT JOIN LATERAL unnest(seen.sessions) AS session ON true
GROUP BY most.kind, most.key, most.text, most.reason, most.answers
ORDER BY most.answers DESC, sessions DESC, most.kind, most.key LIMIT %(most)s
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class OftenSeen:
    """A name without evidence, and in how many answers and sessions."""

    kind: str
    key: str
    text: str
    reason: str
    answers: int
    sessions: int


def most_seen(project: Project, window: Window, most: int) -> list[OftenSeen]:
    """Return the names in the most answers, then sessions; at most `most`."""
    state = CountState.objects.filter(project=project).first()
    if state is None:
        made = Plan(raw=[(window.since, window.until)])
        fresh = Fresh()
    else:
        made = plan(window, state)
        fresh = read(project, window).fresh
    raw = [*made.raw, *fresh.stretches]
    counted = count_names(project.pk, raw, whose=window) if raw else []
    given = {
        **scope_of(project.pk, window),
        **_stretches(made, fresh),
        "fresh": list(fresh.slices),
        "width": SLICE,
        "counted": dumps(names_as_json(counted)),
        "ties": TIES,
        "most": most,
    }
    with connection.cursor() as cursor:
        cursor.execute(_MOST, given)
        return [
            OftenSeen(
                kind=kind,
                key=key,
                text=text,
                reason=reason,
                answers=int(answers),
                sessions=sessions,
            )
            for kind, key, text, reason, answers, sessions in cursor.fetchall()
        ]


def names_as_json(names: Iterable[SeenName]) -> list[dict[str, Any]]:
    """Return names as the JSON values that slices keep."""
    return [
        {
            "kind": one.kind,
            "key": one.key,
            "text": one.text,
            "reason": one.reason,
            "answers": one.answers,
            "sessions": [str(session) for session in one.sessions],
        }
        for one in names
    ]


def _stretches(made: Plan, fresh: Fresh) -> dict[str, Any]:
    """Return which days are read whole, and which stretches slice by slice."""
    first, last = made.days or (date.max, date.max)
    touched = {at.astimezone(UTC).date() for at in fresh.slices}
    inside = [
        day
        for day in touched
        if made.days and (not first or day >= first) and (not last or day < last)
    ]
    since = [a for a, _ in made.slices] + [_midnight(day) for day in inside]
    until = [b for _, b in made.slices] + [_midnight(day, 24) for day in inside]
    return {
        "first": first.isoformat() if first else "-infinity",
        "last": last.isoformat() if last else "infinity",
        "touched": [*inside, *(at.astimezone(UTC).date() for at in fresh.days)],
        "since": since,
        "until": until,
    }


def _midnight(day: date, hours: int = 0) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC) + SLICE * 4 * hours
