"""New rows by one statement, for paths that write thousands a minute.

The ORM builds the statement for every insert anew, which takes longer than the database
takes to carry it out. Here it is put together once for a table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.expressions import DatabaseDefault

HEAD = 'INSERT INTO "{table}" ({columns}) VALUES '


@dataclass(frozen=True, slots=True)
class _Target:
    """The fields that a new row brings, and the statement around its values."""

    fields: tuple[Any, ...]
    head: str
    tail: str


@cache
def _target(model: type[models.Model]) -> _Target:
    about = model._meta
    fields = [one for one in about.concrete_fields if not _is_counted(one)]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    return _Target(
        fields=tuple(fields),
        head=HEAD.format(table=about.db_table, columns=columns),
        tail=f' RETURNING "{about.pk.column}"' if about.pk else "",
    )


def _is_counted(field: Any) -> bool:
    """Return whether the database numbers it."""
    return isinstance(field, models.AutoField)


def insert(rows: Sequence[models.Model], *, ignore_conflicts: bool = False) -> set[Any]:
    """Insert rows of one model, values as the ORM would write them, without signals.

    Args:
        rows: New ones; an id that the database counts is not told to them.
        ignore_conflicts: Leave out what another row's key forbids, once the transaction
            that wrote that row has ended.

    Returns:
        The primary keys that were written.
    """
    if not rows:
        return set()
    target, database = _target(type(rows[0])), connections[DEFAULT_DB_ALIAS]
    values: list[Any] = []
    places = [_places(row, target, values, database) for row in rows]
    unless = " ON CONFLICT DO NOTHING" if ignore_conflicts else ""
    with database.cursor() as cursor:
        cursor.execute(target.head + ", ".join(places) + unless + target.tail, values)
        written = {key for (key,) in cursor.fetchall()}
    for row in rows:
        row._state.adding, row._state.db = False, database.alias
    return written


def _places(
    row: models.Model,
    target: _Target,
    values: list[Any],
    database: BaseDatabaseWrapper,
) -> str:
    """Write out where a row's values go, and append them."""
    places = []
    for field in target.fields:
        value = field.pre_save(row, True)
        if isinstance(value, DatabaseDefault):
            places.append("DEFAULT")
            continue
        places.append("%s")
        values.append(field.get_db_prep_save(value, database))
    return f"({', '.join(places)})"
