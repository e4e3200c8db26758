"""Rows as Parquet: its types, and its file, row group by row group.

The only module of exports that imports pyarrow; it is imported when a Parquet file is
written or described.
"""

import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

import pyarrow as pa
import pyarrow.parquet as pq

from verifyhub.common.row_files import Row
from verifyhub.exports.schema import ColumnKind, ExportColumn

# A row group is in memory while it is built, parts of it twice. It ends at the first of
# these limits; one row may be larger than a group.
GROUP_ROWS = 20_000
GROUP_BYTES = 8 * 1024 * 1024
# Rows that are Python objects before they are converted to columns.
BATCH_ROWS = 1_000
BATCH_BYTES = 1024 * 1024
LARGE = frozenset(
    {
        ColumnKind.TEXT,
        ColumnKind.JSON,
        ColumnKind.TEXTS,
        ColumnKind.MESSAGES,
        ColumnKind.SPANS,
    }
)
MESSAGES_TYPE = pa.list_(
    pa.struct([pa.field("role", pa.string()), pa.field("content", pa.string())])
)
SPANS_TYPE = pa.list_(
    pa.struct(
        [
            pa.field("start", pa.int64()),
            pa.field("end", pa.int64()),
            pa.field("text", pa.string()),
            pa.field("kind", pa.string()),
            pa.field("label", pa.string()),
        ]
    )
)
ARROW: Mapping[ColumnKind, pa.DataType] = {
    ColumnKind.TEXT: pa.string(),
    ColumnKind.ID: pa.string(),
    ColumnKind.INTEGER: pa.int64(),
    ColumnKind.NUMBER: pa.float64(),
    ColumnKind.FLAG: pa.bool_(),
    ColumnKind.MOMENT: pa.timestamp("us", tz="UTC"),
    ColumnKind.DAY: pa.date32(),
    ColumnKind.JSON: pa.string(),
    ColumnKind.TEXTS: pa.list_(pa.string()),
    ColumnKind.MESSAGES: MESSAGES_TYPE,
    ColumnKind.SPANS: SPANS_TYPE,
}


class _Pipe(io.RawIOBase):
    """A file without seeking, whose bytes are taken as they are written."""

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

    def take(self) -> bytes:
        """Return the bytes written since the last call."""
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


def parquet(columns: Sequence[ExportColumn], rows: Iterable[Row]) -> Iterator[bytes]:
    """Write rows as Parquet, lazily: a piece for each row group."""
    schema = pa.schema(
        [
            pa.field(
                column.name,
                ARROW[column.kind],
                metadata={"description": column.says} if column.says else None,
            )
            for column in columns
        ]
    )
    pipe = _Pipe()
    with pq.ParquetWriter(pipe, schema, compression="zstd") as writer:
        for group in _groups(_batches(columns, schema, rows)):
            table = pa.Table.from_batches(group, schema)
            writer.write_table(table, row_group_size=max(1, table.num_rows))
            # Frees the memory before the next group.
            del group, table
            pa.default_memory_pool().release_unused()
            yield pipe.take()
    yield pipe.take()


def _groups(batches: Iterable[pa.RecordBatch]) -> Iterator[list[pa.RecordBatch]]:
    """Join batches, up to a number of rows and bytes."""
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
    columns: Sequence[ExportColumn], schema: pa.Schema, rows: Iterable[Row]
) -> Iterator[pa.RecordBatch]:
    """Convert rows to columns in batches, since objects take more memory."""
    large = [column.name for column in columns if column.kind in LARGE]
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
    columns: Sequence[ExportColumn], schema: pa.Schema, rows: Sequence[Row]
) -> pa.RecordBatch:
    arrays = [
        pa.array(
            _values(column, [row[column.name] for row in rows]), type=ARROW[column.kind]
        )
        for column in columns
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _size(value: Any) -> int:
    """Return an estimate of a value's characters."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, list):
        return sum(map(_size, value))
    if isinstance(value, dict):
        return sum(map(_size, value.values()))
    return 0


def _values(column: ExportColumn, values: list[Any]) -> list[Any]:
    """Return the values of a column in the form of its Parquet type."""
    if column.kind is ColumnKind.JSON:
        return [
            None if value is None else json.dumps(value, ensure_ascii=False)
            for value in values
        ]
    if column.kind is ColumnKind.ID:
        return [str(value) if isinstance(value, UUID) else value for value in values]
    return values
