"""Counts that stay cheap: exact up to a limit, then `10,000+`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import QuerySet
from django.utils.formats import number_format

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


def bounded_counts(each: Sequence[QuerySet[Any]]) -> list[BoundedCount]:
    """Count several sets of rows in one query, each up to the limit."""
    columns: list[str] = []
    parameters: list[Any] = []
    for rows in each:
        try:
            limited = rows.order_by().values("pk")[: COUNT_LIMIT + 1]
            sql, values = limited.query.sql_with_params()
        except EmptyResultSet:
            columns.append("0")
            continue
        columns.append(f"(SELECT count(*) FROM ({sql}) AS few)")  # noqa: S608
        parameters += values
    if not columns:
        return []
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(columns)}", parameters)
        counts = cursor.fetchone()
    return [BoundedCount(min(n, COUNT_LIMIT), n > COUNT_LIMIT) for n in counts]
