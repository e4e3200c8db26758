"""Shared parts of models and of state changes of rows."""

import os
import threading
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.db import connection, models


def new_id() -> uuid.UUID:
    """Return a fresh id whose first 60 bits are the time (version 7, RFC 9562).

    For tables that grow with every run: new rows are neighbours in every index that
    begins with such an id, so pages fill one after another. With random ids, pages are
    two thirds full, and each new row changes another page, which the write-ahead log
    contains whole once after each checkpoint.

    Twelve of the bits are the fraction of the millisecond (method 3), since hundreds of
    rows are made in one: in random order they split pages that are already full.
    """
    since, rest = divmod(time.time_ns(), 1_000_000)
    fraction = (rest << 12) // 1_000_000
    noise = int.from_bytes(os.urandom(8), "big") >> 2
    return uuid.UUID(int=since << 80 | 0x7 << 76 | fraction << 64 | 0b10 << 62 | noise)


def lowest_id(moment: datetime) -> uuid.UUID:
    """Return the lowest id of a moment (aware): ids of `new_id` before are lower."""
    return uuid.UUID(int=int(moment.timestamp() * 1000) << 80)


class TimestampedModel(models.Model):
    """A row with the time of its creation."""

    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True


def update_if(
    row: models.Model, *, expected: Mapping[str, Any], **changes: Any
) -> bool:
    """Change a row only if it still is as expected, in one UPDATE.

    Args:
        row: The row to change; its attributes are set if the update succeeds.
        expected: Field values that the stored row must still have.
        changes: New field values.

    Returns:
        False if the row was changed first by another caller.
    """
    manager = type(row)._default_manager
    won = manager.filter(pk=row.pk, **expected).update(**changes) == 1
    if won:
        for name, value in changes.items():
            setattr(row, name, value)
    return won


@contextmanager
def connection_of_thread(home: int) -> Iterator[None]:
    """Close the thread's connection afterwards, except in a request's own thread.

    Args:
        home: `threading.get_ident()` of the request's thread.
    """
    try:
        yield
    finally:
        if threading.get_ident() != home:
            connection.close()
