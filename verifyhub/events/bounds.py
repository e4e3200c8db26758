"""Cut an event's data to a bounded size."""

import json
from collections.abc import Mapping
from typing import Any

# Maximum lengths of lists and texts, the largest tried first.
_ROOM = ((50, 2000), (20, 500), (8, 200), (2, 80), (0, 20))
CUT = "is_cut"


def bounded(data: Mapping[str, Any], *, most_bytes: int) -> dict[str, Any]:
    """Return data of at most so many bytes as JSON; `is_cut` if it was truncated.

    Lists and texts are truncated; no key is removed.

    Raises:
        ValueError: If even its keys do not fit.
    """
    if _size(data) <= most_bytes:
        return dict(data)
    for items, characters in _ROOM:
        cut = {**_cut(data, items, characters), CUT: True}
        if _size(cut) <= most_bytes:
            return cut
    raise ValueError("the data of an event has too many keys")


def _cut(value: Any, items: int, characters: int) -> Any:
    if isinstance(value, Mapping):
        return {key: _cut(child, items, characters) for key, child in value.items()}
    if isinstance(value, list | tuple):
        return [_cut(child, items, characters) for child in value[:items]]
    return value[:characters] if isinstance(value, str) else value


def _size(data: Mapping[str, Any]) -> int:
    return len(json.dumps(data).encode())
