"""How much of other people's words one reply carries.

What an agent wrote comes back as data: in fields of a JSON document, cut to a size that
no file name or error message can exceed.
"""

from collections.abc import Sequence
from typing import TypeVar

MAX_LISTED = 50
MAX_NAME = 300
MAX_TEXT = 8000

T = TypeVar("T")


def cut(text: object, limit: int = MAX_NAME) -> str:
    """Return the text, or its beginning and an ellipsis, within `limit` characters."""
    whole = str(text or "")
    return whole if len(whole) <= limit else whole[: limit - 1] + "…"


def first(items: Sequence[T], limit: int = MAX_LISTED) -> tuple[Sequence[T], int]:
    """Return the first items, and how many were left out."""
    return items[:limit], max(0, len(items) - limit)
