"""Where the leaves of a JSON output stand in its text."""

import json
import re
from collections.abc import Iterable

from verifyhub.engine.types import Span
from verifyhub.engine.values.records import Path

_MARK = re.compile(r'"(?:[^"\\]++|\\.)*+"|[{}\[\]:,]|-?\d[\d.eE+-]*+|true|false|null')


def leaf_spans(output: str, paths: Iterable[Path]) -> dict[Path, Span]:
    """Return where leaves stand in the text of their output.

    A leaf of JSON inside a string gets the place of that string; lines of JSON count
    as one list.
    """
    search = _Search(output, set(paths))
    documents = _documents(output)
    ends = [*(start for start, _ in documents[1:]), len(output)]
    for (start, base), end in zip(documents, ends, strict=True):
        if search.document(start, end, base):
            break
    return search.found


def _documents(output: str) -> list[tuple[int, Path]]:
    """Return the start of each JSON document of an output, and its path."""
    try:
        json.loads(output)
    except (ValueError, RecursionError):
        documents: list[tuple[int, Path]] = []
        start = 0
        for line in output.splitlines(keepends=True):
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
        self._path: list[str | int] = []
        self._in_object: list[bool] = []
        self._at_key = False

    def document(self, start: int, end: int, base: Path) -> bool:
        """Walk one document; return whether all that is wanted has been found."""
        self._path, self._in_object, self._at_key = list(base), [], False
        for match in _MARK.finditer(self._text, start, end):
            mark = match.group()
            if mark in "{[":
                self._open(mark == "{")
            elif mark in "}]":
                if not self._in_object:
                    return False
                self._close()
            elif mark == ",":
                self._next()
            elif mark == ":":
                self._at_key = False
            elif self._at_key:
                self._path[-1] = (
                    json.loads(mark, strict=False) if "\\" in mark else mark[1:-1]
                )
            else:
                self._leaf(match.span(), quoted=mark[0] == '"')
                if len(self.found) == len(self._wanted):
                    return True
        return False

    def _open(self, is_object: bool) -> None:
        self._in_object.append(is_object)
        self._path.append("" if is_object else 0)
        self._at_key = is_object

    def _close(self) -> None:
        self._in_object.pop()
        self._path.pop()
        self._at_key = False

    def _next(self) -> None:
        if self._in_object and not self._in_object[-1]:
            self._path[-1] = int(self._path[-1]) + 1
        self._at_key = bool(self._in_object) and self._in_object[-1]

    def _leaf(self, span: Span, *, quoted: bool) -> None:
        if quoted:
            span = (span[0] + 1, span[1] - 1)
        for path in self._heads.get(tuple(self._path), ()):
            self.found.setdefault(path, span)
