"""The names without evidence in the most answers."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date
from json import dumps
from typing import Any

from django.db import connection

from verifyhub.accounts.models import Project
from verifyhub.metrics.counting.raw import DAY, NameCounts, count_names
from verifyhub.metrics.counting.reading import read
from verifyhub.metrics.counting.stored import Fresh, scope_of
from verifyhub.metrics.counting.stretches import Plan, plan
from verifyhub.metrics.models import SLICE, CountState
from verifyhub.metrics.windows import Window, midnight_of

# Names of a day that may be shown, and how many of them are looked up on all days. A
# name that is not among the first on any day can hardly be among the first of all; the
# numbers of shown names are exact.
OF_A_DAY = 100
CANDIDATES = 100

# Days with recounted slices are read slice by slice.
_MOST = """
WITH loose AS MATERIALIZED (
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
), top AS (
    SELECT name.kind, name.key, name.answers
    FROM metrics_daycount AS day
    CROSS JOIN LATERAL (
        SELECT kind, key, answers FROM @table AS name
        WHERE name.project_id = %(project)s AND name.day = day.day @same_part
        ORDER BY @order LIMIT %(of_a_day)s
    ) AS name
    WHERE day.project_id = %(project)s AND day.is_total = %(total)s
      AND @of_part AND @on_days
), picked AS MATERIALIZED (
    SELECT kind, key FROM (
        SELECT kind, key, answers FROM top
        UNION ALL
        SELECT kind, key, answers FROM loose
    ) AS name
    GROUP BY kind, key ORDER BY sum(answers) DESC, kind, key LIMIT %(candidates)s
), seen AS MATERIALIZED (
    SELECT kept.* FROM picked
    CROSS JOIN LATERAL (
        SELECT kind, key, text, reason, answers, sessions FROM @table AS day
        WHERE day.project_id = %(project)s AND day.kind = picked.kind
          AND day.key = picked.key AND @on_days AND @of_part OFFSET 0
    ) AS kept
    UNION ALL
    SELECT loose.* FROM picked JOIN loose USING (kind, key)
), most AS MATERIALIZED (
    SELECT kind, key, max(text) AS text, max(reason) AS reason,
        sum(answers) AS answers
    FROM seen GROUP BY kind, key
)
SELECT most.kind, most.key, most.text, most.reason, most.answers,
    count(DISTINCT session) AS sessions
FROM most
JOIN seen ON seen.kind = most.kind AND seen.key = most.key
LEFT JOIN LATERAL unnest(seen.sessions) AS session ON true
-- Of as many answers as the last one shown: told apart by their sessions.
WHERE most.answers >= (
    SELECT min(answers) FROM (
        SELECT answers FROM most ORDER BY answers DESC LIMIT %(most)s
    ) AS shown
)
GROUP BY most.kind, most.key, most.text, most.reason, most.answers
ORDER BY most.answers DESC, sessions DESC, most.kind, most.key LIMIT %(most)s
""".replace(
    "@on_days",
    """day.day >= %(first)s::date AND day.day < %(last)s::date
      AND day.day <> ALL(%(touched)s::date[])""",
)
_OF_ALL = (
    _MOST.replace("@table", "metrics_totalname")
    .replace("@same_part", "")
    .replace("@of_part", "true")
    .replace("@order", "answers DESC, kind, key")
)
_OF_SOME = (
    _MOST.replace("@table", "metrics_dayname")
    .replace(
        "@same_part",
        """AND name.agent = day.agent
          AND name.tier = day.tier AND name.model = day.model""",
    )
    .replace(
        "@of_part",
        """%(agent)s IN ('', day.agent)
      AND %(tier)s IN ('', day.tier) AND %(model)s IN ('', day.model)""",
    )
    .replace("@order", "answers DESC")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FrequentName:
    """A name without evidence, with its numbers of answers and sessions."""

    kind: str
    key: str
    text: str
    reason: str
    answers: int
    sessions: int


def most_frequent(project: Project, window: Window, most: int) -> list[FrequentName]:
    """Return the names in the most answers, then sessions; at most `most`."""
    state = CountState.objects.filter(project=project).first()
    if state is None:
        stretch_plan = Plan(raw=[(window.since, window.until)])
        fresh = Fresh()
    else:
        stretch_plan = plan(window, state)
        fresh = read(project, window).fresh
    raw = [*stretch_plan.raw, *fresh.stretches]
    counted = count_names(project.pk, raw, scope=window) if raw else []
    parameters = {
        **scope_of(project.pk, window),
        **_stretches(stretch_plan, fresh),
        "fresh": list(fresh.slices),
        "width": SLICE,
        "counted": dumps(names_as_json(counted)),
        "total": not window.is_of_some,
        "of_a_day": OF_A_DAY,
        "candidates": CANDIDATES,
        "most": most,
    }
    with connection.cursor() as cursor:
        cursor.execute(_OF_SOME if window.is_of_some else _OF_ALL, parameters)
        return [
            FrequentName(
                kind=kind,
                key=key,
                text=text,
                reason=reason,
                answers=int(answers),
                sessions=sessions,
            )
            for kind, key, text, reason, answers, sessions in cursor.fetchall()
        ]


def names_as_json(names: Iterable[NameCounts]) -> list[dict[str, Any]]:
    """Return names as JSON values for slices."""
    return [
        {
            "kind": name.kind,
            "key": name.key,
            "text": name.text,
            "reason": name.reason,
            "answers": name.answers,
            "sessions": list(name.sessions),
        }
        for name in names
    ]


def _stretches(stretch_plan: Plan, fresh: Fresh) -> dict[str, Any]:
    """Return the days that are read whole, and the periods read slice by slice."""
    first, last = stretch_plan.days or (date.max, date.max)
    touched = {at.astimezone(UTC).date() for at in fresh.slices}
    inside = [
        day
        for day in touched
        if stretch_plan.days
        and (not first or day >= first)
        and (not last or day < last)
    ]
    begun = [midnight_of(day) for day in inside]
    since = [a for a, _ in stretch_plan.slices] + begun
    until = [b for _, b in stretch_plan.slices] + [at + DAY for at in begun]
    return {
        "first": first.isoformat() if first else "-infinity",
        "last": last.isoformat() if last else "infinity",
        "touched": [*inside, *(at.astimezone(UTC).date() for at in fresh.days)],
        "since": since,
        "until": until,
    }
