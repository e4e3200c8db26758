"""Texts compressed with DEFLATE and a dictionary, for columns of bytes.

PostgreSQL compresses a value only where its row is large and a quarter is saved, by
LZ methods alone. What tools return is often just below, or random enough that only the
coding of its letters helps.
"""

import json
import zlib
from typing import Any

# Shorter texts save less than the overhead of compression.
LEAST_BYTES = 200
# The quickest is nearly as small as the slowest here.
LEVEL = 1
# A character takes four bytes at most, and bytes that cannot be packed grow by little.
_BYTES_PER_CHARACTER, _BYTES_OF_TABLES = 5, 600


def packed(text: str) -> bytes | None:
    """Return a text in fewer bytes, or None where hardly any are saved."""
    plain = text.encode()
    if len(plain) < LEAST_BYTES:
        return None
    data = zlib.compress(plain, LEVEL)
    return data if len(data) < len(plain) * 0.9 else None


def unpacked(data: bytes) -> str:
    """Return the text that was packed."""
    return zlib.decompress(data).decode()


def head_bytes(characters: int) -> int:
    """Return how many bytes of packed data certainly hold so many characters."""
    return characters * _BYTES_PER_CHARACTER + _BYTES_OF_TABLES


def unpacked_head(data: bytes, characters: int) -> str:
    """Return the first characters of a text from the first `head_bytes` of its data."""
    begun = zlib.decompressobj().decompress(data, characters * 4)
    return begun.decode(errors="ignore")[:characters]


def packed_json(value: Any, dictionary: bytes) -> bytes:
    """Return a small JSON value in a few bytes.

    Args:
        value: What JSON can hold.
        dictionary: Texts that most such values hold, the most frequent last. Without
            the very same one nothing of the value comes back.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # Without header and checksum, which PostgreSQL has for the whole page.
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
        plain: The attribute of a column of JSON: rows of former versions have it there.
        packed: The attribute of a column of bytes: what is set is put there.
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
