"""Rows as CSV that is safe in spreadsheets, and as JSON Lines."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

Row = Mapping[str, Any]


class RowFormat(StrEnum):
    """The format of an export."""

    CSV = "csv"
    JSONL = "jsonl"


CONTENT_TYPES = {
    RowFormat.CSV: "text/csv; charset=utf-8; header=present",
    RowFormat.JSONL: "application/jsonl; charset=utf-8",
}

# A cell that begins with one of these may be run as a formula (OWASP "CSV
# injection"); the full-width forms are folded to ASCII by East Asian input.
FORMULA_STARTS = tuple("=+-@\t\r\n\0＝＋－＠")


class _Echo:
    """A file whose `write` returns its argument, so that rows can be yielded."""

    def write(self, text: str) -> str:
        return text


def csv_lines(columns: tuple[str, ...], rows: Iterable[Row]) -> Iterator[str]:
    """Encode rows as RFC 4180 CSV: quoted text, unquoted numbers, CRLF at line ends."""
    writer = csv.writer(_Echo(), quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    yield str(writer.writerow([_cell(column) for column in columns]))
    for row in rows:
        yield str(writer.writerow([_cell(row[column]) for column in columns]))


def json_lines(rows: Iterable[Row]) -> Iterator[str]:
    """Encode rows as JSON Lines, with values as stored."""
    encode = json.JSONEncoder(ensure_ascii=False, default=_json_value).encode
    for row in rows:
        text = encode(dict(row))
        # Characters that some readers, though not JSON, treat as line separators.
        yield (text if text.isascii() else text.translate(_SEPARATORS)) + "\n"


_SEPARATORS = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}


def _json_value(value: object) -> str:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no place in an export")


def _cell(value: object) -> str | int | float:
    # The most frequent type first.
    if isinstance(value, str):
        return "'" + value if value.startswith(FORMULA_STARTS) else value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return value
    if isinstance(value, list | dict):
        return _cell(json.dumps(value, ensure_ascii=False))
    return _json_value(value)
