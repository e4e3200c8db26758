"""Store the names without evidence of slices and days."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from uuid import UUID

from django.db import connection

from verifyhub.metrics.counting.raw import Part
from verifyhub.metrics.counting.tally import Tally
from verifyhub.metrics.models import SliceCount

# Maximum stored names of a slice, of a day of one agent, and of a day of all: those in
# the most answers. The rest is counted as `unlisted`. An agent may invent another name
# in every answer, and summing up a day loads its slices into memory.
MAX_SLICE_NAMES = 500
MAX_NAMES = 2_000
MAX_TOTAL_NAMES = 5_000
_PART_COLUMNS = ("agent", "tier", "model")
_NAME_COLUMNS = ("kind", "key")
_VALUE_COLUMNS = ("text", "reason", "answers", "sessions")


@dataclass(slots=True)
class StoredName:
    """The stored counts of a name, with its text, reason and sessions."""

    text: str = ""
    reason: str = ""
    answers: int = 0
    sessions: set[str] = field(default_factory=set)

    def include(self, name: Mapping[str, Any]) -> None:
        """Add the same name of another agent, or another period."""
        self.text = max(self.text, name["text"])
        self.reason = max(self.reason, name["reason"])
        self.answers += name["answers"]
        self.sessions.update(name["sessions"])

    def values(self) -> tuple[str, str, int, list[str]]:
        """Return the values of its columns."""
        return self.text, self.reason, self.answers, sorted(self.sessions)


# By kind and key; in the table of parts, after agent, tier and model.
Names = dict[tuple[str, ...], StoredName]


@dataclass(slots=True)
class DayNames:
    """The names of one day: of each agent, tier and model, and of all."""

    parts: Names
    total: Names


def names_of_day(
    rows: Iterable[SliceCount],
    total: Tally,
    parts: Mapping[Part, Tally],
    part_of: Callable[[Part], Part],
) -> DayNames:
    """Sum up the names of a day's slices.

    Args:
        rows: The slices.
        total, parts: The day's counts, of all and of each; names that are not stored
            are added to them.
        part_of: Returns the part of the day in which an agent, tier and model are
            counted.
    """
    of_parts: dict[Part, Names] = defaultdict(lambda: defaultdict(StoredName))
    of_all: Names = defaultdict(StoredName)
    for row in rows:
        part_names = of_parts[part_of((row.agent, row.tier, row.model))]
        for name in row.names:
            key = name["kind"], name["key"]
            part_names[key].include(name)
            of_all[key].include(name)
    return DayNames(
        parts={
            (*part, *key): counts
            for part, names in of_parts.items()
            for key, counts in _most_frequent(names, MAX_NAMES, parts[part])
        },
        total=dict(_most_frequent(of_all, MAX_TOTAL_NAMES, total)),
    )


def _most_frequent(
    names: Names, limit: int, tally: Tally
) -> Iterator[tuple[tuple[str, ...], StoredName]]:
    if len(names) <= limit:
        yield from names.items()
        return
    ordered = sorted(names.items(), key=lambda item: (-item[1].answers, item[0]))
    yield from ordered[:limit]
    for _, counts in ordered[limit:]:
        tally.add("unlisted", (), [1, counts.answers])


def write_names(project_id: UUID, day: date, names: DayNames) -> None:
    """Replace a day's names; the caller has locked the project's counts."""
    _replace(
        project_id,
        day,
        "metrics_dayname",
        (*_PART_COLUMNS, *_NAME_COLUMNS),
        names.parts,
    )
    _replace(project_id, day, "metrics_totalname", _NAME_COLUMNS, names.total)


def stored_names(project_id: UUID, day: date) -> DayNames:
    """Return a day's stored names."""
    of_parts = _read(
        project_id, day, "metrics_dayname", (*_PART_COLUMNS, *_NAME_COLUMNS)
    )
    of_all = _read(project_id, day, "metrics_totalname", _NAME_COLUMNS)
    return DayNames(
        parts={key: counts for _, key, counts in of_parts},
        total={key: counts for _, key, counts in of_all},
    )


def _replace(
    project_id: UUID, day: date, table: str, columns: tuple[str, ...], names: Names
) -> None:
    """Write only changed names, since most names of a day do not change."""
    changed, same = [], set()
    for row, key, counts in _read(project_id, day, table, columns):
        if names.get(key) == counts:
            same.add(key)
        else:
            changed.append(row)
    written = ("project_id", "day", *columns, *_VALUE_COLUMNS)
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table} WHERE id = ANY(%s)", [changed])  # noqa: S608
        if len(same) == len(names):
            return
        with cursor.copy(f"COPY {table} ({', '.join(written)}) FROM STDIN") as copy:
            for key, counts in names.items():
                if key not in same:
                    copy.write_row((project_id, day, *key, *counts.values()))


def _read(
    project_id: UUID, day: date, table: str, columns: tuple[str, ...]
) -> Iterator[tuple[int, tuple[str, ...], StoredName]]:
    read = ", ".join(("id", *columns, *_VALUE_COLUMNS[:-1]))
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {read}, sessions::text[] FROM {table}"  # noqa: S608
            " WHERE project_id = %s AND day = %s",
            [project_id, day],
        )
        for row, *rest in cursor.fetchall():
            *key, text, reason, answers, sessions = rest
            yield row, tuple(key), StoredName(text, reason, answers, set(sessions))
