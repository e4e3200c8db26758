"""What stands in the input of a tool call."""

from collections.abc import Iterator, Mapping
from typing import Any

_MAX_DEPTH = 64


def string_leaves(value: object, path: str = "input") -> Iterator[tuple[str, str]]:
    """Yield every string in an input with its dotted path, depth first."""
    stack: list[tuple[str, object, int]] = [(path, value, 0)]
    while stack:
        where, item, depth = stack.pop()
        if isinstance(item, str):
            yield where, item
        elif depth >= _MAX_DEPTH:
            continue
        elif isinstance(item, Mapping):
            pairs = [(f"{where}.{key}", child) for key, child in item.items()]
            stack += [(name, child, depth + 1) for name, child in reversed(pairs)]
        elif isinstance(item, (list, tuple)):
            children: list[Any] = list(item)
            stack += [
                (f"{where}.{position}", children[position], depth + 1)
                for position in reversed(range(len(children)))
            ]
