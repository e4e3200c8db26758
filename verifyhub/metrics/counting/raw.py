"""Count rows, without stored counts."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db import connection

from verifyhub.engine.reports import NOT_COUNTED
from verifyhub.metrics.counting.answers_sql import (
    ANSWERS,
    MOST_NAMES,
    NAMES,
    OF_ANSWERS,
    UNLISTED,
)
from verifyhub.metrics.counting.decisions_sql import (
    MOMENTS,
    OF_ACTS,
    OF_DECIDED,
)
from verifyhub.metrics.counting.tally import Tally
from verifyhub.metrics.windows import Window

_SECTIONS = [one.sql for one in (*OF_ANSWERS, *OF_DECIDED)]
_ACTS = "\nUNION ALL\n".join(one.sql for one in OF_ACTS)
# Enough memory for a day's rows.
_MEMORY = "64MB"
# A midnight at which days and slices are aligned.
ORIGIN = datetime(2000, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)

# Agent, tier and model.
Part = tuple[str, ...]
# Half-open; None for no limit.
Stretch = tuple[datetime | None, datetime | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class NameCounts:
    """A name without evidence in a period, with its number of answers and its sessions.

    `reason` is one of its reasons.
    """

    at: datetime
    part: Part
    kind: str
    key: str
    text: str
    reason: str
    answers: int
    sessions: tuple[str, ...]


def count_parts(
    project_id: UUID,
    stretches: Sequence[Stretch],
    *,
    scope: Window,
) -> dict[tuple[datetime, Part], Tally]:
    """Count answers and decisions.

    Args:
        project_id: The tenant.
        stretches: Periods that do not overlap.
        scope: A window of which only agent, tier and model are used.

    Returns:
        The counts by the beginning of the day (UTC), and by agent, tier and model.
    """
    query = _Query(project_id, stretches, scope, DAY)
    return _tallies(query.of_answers(_SECTIONS), query)


def count_names(
    project_id: UUID,
    stretches: Sequence[Stretch],
    *,
    scope: Window,
) -> list[NameCounts]:
    """Return the names without evidence; arguments as for `count_parts`."""
    query = _Query(project_id, stretches, scope, DAY)
    return [_name_counts(row) for row in query.of_answers([NAMES])]


def count_both(
    project_id: UUID,
    stretches: Sequence[Stretch],
    *,
    scope: Window,
    width: timedelta,
    most_names: int,
) -> tuple[dict[tuple[datetime, Part], Tally], list[NameCounts]]:
    """Count parts and names, reading the answers once.

    Called inside a transaction. Arguments as for `count_parts`, and:

    Args:
        width: The period of each sum: days (UTC), or shorter.
        most_names: Maximum names of each agent and period, those in the most answers;
            the others are counted as `unlisted`.
    """
    query = _Query(project_id, stretches, scope, width, most_names)
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('work_mem', %s, true)", [_MEMORY])
        # Compiling so long a statement takes longer than running it.
        cursor.execute("SELECT set_config('jit', 'off', true)")
    rows = query.of_answers([*_SECTIONS, MOST_NAMES, UNLISTED])
    names = [_name_counts(row) for row in rows if row[0] == "names"]
    return _tallies([row for row in rows if row[0] != "names"], query), names


# Section, day or slice, whose, key and numbers.
_Row = tuple[str, datetime, list[str], list[str], list[Decimal]]


@dataclass(frozen=True, slots=True)
class _Query:
    """Parameters of a count: project, periods, agents and names."""

    project_id: UUID
    stretches: Sequence[Stretch]
    whose: Window
    width: timedelta
    most_names: int | None = None

    def of_answers(self, sections: Sequence[str]) -> list[_Row]:
        statement = ANSWERS.replace("@sections", "\nUNION ALL\n".join(sections))
        return self._read(statement.replace("@created", self._within("i.created_at")))

    def of_acts(self) -> list[_Row]:
        statement = _ACTS
        for place, moment in MOMENTS.items():
            statement = statement.replace(place, self._within(moment))
        return self._read(statement)

    def _within(self, moment: str) -> str:
        """Return a condition with simple bounds, which the planner can estimate."""
        either = [
            f"{moment} >= %(since_{n})s::timestamptz"
            f" AND {moment} < %(until_{n})s::timestamptz"
            for n in range(len(self.stretches))
        ]
        return f"({' OR '.join(either) or 'false'})"

    def _read(self, statement: str) -> list[_Row]:
        parameters: dict[str, Any] = {
            "project": self.project_id,
            "agent": self.whose.agent,
            "tier": self.whose.tier,
            "model": self.whose.model,
            "bin": self.width,
            "most_names": self.most_names,
            "origin": ORIGIN,
            "uncounted": sorted(NOT_COUNTED),
        }
        for n, (since, until) in enumerate(self.stretches):
            parameters[f"since_{n}"] = _text(since, "-infinity")
            parameters[f"until_{n}"] = _text(until, "infinity")
        with connection.cursor() as cursor:
            cursor.execute(statement, parameters)
            rows: list[_Row] = cursor.fetchall()
            return rows


def _tallies(
    of_answers: list[_Row], query: _Query
) -> dict[tuple[datetime, Part], Tally]:
    tallies: dict[tuple[datetime, Part], Tally] = defaultdict(Tally)
    for section, at, part, key, numbers in [*of_answers, *query.of_acts()]:
        if any(numbers):
            tallies[at, tuple(part)].add(section, tuple(key), map(int, numbers))
    return tallies


def _name_counts(row: _Row) -> NameCounts:
    _, at, part, (kind, key, text, reason, *sessions), (answers,) = row
    return NameCounts(
        at=at,
        part=tuple(part),
        kind=kind,
        key=key,
        text=text,
        reason=reason,
        answers=int(answers),
        sessions=tuple(sessions),
    )


def _text(moment: datetime | None, endless: str) -> str:
    return moment.isoformat() if moment else endless
