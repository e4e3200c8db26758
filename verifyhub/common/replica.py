"""Read from a replica of the database unless it is too far behind.

Within a `with` block the thread's connection is the replica's, for SQL and querysets
alike; the replica refuses writes.
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
# An unreachable or late replica is tried again after so long.
SILENCE_SECONDS = 10.0
# The newest commit that it has from the primary; null if it is no replica (any more):
# its history may then differ.
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

    It may be `VERIFYHUB_REPLICA_SECONDS` behind. Inside a transaction the primary is
    used.

    Args:
        at_least: The replica must have the commits until this time; None for any.

    Yields:
        Whether the replica is used.
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

    If the replica fails or cancels the query, the function runs again on the primary.
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
