"""Listings as nested JSON: MCP's `directory_tree` and similar tools.

Read token by token, not parsed: the places of names in the text are needed, and a
truncated listing still has names.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from verifyhub.engine.text.paths import Components, components, joined

# A name in a listing: its place in the text, and its path.
Entry: TypeAlias = tuple[int, int, Components]

# Maximum entries of one output; longer outputs are not listings.
MOST_ENTRIES = 20_000
_MOST_DEPTH = 64
# Longer strings are not names; the limit keeps unclosed quotes linear.
_MARK = re.compile(r'"((?:[^"\\]|\\.){0,4000}+)"(\s*+:)?|[{}]')
_STARTS = re.compile(r"\s*+[\[{]")
_NAME_KEYS = frozenset({"name", "path"})
_SAYS_TREE = ('"children"', '"directory"')


@dataclass(slots=True)
class _Node:
    """An object that is being read; its folder is set once its name is known."""

    folder: Components
    path: Components | None = None
    key: str = ""


def is_json_tree(text: str) -> bool:
    """Whether a listing begins as JSON and mentions folders or their content."""
    return _STARTS.match(text) is not None and any(word in text for word in _SAYS_TREE)


def json_tree(text: str, base: Components) -> Iterator[Entry]:
    """Yield each name's place and path, below the listed folder.

    Args:
        text: The whole output.
        base: The listed folder.
    """
    nodes: list[_Node] = []
    count = 0
    for mark in _MARK.finditer(text):
        if mark.group() == "{":
            nodes.append(_Node(_inside(nodes, base)))
            if len(nodes) > _MOST_DEPTH:
                return
        elif mark.group() == "}":
            nodes = nodes[:-1]
        elif nodes and mark.group(2):
            nodes[-1].key = mark.group(1)
        elif nodes and nodes[-1].key in _NAME_KEYS and nodes[-1].path is None:
            nodes[-1].path = joined(nodes[-1].folder, components(mark.group(1)))
            yield *mark.span(1), nodes[-1].path
            count += 1
            if count >= MOST_ENTRIES:
                return


def _inside(nodes: list[_Node], base: Components) -> Components:
    above = nodes[-1] if nodes else None
    if above is None:
        return base
    return above.path if above.path is not None else above.folder
