"""The rows of a Parquet file, a few at a time."""

import math
from collections.abc import Iterator
from datetime import date, datetime
from typing import IO, Any

from verifyhub.ingest.formats.bulk.source import (
    TOO_LARGE,
    Bounds,
    BrokenStreamError,
)
from verifyhub.ingest.formats.bulk.streams import RawItem

ROWS_AT_A_TIME = 64
# Groups of rows are decompressed whole, so a larger one is refused.
MAX_GROUP_BYTES = 1024 * 1024 * 1024
MAX_COLUMNS = 5000
MAX_DEPTH = 32
MAGIC = b"PAR1"


def parquet_items(
    file: IO[bytes], *, bounds: Bounds | None = None
) -> Iterator[RawItem]:
    """Yield the rows of a file as objects without their nulls.

    Args:
        file: A seekable file, open for reading.
        bounds: The limits; only `unpacked` applies here.

    Raises:
        BrokenStreamError: If it is not Parquet, or too large after decompression.
    """
    # Imported here, since it is slow to load and rarely needed.
    import pyarrow
    import pyarrow.parquet

    try:
        table = pyarrow.parquet.ParquetFile(file)
        _check(table)
        number = total = 0
        most = (bounds or Bounds()).unpacked
        for batch in table.iter_batches(batch_size=ROWS_AT_A_TIME):
            for row in batch.to_pylist():
                number += 1
                values = {k: _plain(v) for k, v in row.items() if v is not None}
                size = sum(
                    len(v) if isinstance(v, str) else 64 for v in values.values()
                )
                total += size
                if total > most:
                    raise BrokenStreamError(
                        f"The rows have more than {most} bytes.", status=TOO_LARGE
                    )
                yield RawItem(number, value=values, size=size)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        if isinstance(error, BrokenStreamError):
            raise
        raise BrokenStreamError("The Parquet file cannot be read.") from error


def _check(table: Any) -> None:
    metadata = table.metadata
    if metadata.num_columns > MAX_COLUMNS:
        raise BrokenStreamError(f"The file has more than {MAX_COLUMNS} columns.")
    for index in range(metadata.num_row_groups):
        if metadata.row_group(index).total_byte_size > MAX_GROUP_BYTES:
            raise BrokenStreamError("A row group of the file is too large.")


def _plain(value: Any, depth: int = MAX_DEPTH) -> Any:
    """Return a cell as a JSON value that the database can store."""
    if not depth:
        return None
    if isinstance(value, str):
        return value.replace("\x00", "\ufffd")
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, dict):
        return {
            str(k).replace("\x00", "\ufffd"): _plain(v, depth - 1)
            for k, v in value.items()
            if v is not None
        }
    if isinstance(value, list | tuple):
        return [_plain(item, depth - 1) for item in value]
    return value if isinstance(value, bool | int | None) else str(value)
