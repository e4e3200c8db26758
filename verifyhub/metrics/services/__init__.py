"""Keep the stored counts up to date."""

from verifyhub.metrics.services.compare import CountDifference, differences
from verifyhub.metrics.services.days import (
    count_next_day,
    newest_change,
    projects_to_refresh,
    recount,
    refresh,
)

__all__ = [
    "CountDifference",
    "count_next_day",
    "differences",
    "newest_change",
    "projects_to_refresh",
    "recount",
    "refresh",
]
