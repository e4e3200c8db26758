"""Counts that stay cheap: exact up to a limit, then `10,000+`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from inspect import signature
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import QuerySet
from django.utils.formats import number_format

from verifyhub.common.prepared import Place, prepared_cursor, with_values

COUNT_LIMIT = 10_000


@dataclass(frozen=True, slots=True)
class BoundedCount:
    """A count, and whether there are more rows than counted."""

    value: int
    more: bool = False

    def __str__(self) -> str:
        return number_format(self.value, force_grouping=True) + "+" * self.more

    def __bool__(self) -> bool:
        return self.value > 0


def bounded_count(rows: QuerySet[Any], limit: int = COUNT_LIMIT) -> BoundedCount:
    """Count rows, reading at most one more than the limit."""
    count = rows.order_by()[: limit + 1].count()
    return BoundedCount(min(count, limit), count > limit)


class PreparedCounts:
    """Bounded counts of several sets of rows, by a statement that is built once."""

    def __init__(
        self, build: Callable[..., Sequence[QuerySet[Any]]], limit: int = COUNT_LIMIT
    ) -> None:
        """Bind the function that builds the sets from named placeholders."""
        self._build, self._limit = build, limit

    def __call__(self, **values: Any) -> list[BoundedCount]:
        """Count the rows of each set up to the limit."""
        with prepared_cursor() as cursor:
            cursor.execute(self._statement, values)
            return _bounded(cursor.fetchone(), self._limit)

    @cached_property
    def _statement(self) -> str:
        names = signature(self._build).parameters
        each = self._build(**{name: Place(name) for name in names})
        text, values = _counting(each, self._limit)
        return with_values(text, values)


def bounded_counts(each: Sequence[QuerySet[Any]]) -> list[BoundedCount]:
    """Count several sets of rows in one query, each up to the limit."""
    if not each:
        return []
    with connection.cursor() as cursor:
        cursor.execute(*_counting(each, COUNT_LIMIT))
        return _bounded(cursor.fetchone(), COUNT_LIMIT)


def _counting(each: Sequence[QuerySet[Any]], limit: int) -> tuple[str, list[Any]]:
    columns: list[str] = []
    parameters: list[Any] = []
    for rows in each:
        try:
            limited = rows.order_by().values("pk")[: limit + 1]
            sql, values = limited.query.sql_with_params()
        except EmptyResultSet:
            columns.append("0")
            continue
        columns.append(f"(SELECT count(*) FROM ({sql}) AS few)")  # noqa: S608
        parameters += values
    return f"SELECT {', '.join(columns)}", parameters


def _bounded(counts: Sequence[int], limit: int) -> list[BoundedCount]:
    return [BoundedCount(min(n, limit), n > limit) for n in counts]
