"""Rows to the bytes of a file, piece by piece."""

import io
import json
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import islice
from typing import Any
from uuid import UUID

import pyarrow as pa
import pyarrow.parquet as pq

from verifyhub.common.row_files import CONTENT_TYPES as TEXT_TYPES
from verifyhub.common.row_files import Format as TextFormat
from verifyhub.common.row_files import Row, csv_lines, json_lines
from verifyhub.exports.schema import Column, Kind, arrow_schema

# A row group of Parquet is held in memory while it is made, and some of it twice. It
# ends at the first of these; one row may be larger than a group.
GROUP_ROWS = 20_000
GROUP_BYTES = 8 * 1024 * 1024
# Rows that are objects of Python until they are turned into columns.
BATCH_ROWS = 1_000
BATCH_BYTES = 1024 * 1024
LARGE = frozenset({Kind.TEXT, Kind.JSON, Kind.TEXTS, Kind.MESSAGES, Kind.SPANS})
# Lines of text that go out together: up to the first of these.
LINES = 200
LINE_CHARACTERS = 1024 * 1024


class FileFormat(StrEnum):
    """How an export is written."""

    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"

    @property
    def is_deep(self) -> bool:
        """Whether it has the columns that no table of cells can show."""
        return self is not FileFormat.CSV


CONTENT_TYPES = {
    FileFormat.CSV: TEXT_TYPES[TextFormat.CSV],
    FileFormat.JSONL: TEXT_TYPES[TextFormat.JSONL],
    FileFormat.PARQUET: "application/vnd.apache.parquet",
}


def encoded(
    written_as: FileFormat,
    columns: Sequence[Column],
    rows: Iterable[Row],
    *,
    header: bool = True,
) -> Iterator[bytes]:
    """Write rows, lazily: a piece is made when it is asked for.

    Args:
        written_as: How.
        columns: What each row holds.
        rows: The rows.
        header: Whether CSV begins with the names of its columns.
    """
    match written_as:
        case FileFormat.PARQUET:
            yield from _parquet(columns, rows)
        case FileFormat.JSONL:
            yield from _joined(json_lines(rows))
        case FileFormat.CSV:
            lines = csv_lines(tuple(one.name for one in columns), rows)
            yield from _joined(lines if header else islice(lines, 1, None))


def csv_header(columns: Sequence[Column]) -> bytes:
    """Return the first line of CSV."""
    return b"".join(encoded(FileFormat.CSV, columns, ()))


def _joined(lines: Iterator[str]) -> Iterator[bytes]:
    """Put lines together, up to a number and, but for one line, of characters."""
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


class _Pipe(io.RawIOBase):
    """A file that nobody seeks in, and whose bytes are taken out as they come."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        piece = bytes(data)
        self._pieces.append(piece)
        self._size += len(piece)
        return len(piece)

    def tell(self) -> int:
        return self._size

    def taken(self) -> bytes:
        """Return what came since the last time."""
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


def _parquet(columns: Sequence[Column], rows: Iterable[Row]) -> Iterator[bytes]:
    schema = arrow_schema(columns)
    pipe = _Pipe()
    with pq.ParquetWriter(pipe, schema, compression="zstd") as writer:
        for group in _groups(_batches(columns, schema, rows)):
            table = pa.Table.from_batches(group, schema)
            writer.write_table(table, row_group_size=max(1, table.num_rows))
            # Else the next group comes on top of this one.
            del group, table
            pa.default_memory_pool().release_unused()
            yield pipe.taken()
    yield pipe.taken()


def _groups(batches: Iterable[pa.RecordBatch]) -> Iterator[list[pa.RecordBatch]]:
    """Gather batches, up to a number of rows and of bytes."""
    group: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        group.append(batch)
        rows, size = rows + batch.num_rows, size + batch.nbytes
        if rows >= GROUP_ROWS or size >= GROUP_BYTES:
            yield group
            group, rows, size = [], 0, 0
    if group:
        yield group


def _batches(
    columns: Sequence[Column], schema: pa.Schema, rows: Iterable[Row]
) -> Iterator[pa.RecordBatch]:
    """Turn rows into columns, few at a time: as objects they take the most memory."""
    large = [one.name for one in columns if one.kind in LARGE]
    gathered: list[Row] = []
    size = 0
    for row in rows:
        gathered.append(row)
        size += sum(_size(row[name]) for name in large if row[name])
        if len(gathered) >= BATCH_ROWS or size >= BATCH_BYTES:
            yield _batch(columns, schema, gathered)
            gathered, size = [], 0
    if gathered:
        yield _batch(columns, schema, gathered)


def _batch(
    columns: Sequence[Column], schema: pa.Schema, rows: Sequence[Row]
) -> pa.RecordBatch:
    arrays = [
        pa.array(_values(one, [row[one.name] for row in rows]), type=one.arrow)
        for one in columns
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _size(value: Any) -> int:
    """Return about how many characters a value has."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, list):
        return sum(map(_size, value))
    if isinstance(value, dict):
        return sum(map(_size, value.values()))
    return 0


def _values(column: Column, values: list[Any]) -> list[Any]:
    """Return the values of a column as its type in Parquet takes them."""
    if column.kind is Kind.JSON:
        return [
            None if one is None else json.dumps(one, ensure_ascii=False)
            for one in values
        ]
    if column.kind is Kind.ID:
        return [str(one) if isinstance(one, UUID) else one for one in values]
    return values
