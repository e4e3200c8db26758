"""Rows as one JSON text, which PostgreSQL reads as rows of a table.

A statement with a place for every value is put together, quoted, parsed and planned
anew each time, which takes longer than writing the rows. One whose text never changes,
with all rows in one parameter, takes a tenth of that.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from operator import attrgetter
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, models
from psycopg.types.json import Jsonb
from pydantic_core import to_json

# What a field may do of its own to a value before it is stored.
_PREPARES = ("get_prep_value", "get_db_prep_value", "get_db_prep_save")


@cache
def stored(field: Any) -> Callable[[models.Model], Any]:
    """Return what reads from a row the value that a field of it stores."""
    if isinstance(field, models.BinaryField):
        return lambda row: _hex(getattr(row, field.attname))
    if all(_is_usual(field, name) for name in _PREPARES):
        return attrgetter(field.attname)
    return lambda row: _prepared(field, getattr(row, field.attname))


def _is_usual(field: Any, method: str) -> bool:
    return str(getattr(type(field), method).__module__).startswith("django.")


def _hex(value: bytes | memoryview | None) -> str | None:
    return None if value is None else "\\x" + value.hex()


def _prepared(field: Any, value: Any) -> Any:
    ready = field.get_db_prep_save(value, connections[DEFAULT_DB_ALIAS])
    return ready.obj if isinstance(ready, Jsonb) else ready


def as_json(names: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    """Return rows as the text of an array of objects.

    Args:
        names: Of the columns.
        rows: The values of each, in the same order.
    """
    table = [dict(zip(names, row, strict=True)) for row in rows]
    # Kinds that JSON does not know are words to it; their columns read them.
    return to_json(table, inf_nan_mode="strings", fallback=str).decode()
