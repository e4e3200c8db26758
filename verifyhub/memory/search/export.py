"""Export search results of memory as lines of a file."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import QuerySet

from verifyhub.accounts.models import Project
from verifyhub.common.row_files import Row, RowFormat, csv_lines, json_lines
from verifyhub.common.walk import walk
from verifyhub.memory.retired_words import RETIRED_IN_ENGLISH
from verifyhub.memory.search.find import CONSTRAINT, SearchFilters, constraints, entries

# Rows of a batch. Each batch is a search of its own.
BATCH = 2000
ORDER = ("created_at", "id")
COLUMNS = (
    *("id", "kind", "text", "suggestion", "state", "scope", "session"),
    *("mention_kind", "mention_key", "mention_status", "confidence", "grade"),
    *("source", "author", "interaction_id", "verification_id", "override_id"),
    *("expires_at", "pinned", "interaction_count", "session_count", "key_count"),
    *("first_seen_at", "last_seen_at", "active_at", "retired_at", "retired_reason"),
    *("created_at", "updated_at"),
)
_SHARED = ("id", "text", "suggestion", "state", "mention_kind", "mention_key")
_ENTRY = {
    **{name: name for name in _SHARED},
    "session": "session__key",
    **{
        name: name
        for name in (
            *("kind", "scope", "mention_status", "confidence", "grade", "source"),
            *("author", "interaction_id", "verification_id", "override_id"),
            *("expires_at", "created_at", "updated_at"),
        )
    },
}
_CONSTRAINT = {
    **{name: name for name in _SHARED},
    "source": "origin",
    **{
        name: name
        for name in (
            *("pinned", "interaction_count", "session_count", "key_count"),
            *("first_seen_at", "last_seen_at", "active_at", "retired_at"),
            *("created_at", "updated_at"),
        )
    },
    "retired_reason": "retired_in_english",
}


def lines(
    project: Project, filters: SearchFilters, *, written_as: RowFormat
) -> Iterator[str]:
    """Yield the matches as lines: entries in order of creation, then constraints.

    In CSV, cells that a spreadsheet would read as formulas are escaped.
    """
    rows: Iterator[Row] = _rows(project, filters)
    if masker := project.outgoing_masker:
        rows = (masker.document(row).document for row in rows)
    return csv_lines(COLUMNS, rows) if written_as is RowFormat.CSV else json_lines(rows)


def _rows(project: Project, filters: SearchFilters) -> Iterator[Row]:
    shared = {"kind": CONSTRAINT, "scope": "project"}
    words = {"retired_in_english": RETIRED_IN_ENGLISH}
    parts: list[tuple[QuerySet[Any], Mapping[str, str], Row, Mapping[str, Any]]] = [
        (entries(project, filters), _ENTRY, {}, {}),
        (constraints(project, filters), _CONSTRAINT, shared, words),
    ]
    for rows, columns, more, extra in parts:
        names = tuple(columns.values())
        for values in walk(rows, order=ORDER, columns=names, extra=extra, size=BATCH):
            own = {**dict(zip(columns, values, strict=True)), **more}
            yield {name: own.get(name) for name in COLUMNS}
