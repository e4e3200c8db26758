"""Many rows changed by one statement, for paths that change some with every answer."""

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

from django.db import models

from verifyhub.common.prepared import prepared_cursor
from verifyhub.common.row_json import as_json, stored

UPDATE = """
UPDATE "{table}" AS old SET {assigned}
FROM json_populate_recordset(NULL::"{table}", %s) AS new
WHERE old."{key}" = new."{key}"{conditions}
RETURNING old."{key}"
"""


@cache
def _fields(model: type[models.Model], names: tuple[str, ...]) -> list[Any]:
    """The key's field and the ones that are written."""
    key: Any = model._meta.pk
    return [key, *map(model._meta.get_field, names)]


def update(
    rows: Sequence[models.Model],
    names: Sequence[str],
    *,
    same: Sequence[str] = (),
    where: Mapping[str, str] = MappingProxyType({}),
    now: Sequence[str] = (),
) -> set[Any]:
    """Write some plain fields of rows of one model, as `bulk_update` does.

    The ORM writes a CASE over all rows for each field, and takes ten times as long to
    put it together.

    Args:
        rows: Saved ones; values are no expressions.
        names: The fields to write.
        same: Fields in which the stored row must still be like the one here.
        where: Values that text columns of the stored rows must still have.
        now: Columns to write the database's time into.

    Returns:
        The primary keys of the rows that were written.
    """
    if not rows:
        return set()
    about = type(rows[0])._meta
    fields = _fields(type(rows[0]), (*names, *same))
    columns = [f'"{field.column}"' for field in fields[1:]]
    written, equal = columns[: len(names)], columns[len(names) :]
    conditions = [f"old.{column} = new.{column}" for column in equal]
    conditions += [f'old."{column}" = %s' for column in where]
    statement = UPDATE.format(
        table=about.db_table,
        key=fields[0].column,
        assigned=", ".join(
            [
                *(f"{column} = new.{column}" for column in written),
                *(f'"{column}" = now()' for column in now),
            ]
        ),
        conditions="".join(f" AND {condition}" for condition in conditions),
    )
    values = [[value(row) for value in map(stored, fields)] for row in rows]
    data = as_json([field.column for field in fields], values)
    with prepared_cursor() as cursor:
        cursor.execute(statement, [data, *where.values()])
        return {key for (key,) in cursor.fetchall()}
