"""Keep the months of tables that are divided by time (ADR 0092).

Each package declares its tables in its own module; `config.steps` lists them.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import OperationalError, connection

from verifyhub.common.logs import get_logger
from verifyhub.common.steps import Steps

logger = get_logger(__name__)

# How many months are made beforehand: whoever runs no worker for that long loses none,
# as the default partition takes what no other does.
MONTHS_AHEAD = 3

# Names of the tables in the database.
DIVIDED_TABLES: Steps[str] = Steps()


def keep_partitions() -> None:
    """Make the next months of each divided table, and drop months that are empty.

    A table that is in use for longer than a moment waits for the next call.
    """
    for table in DIVIDED_TABLES:
        try:
            made = _call("SELECT partitions_make(%s, %s)", [table, MONTHS_AHEAD])
            dropped = 0
            while _call("SELECT partitions_drop_empty(%s)", [table]):
                dropped += 1
        except OperationalError as error:
            logger.info("partitions.in_use", table=table, error=type(error).__name__)
            continue
        if made or dropped:
            logger.info("partitions.kept", table=table, made=made, dropped=dropped)


def drop_month(function: str, before: datetime) -> bool:
    """Drop the oldest month that ended before a moment, by a function of the owner.

    Args:
        function: Takes the moment and returns whether there was such a month.
        before: The moment (aware).

    Returns:
        Whether one was dropped; False as well where it is in use, until it is not.
    """
    try:
        return bool(_call(f"SELECT {function}(%s)", [before]))
    except OperationalError as error:
        logger.info("partitions.in_use", function=function, error=type(error).__name__)
        return False


def _call(statement: str, values: Sequence[Any]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        (result,) = cursor.fetchone()
    return int(result)
