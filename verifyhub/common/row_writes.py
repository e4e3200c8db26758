"""Insert and update many rows by one statement, without the ORM's overhead.

The ORM builds every INSERT statement again, which takes longer than executing it. Here
it is built once for a table.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.models.expressions import DatabaseDefault
from psycopg.types.json import Jsonb
from pydantic_core import to_json

from verifyhub.common.prepared import prepared_cursor

INSERT = """
INSERT INTO "{table}" ({columns})
SELECT {columns} FROM json_populate_recordset(NULL::"{table}", %s)
"""


@dataclass(frozen=True, slots=True)
class _Target:
    """The columns of a new row, the functions that read their values, and its key."""

    table: str
    columns: tuple[str, ...]
    values: tuple[Callable[[models.Model], Any], ...]
    key: str


@cache
def _target(model: type[models.Model]) -> _Target:
    about: Any = model._meta
    fields = [
        field
        for field in about.concrete_fields
        if not isinstance(field, models.AutoField)
    ]
    return _Target(
        table=about.db_table,
        columns=tuple(field.column for field in fields),
        values=tuple(map(_new_value, fields)),
        # A composite key has no column and is not returned.
        key=about.pk.column or "",
    )


def _new_value(field: Any) -> Callable[[models.Model], Any]:
    """Return a function that reads a field's value from a new row."""
    value = stored(field)
    if type(field).pre_save is models.Field.pre_save:
        return value

    def timed(row: models.Model) -> Any:
        field.pre_save(row, True)
        return value(row)

    return timed


def insert(
    rows: Sequence[models.Model],
    *,
    ignore_conflicts: bool = False,
    unique: str = "",
    refresh: Sequence[str] = (),
) -> set[Any]:
    """Insert rows of one model with the values that the ORM would write, no signals.

    Args:
        rows: New rows; an id that the database generates is not set on them.
        ignore_conflicts: Leave out rows that violate a unique key.
        unique: The field by which a stored row is the same as a new one.
        refresh: Fields of such a stored row that are updated; the others stay.

    Returns:
        The primary keys that were written, if they have one column.
    """
    if not rows:
        return set()
    target = _target(type(rows[0]))
    written: set[Any] = set()
    for columns, values in _by_columns(rows, target).items():
        statement = INSERT.format(
            table=target.table, columns=", ".join(f'"{column}"' for column in columns)
        )
        statement += _on_conflict(type(rows[0]), unique, refresh)
        if ignore_conflicts:
            statement += " ON CONFLICT DO NOTHING"
        if target.key:
            statement += f' RETURNING "{target.key}"'
        with prepared_cursor() as cursor:
            cursor.execute(statement, [as_json(columns, values)])
            if target.key:
                written.update(key for (key,) in cursor.fetchall())
    for row in rows:
        row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS
    return written


def _on_conflict(model: type[models.Model], unique: str, refresh: Sequence[str]) -> str:
    if not unique:
        return ""
    about: Any = model._meta
    key, *columns = [f'"{about.get_field(name).column}"' for name in (unique, *refresh)]
    assigned = ", ".join(f"{column} = EXCLUDED.{column}" for column in columns)
    return f" ON CONFLICT ({key}) DO UPDATE SET {assigned}"


def _by_columns(
    rows: Sequence[models.Model], target: _Target
) -> dict[tuple[str, ...], list[list[Any]]]:
    """Return the values of rows, grouped by the columns that they set.

    Other columns have a default in the database.
    """
    by_columns: dict[tuple[str, ...], list[list[Any]]] = defaultdict(list)
    for row in rows:
        columns, values = target.columns, [value(row) for value in target.values]
        if any(isinstance(value, DatabaseDefault) for value in values):
            pairs = [
                (column, value)
                for column, value in zip(columns, values, strict=True)
                if not isinstance(value, DatabaseDefault)
            ]
            columns = tuple(column for column, _ in pairs)
            values = [value for _, value in pairs]
        by_columns[columns].append(values)
    return by_columns


# Rows as one JSON text, which PostgreSQL reads as rows of a table.
#
# A statement with a placeholder for every value is built, quoted, parsed and planned
# each time, which takes longer than writing the rows. A constant statement with all
# rows in one parameter takes a tenth of that.

# Methods by which a field may convert a value before it is stored.
_PREPARES = ("get_prep_value", "get_db_prep_value", "get_db_prep_save")


@cache
def stored(field: Any) -> Callable[[models.Model], Any]:
    """Return a function that reads from a row the stored value of a field."""
    if isinstance(field, models.BinaryField):
        return lambda row: _hex(getattr(row, field.attname))
    if all(
        str(getattr(type(field), name).__module__).startswith("django.")
        for name in _PREPARES
    ):
        return attrgetter(field.attname)
    return lambda row: _prepared(field, getattr(row, field.attname))


def _hex(value: bytes | memoryview | None) -> str | None:
    return None if value is None else "\\x" + value.hex()


def _prepared(field: Any, value: Any) -> Any:
    ready = field.get_db_prep_save(value, connections[DEFAULT_DB_ALIAS])
    return ready.obj if isinstance(ready, Jsonb) else ready


def as_json(names: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    """Return rows as the text of an array of objects.

    Args:
        names: The columns' names.
        rows: The values of each row, in the same order.
    """
    table = [dict(zip(names, row, strict=True)) for row in rows]
    # Other types become strings, which their columns parse.
    return to_json(table, inf_nan_mode="strings", fallback=str).decode()


UPDATE = """
UPDATE "{table}" AS old SET {assigned}
FROM json_populate_recordset(NULL::"{table}", %s) AS new
WHERE old."{key}" = new."{key}"{conditions}
RETURNING old."{key}"
"""


@cache
def _fields(model: type[models.Model], names: tuple[str, ...]) -> list[Any]:
    """Return the key's field and the written ones."""
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
    """Update some plain fields of rows of one model, as `bulk_update` does.

    The ORM generates a CASE over all rows for each field, which takes ten times as
    long.

    Args:
        rows: Saved rows; values may not be expressions.
        names: The fields to update.
        same: Fields in which the stored row must still equal the given one.
        where: Values that text columns of the stored rows must still have.
        now: Columns to set to the database's time.

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
