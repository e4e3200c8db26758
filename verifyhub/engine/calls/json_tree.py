"""Listings as nested JSON: MCP's `directory_tree` and those like it.

Read mark by mark, not parsed: the places of the names in the text are wanted, and what
was cut short still tells what stands in it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from verifyhub.engine.text.paths import Components, components, joined

# A name of a listing: its place in the text, and the path that it stands for.
Entry: TypeAlias = tuple[int, int, Components]

# Entries of one output; a listing of a whole disk is no longer a listing.
MOST_ENTRIES = 20_000
_MOST_DEPTH = 64
# A string that is longer is no name; the bound keeps unclosed quotes linear.
_MARK = re.compile(r'"((?:[^"\\]|\\.){0,4000}+)"(\s*+:)?|[{}]')
_STARTS = re.compile(r"\s*+[\[{]")
_NAME_KEYS = frozenset({"name", "path"})
_SAYS_TREE = ('"children"', '"directory"')


@dataclass(slots=True)
class _Node:
    """An object that is being read; where it lies once its name is known."""

    folder: Components
    path: Components | None = None
    key: str = ""


def is_json_tree(text: str) -> bool:
    """Whether a listing begins as JSON and speaks of folders or what is in them."""
    return _STARTS.match(text) is not None and any(word in text for word in _SAYS_TREE)


def json_tree(text: str, base: Components) -> Iterator[Entry]:
    """Yield each name's place and path, below the folder that was asked for.

    Args:
        text: The whole output.
        base: The folder that was listed.
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
