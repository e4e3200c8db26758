"""Texts compressed with DEFLATE and a dictionary, for columns of bytes.

PostgreSQL compresses a value only if its row is large and a quarter is saved, with LZ
methods alone. Tool outputs are often just below that, or so random that only entropy
coding helps.
"""

import json
import zlib
from typing import Any

# Shorter texts save less than the overhead of compression.
LEAST_BYTES = 200
# Here the fastest level compresses nearly as well as the slowest.
LEVEL = 1
# From here on repetitions are worth little, and may cost more than they save.
HARDLY_REPETITIVE = 0.7
# The first byte of data of former versions, with zlib's header, and of none without:
# those begin with a block, whose type is in bits that are zero here.
_HEADER = 0x78
# A character has at most four bytes; incompressible bytes grow by little.
_BYTES_PER_CHARACTER, _BYTES_OF_TABLES = 5, 600


def packed(text: str) -> bytes | None:
    """Return a text compressed, or None if that saves hardly anything."""
    plain = text.encode()
    if len(plain) < LEAST_BYTES:
        return None
    data = _compressed(plain, zlib.Z_DEFAULT_STRATEGY)
    if len(data) > len(plain) * HARDLY_REPETITIVE:
        data = min(data, _compressed(plain, zlib.Z_RLE), key=len)
    return data if len(data) < len(plain) * 0.9 else None


def _compressed(plain: bytes, strategy: int) -> bytes:
    """Return bytes compressed, without header and checksum.

    PostgreSQL has page checksums. Six bytes decide whether four rows of outputs of some
    2,500 random characters fit on a page, or each lies out of line.
    """
    packing = zlib.compressobj(LEVEL, wbits=-zlib.MAX_WBITS, strategy=strategy)
    return packing.compress(plain) + packing.flush()


def unpacked(data: bytes) -> str:
    """Return the text of compressed data."""
    return zlib.decompress(data, _window(data)).decode()


def head_bytes(characters: int) -> int:
    """Return how many compressed bytes certainly contain so many characters."""
    return characters * _BYTES_PER_CHARACTER + _BYTES_OF_TABLES


def unpacked_head(data: bytes, characters: int) -> str:
    """Return the first characters of a text from the first `head_bytes` of its data."""
    begun = zlib.decompressobj(_window(data)).decompress(data, characters * 4)
    return begun.decode(errors="ignore")[:characters]


def _window(data: bytes) -> int:
    """Return zlib's parameter for data with its header, or without."""
    return zlib.MAX_WBITS if data[:1] == bytes([_HEADER]) else -zlib.MAX_WBITS


def packed_json(value: Any, dictionary: bytes) -> bytes:
    """Return a small JSON value in a few bytes.

    Args:
        value: A JSON value.
        dictionary: Texts that such values usually contain, the most frequent last. The
            same one is needed to decompress it.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # Without header and checksum: PostgreSQL has page checksums.
    packing = zlib.compressobj(wbits=-zlib.MAX_WBITS, zdict=dictionary)
    return packing.compress(text.encode()) + packing.flush()


def unpacked_json(data: bytes, dictionary: bytes) -> Any:
    """Return the value that was packed with a dictionary."""
    unpacking = zlib.decompressobj(wbits=-zlib.MAX_WBITS, zdict=dictionary)
    return json.loads(unpacking.decompress(data))


def packed_property(
    plain: str, packed: str, dictionary: bytes, docstring: str
) -> property:
    """Return a property of a model over two columns for one small JSON value.

    Args:
        plain: The attribute of a JSON column, used by rows of former versions.
        packed: The attribute of a column of bytes, which is written.
        dictionary: As in `packed_json`.
        docstring: Its docstring.
    """

    def read(row: Any) -> Any:
        data = getattr(row, packed)
        return getattr(row, plain) if data is None else unpacked_json(data, dictionary)

    def write(row: Any, value: Any) -> None:
        setattr(row, plain, None)
        setattr(row, packed, packed_json(value, dictionary))

    return property(read, write, doc=docstring)
