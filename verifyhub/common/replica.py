"""Reads from a replica of the database while it is not too far behind.

For the time of a body the thread's connection is the replica's: plain SQL and querysets
alike, and what writes by mistake is refused there.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connections, transaction

from verifyhub.common.logs import get_logger

logger = get_logger(__name__)

NAME = "replica"
# A replica that is away or behind is asked again after so long.
SILENCE_SECONDS = 10.0
# What it has from the primary: the newest commit that it shows. None where it is no
# replica (any more): what it shows then is another history.
SHOWN = """
SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_xact_replay_timestamp() END,
    extract(epoch FROM now() - pg_last_xact_replay_timestamp())
"""

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class _Silence(threading.local):
    until = 0.0


_silence = _Silence()


@contextmanager
def reading_from_replica(*, at_least: datetime | None = None) -> Iterator[bool]:
    """Route reads in the body to the replica, if there is one and it is recent enough.

    It will if it is no more than `VERIFYHUB_REPLICA_SECONDS` behind. Inside a
    transaction everything stays with the primary.

    Args:
        at_least: A moment whose commits must be there; None for any.

    Yields:
        Whether it does.
    """
    replica = _usable(at_least)
    if replica is None:
        yield False
        return
    primary = connections["default"]
    connections["default"] = replica
    try:
        yield True
    finally:
        connections["default"] = primary


def from_replica(read: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Run a read-only function on the replica, or else on the primary.

    A replica that goes away or cancels the query in the middle is no failure: the
    primary is asked instead.
    """

    @wraps(read)
    def reader(*arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        with reading_from_replica() as is_replica:
            try:
                return read(*arguments, **named)
            except (DatabaseError, InterfaceError) as error:
                if not is_replica:
                    raise
                _be_silent(type(error).__name__)
        return read(*arguments, **named)

    return reader


def _usable(at_least: datetime | None) -> Any:
    if NAME not in settings.DATABASES or time.monotonic() < _silence.until:
        return None
    if transaction.get_connection().in_atomic_block:
        return None
    replica = connections[NAME]
    try:
        with replica.cursor() as cursor:
            cursor.execute(SHOWN)
            shown, age = cursor.fetchone()
    except (DatabaseError, InterfaceError) as error:
        replica.close()
        _be_silent(type(error).__name__)
        return None
    if shown is None or age > settings.REPLICA_SECONDS:
        _be_silent("no replica" if shown is None else f"{age:.0f} s behind")
        return None
    return replica if at_least is None or shown >= at_least else None


def _be_silent(reason: str) -> None:
    _silence.until = time.monotonic() + SILENCE_SECONDS
    logger.warning("replica.not_used", reason=reason)
