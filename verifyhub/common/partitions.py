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

# How many months are made ahead. If no worker runs for that long, rows go to the
# default partition.
MONTHS_AHEAD = 3

# Names of the tables in the database.
DIVIDED_TABLES: Steps[str] = Steps()


def keep_partitions() -> None:
    """Make the next months of each divided table, and drop empty months.

    Once a day, the planner's statistics of each whole table are updated as well. A
    table that stays locked is left to the next call.
    """
    for table in DIVIDED_TABLES:
        try:
            made = _call("SELECT partitions_make(%s, %s)", [table, MONTHS_AHEAD])
            dropped = 0
            while _call("SELECT partitions_drop_empty(%s)", [table]):
                dropped += 1
            _call("SELECT partitions_analyze(%s)", [table])
        except OperationalError as error:
            logger.info("partitions.in_use", table=table, error=type(error).__name__)
            continue
        if made or dropped:
            logger.info("partitions.kept", table=table, made=made, dropped=dropped)


def drop_month(function: str, before: datetime) -> bool:
    """Drop the oldest month that ended before a time, with a function of the owner.

    Args:
        function: Takes the time and returns whether there was such a month.
        before: The time (aware).

    Returns:
        Whether one was dropped; False as well if it is in use.
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
