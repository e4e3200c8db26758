"""Where the leaves of a JSON output stand in its text."""

import json
import re
from collections.abc import Iterable

from verifyhub.engine.calls.literals import beginning_as_json
from verifyhub.engine.types import Span
from verifyhub.engine.values.records import Path

_MARK = re.compile(
    r'(?P<string>"(?:[^"\\]++|\\.)*+")(?P<colon>\s*+:)?|[{}\[\]]'
    r"|-?\d[\d.eE+-]*+|true|false|null"
)


def leaf_spans(output: str, paths: Iterable[Path]) -> dict[Path, Span]:
    """Return where leaves stand in the text of their output.

    A leaf of JSON inside a string gets the place of that string; lines of JSON count
    as one list.
    """
    wanted = set(paths)
    output, end = beginning_as_json(output)
    if len(output) != end:
        return {}
    search = _Search(output, wanted)
    documents = _documents(output, wanted)
    ends = [*(start for start, _ in documents[1:]), len(output)]
    for (start, base), end in zip(documents, ends, strict=True):
        if search.document(start, end, base):
            break
    return search.found


def _documents(output: str, paths: Iterable[Path]) -> list[tuple[int, Path]]:
    """Return the start of each JSON document of an output, and its path."""
    begins = output.lstrip()[:1]
    if begins == "{" and all(isinstance(path[0], str) for path in paths if path):
        return [(0, ())]  # Of several lines each path begins with a position.
    lines = output.splitlines(keepends=True)
    first_marks = [line[:1] for line in map(str.strip, lines) if line]
    if len(first_marks) < 2 or not {"{", "["}.issuperset(first_marks):
        return [(0, ())]
    try:
        json.loads(output)
    except (ValueError, RecursionError):
        documents: list[tuple[int, Path]] = []
        start = 0
        for line in lines:
            if line.strip():
                documents.append((start, (len(documents),)))
            start += len(line)
        return documents
    return [(0, ())]


class _Search:
    """Walks the marks of JSON documents and notes the places of wanted leaves."""

    def __init__(self, text: str, wanted: set[Path]) -> None:
        self.found: dict[Path, Span] = {}
        self._text = text
        self._wanted = wanted
        self._heads: dict[Path, list[Path]] = {}
        for path in wanted:
            for length in range(len(path) + 1):
                self._heads.setdefault(path[:length], []).append(path)

    def document(self, start: int, end: int, base: Path) -> bool:
        """Walk one document; return whether all that is wanted has been found."""
        path: list[str | int] = list(base)
        # Of each open object or list, whether it is a list.
        in_list: list[bool] = []
        for match in _MARK.finditer(self._text, start, end):
            mark = match.group()
            first = mark[0]
            if first in "}]":
                if not in_list:
                    return False
                in_list.pop()
                path.pop()
                continue
            if first == '"' and match["colon"] and in_list and not in_list[-1]:
                key = match["string"]
                path[-1] = json.loads(key, strict=False) if "\\" in key else key[1:-1]
                continue
            if in_list and in_list[-1]:
                path[-1] = int(path[-1]) + 1
            if first in "{[":
                in_list.append(first == "[")
                path.append(-1 if first == "[" else "")
            else:
                self._leaf(tuple(path), match.span(), quoted=first == '"')
                if len(self.found) == len(self._wanted):
                    return True
        return False

    def _leaf(self, path: Path, span: Span, *, quoted: bool) -> None:
        if quoted:
            span = (span[0] + 1, span[1] - 1)
        for wanted in self._heads.get(path, ()):
            self.found.setdefault(wanted, span)
