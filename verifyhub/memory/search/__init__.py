"""Search across a project's memory, and its export."""

from verifyhub.memory.search.export import lines
from verifyhub.memory.search.find import (
    CONSTRAINT,
    MAX_TEXT,
    SearchFilters,
    constraints,
    newest,
    rows_of,
    search,
)
from verifyhub.memory.search.forms import KINDS, STATES, SearchForm
from verifyhub.memory.search.marks import match_spans
