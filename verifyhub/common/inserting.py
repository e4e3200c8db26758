"""New rows by one statement, for paths that write thousands a minute.

The ORM builds the statement for every insert anew, which takes longer than the database
takes to carry it out. Here it is put together once for a table.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, models
from django.db.models.expressions import DatabaseDefault

from verifyhub.common.prepared import prepared_cursor
from verifyhub.common.row_json import as_json, stored

INSERT = """
INSERT INTO "{table}" ({columns})
SELECT {columns} FROM json_populate_recordset(NULL::"{table}", %s)
"""


@dataclass(frozen=True, slots=True)
class _Target:
    """The columns that a new row brings, what reads their values, and its key."""

    table: str
    columns: tuple[str, ...]
    values: tuple[Callable[[models.Model], Any], ...]
    key: str


@cache
def _target(model: type[models.Model]) -> _Target:
    about: Any = model._meta
    fields = [
        one for one in about.concrete_fields if not isinstance(one, models.AutoField)
    ]
    return _Target(
        table=about.db_table,
        columns=tuple(field.column for field in fields),
        values=tuple(map(_new_value, fields)),
        key=about.pk.column if about.pk else "",
    )


def _new_value(field: Any) -> Callable[[models.Model], Any]:
    """Return what reads a field's value from a row that is about to be inserted."""
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
    """Insert rows of one model, values as the ORM would write them, without signals.

    Args:
        rows: New ones; an id that the database counts is not told to them.
        ignore_conflicts: Leave out what another row's key forbids, once the transaction
            that wrote that row has ended.
        unique: The field by which a stored row is the same as one of these.
        refresh: What a stored one then gets; its other fields stay.

    Returns:
        The primary keys that were written.
    """
    if not rows:
        return set()
    target = _target(type(rows[0]))
    written: set[Any] = set()
    for columns, values in _by_columns(rows, target).items():
        statement = INSERT.format(
            table=target.table, columns=", ".join(f'"{one}"' for one in columns)
        )
        statement += _on_conflict(type(rows[0]), unique, refresh)
        if ignore_conflicts:
            statement += " ON CONFLICT DO NOTHING"
        if target.key:
            statement += f' RETURNING "{target.key}"'
        with prepared_cursor() as cursor:
            cursor.execute(statement, [as_json(columns, values)])
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
    """Return the values of rows by the columns that they bring themselves.

    The others have a default in the database; rows of one place are alike in that.
    """
    found: dict[tuple[str, ...], list[list[Any]]] = defaultdict(list)
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
        found[columns].append(values)
    return found
