"""The input of a tool call: its strings and the meaning of its fields; outputs as JSON.

Names of fields are compared folded: `file_path`, `filePath` and `FilePath` are equal.
"""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from verifyhub.engine.calls.literals import literal_as_json
from verifyhub.engine.text.tokens import word_set

FILE_FIELDS = word_set(
    """
    filepath path paths filename file files notebookpath targetfile relativepath
    relativeworkspacepath absolutepath abspath outputpath destination uri
    """
)
# Fields of working folders and of other folders.
WORKING_FOLDER_FIELDS = word_set("workdir cwd workingdirectory")
FOLDER_FIELDS = WORKING_FOLDER_FIELDS | word_set("directory dir dirpath root")


def folded(field: str) -> str:
    """Return the name of a field, folded for comparison.

    Args:
        field: The name, or the dotted path that ends in it.
    """
    return _folded(field) if len(field) <= _LONGEST_KEPT else _folded.__wrapped__(field)


# The fields of tools are read several times for each call; longer texts are no names
# and not cached.
_LONGEST_KEPT = 40


@lru_cache(maxsize=4096)
def _folded(field: str) -> str:
    return field.rpartition(".")[2].replace("_", "").lower()


def path_values(data: Mapping[str, Any], fields: frozenset[str]) -> tuple[str, ...]:
    """Return the texts of fields with paths, in order."""
    paths: list[str] = []
    for field, value in data.items():
        if folded(field) in fields:
            values = value if isinstance(value, list) else [value]
            paths += [item for item in values if isinstance(item, str) and item]
    return tuple(paths)


_MAX_DEPTH = 64


def string_leaves(value: object) -> Iterator[tuple[str, str]]:
    """Yield every string in an input with its dotted path, depth first."""
    stack: list[tuple[str, object, int]] = [("input", value, 0)]
    while stack:
        path, item, depth = stack.pop()
        if isinstance(item, str):
            yield path, item
        elif depth >= _MAX_DEPTH:
            continue
        elif isinstance(item, (dict, Mapping)):
            pairs = [(f"{path}.{key}", child) for key, child in item.items()]
            stack += [(name, child, depth + 1) for name, child in reversed(pairs)]
        elif isinstance(item, (list, tuple)):
            children: list[Any] = list(item)
            stack += [
                (f"{path}.{position}", children[position], depth + 1)
                for position in reversed(range(len(children)))
            ]


def read_json(text: str) -> Any:
    """Read a tool's output as JSON, or as what Python prints; None if it is neither."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        literal = literal_as_json(text)
    try:
        return None if literal is None else json.loads(literal)
    except (ValueError, RecursionError):
        return None


def json_object(text: str) -> Mapping[str, Any] | None:
    """Read a tool's output as one JSON object; None if it is not one."""
    data = read_json(text) if text.startswith("{") else None
    return data if isinstance(data, dict) else None
