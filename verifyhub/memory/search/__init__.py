"""Search: across all that a project remembers, and its export."""

from verifyhub.memory.search.export import lines
from verifyhub.memory.search.find import (
    CONSTRAINT,
    MAX_TEXT,
    SearchFilters,
    matches,
    newest,
    rows_of,
    search,
)
from verifyhub.memory.search.forms import KINDS, STATES, SearchForm
from verifyhub.memory.search.marks import found_at

__all__ = [
    "CONSTRAINT",
    "KINDS",
    "MAX_TEXT",
    "STATES",
    "SearchFilters",
    "SearchForm",
    "found_at",
    "lines",
    "matches",
    "newest",
    "rows_of",
    "search",
]
