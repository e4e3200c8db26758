"""Texts as the few bytes that they can be kept in (DEFLATE), for columns of bytes.

PostgreSQL compresses a value only where its row is large and a quarter is saved, by
LZ methods alone. What tools return is often just below, or random enough that only the
coding of its letters helps.
"""

import zlib

# Below it, what a row saves is less than what it takes to tell the two apart.
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
