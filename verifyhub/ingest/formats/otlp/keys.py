"""Read the attributes of a span by name, and record which were read."""

from collections.abc import Iterable, Mapping
from typing import Any

from verifyhub.common.strict_json import StrictJSONError
from verifyhub.ingest.formats.entries import json_in

# Flattened names have a few parts; the last one contains the rest.
MAX_PARTS = 24
MAX_TOKENS = 2**53
Steps = list[str]


class Keys:
    """Reads the attributes of a span, and records which were understood."""

    def __init__(self, attributes: Mapping[str, Any]) -> None:
        self._attributes = attributes
        self.used: set[str] = set()

    def has(self, *prefixes: str) -> bool:
        """Whether any name has one of the prefixes; marks nothing as understood."""
        # A loop takes a third less than `any` with a generator, for each dialect.
        for key in self._attributes:  # noqa: SIM110
            if key.startswith(prefixes):
                return True
        return False

    def get(self, *names: str) -> Any:
        """Return the first value that is not empty; marks all names as understood."""
        first = None
        for name in names:
            value = self._attributes.get(name)
            if name in self._attributes:
                self.used.add(name)
            if first is None and value not in (None, ""):
                first = value
        return first

    def text(self, *names: str) -> str:
        """Return the first value as a string; empty if there is none."""
        value = self.get(*names)
        return value if isinstance(value, str) else "" if value is None else str(value)

    def data(self, *names: str) -> Any:
        """Return the first value; JSON in a string is parsed."""
        return parsed(self.get(*names))

    def decoded(self, *names: str) -> Any:
        """Return the first value of a dialect that writes every value as JSON."""
        value = self.data(*names)
        if isinstance(value, str) and value[:1] == value[-1:] == '"':
            return _read(value)
        return value

    def count(self, *names: str) -> int | None:
        """Return the first value if it is a valid number of tokens."""
        value = self.get(*names)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        is_count = isinstance(value, int) and not isinstance(value, bool)
        return value if is_count and 0 <= value <= MAX_TOKENS else None

    def number(self, *names: str) -> float | None:
        """Return the first value if it is a number and not negative."""
        value = self.get(*names)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return float(value) if is_number and value >= 0 else None

    def nested(self, prefix: str) -> Any:
        """Return the value of flattened names below a prefix: `a.0.b` is `a[0]["b"]`.

        Names that are all numbers become a list, in their order, whatever their size.
        None if no name has the prefix.
        """
        tree: dict[str, Any] = {}
        for key in sorted(self._attributes):
            if key.startswith(prefix):
                self.used.add(key)
                steps = key.removeprefix(prefix).split(".", MAX_PARTS)
                _plant(tree, steps, self._attributes[key])
        return _listed(tree) if tree else None

    def understand(self, *prefixes: str) -> None:
        """Mark names with these prefixes as understood."""
        self.used.update(key for key in self._attributes if key.startswith(prefixes))

    def unused(self) -> Iterable[str]:
        """Return the names that were not understood."""
        return sorted(self._attributes.keys() - self.used)


def parsed(value: Any) -> Any:
    """Return the JSON object or array that a string contains, or else the string."""
    if not isinstance(value, str) or value.lstrip()[:1] not in {"{", "["}:
        return value
    return _read(value)


def _read(value: str) -> Any:
    try:
        return json_in(value)
    except StrictJSONError:
        return value


def _plant(tree: dict[str, Any], steps: Steps, value: Any) -> None:
    *path, last = steps
    for step in path:
        inner = tree.setdefault(step, {})
        if not isinstance(inner, dict):
            return
        tree = inner
    tree.setdefault(last, value)


def _listed(node: Any) -> Any:
    if not isinstance(node, dict):
        return node
    if node and all(key.isascii() and key.isdecimal() for key in node):
        places = sorted(node, key=lambda key: (len(key.lstrip("0")), key))
        return [_listed(node[place]) for place in places]
    return {key: _listed(inner) for key, inner in node.items()}
