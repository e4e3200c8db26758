"""Keep the stored counts up to date."""

from verifyhub.metrics.services.compare import differences
from verifyhub.metrics.services.days import (
    count_next_day,
    newest_change,
    projects_to_refresh,
    recount,
    refresh,
)
