"""Encode rows as the bytes of a file."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from django.db import models
from django.utils.translation import gettext_lazy as _

from verifyhub.common.row_files import CONTENT_TYPES as TEXT_TYPES
from verifyhub.common.row_files import Row, csv_lines, json_lines
from verifyhub.common.row_files import RowFormat as TextFormat
from verifyhub.exports.schema import ExportColumn

# Lines of text that are joined, up to the first of these limits.
LINES = 200
LINE_CHARACTERS = 1024 * 1024


class FileFormat(models.TextChoices):
    """The file format of an export."""

    CSV = "csv", _("CSV")
    JSONL = "jsonl", _("JSON Lines")
    PARQUET = "parquet", _("Parquet")

    @property
    def is_deep(self) -> bool:
        """Whether it includes nested columns."""
        return self is not FileFormat.CSV


CONTENT_TYPES = {
    FileFormat.CSV: TEXT_TYPES[TextFormat.CSV],
    FileFormat.JSONL: TEXT_TYPES[TextFormat.JSONL],
    FileFormat.PARQUET: "application/vnd.apache.parquet",
}


def encoded(
    written_as: FileFormat,
    columns: Sequence[ExportColumn],
    rows: Iterable[Row],
    *,
    header: bool = True,
) -> Iterator[bytes]:
    """Yield rows as bytes, lazily.

    Args:
        written_as: The format.
        columns: The columns.
        rows: The rows.
        header: Whether CSV has a header.
    """
    match written_as:
        case FileFormat.PARQUET:
            from verifyhub.exports.parquet import parquet

            yield from parquet(columns, rows)
        case FileFormat.JSONL:
            yield from _joined(json_lines(rows))
        case FileFormat.CSV:
            lines = csv_lines(tuple(column.name for column in columns), rows)
            yield from _joined(lines if header else islice(lines, 1, None))


def csv_header(columns: Sequence[ExportColumn]) -> bytes:
    """Return the first line of CSV."""
    return b"".join(encoded(FileFormat.CSV, columns, ()))


def _joined(lines: Iterator[str]) -> Iterator[bytes]:
    """Join lines, up to a number of lines and characters."""
    batch: list[str] = []
    size = 0
    for line in lines:
        batch.append(line)
        size += len(line)
        if len(batch) >= LINES or size >= LINE_CHARACTERS:
            yield "".join(batch).encode()
            batch, size = [], 0
    if batch:
        yield "".join(batch).encode()
