"""Names of the files that an agent wrote, and whether a text shows one."""

import re
from collections.abc import Iterable, Iterator

from verifyhub.engine.text.search import NameSearch, blocks

_FILE_NAME = re.compile(r"[\w-]++(?:\.[\w-]++)++")
_INNER = re.compile(r"[\w-]")
# Fewer new names are searched one by one; more get an automaton.
_ONE_BY_ONE = 16


class WrittenFiles:
    """Base names of written files, growing with the run.

    Automatons of the same size are merged, so that n names cost n log n to build and
    each text is read by log n of them, in any order of writes and reads.
    """

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._searches: list[NameSearch] = []
        self._new: list[str] = []

    def __bool__(self) -> bool:
        return bool(self._names)

    def add(self, names: Iterable[str]) -> None:
        for name in names:
            if name not in self._names:
                self._names.add(name)
                if _FILE_NAME.fullmatch(name):
                    self._new.append(name)
        if len(self._new) > _ONE_BY_ONE:
            self._build()

    def shown(self, names: Iterable[str], output: str) -> bool:
        """Whether a text shows one of the names, or a file in names or an output."""
        texts = tuple(names)
        if not self._names.isdisjoint(texts):
            return True
        return any(
            _is_file(text, place) for text, place in self._places(*texts, output)
        )

    def _places(self, *texts: str) -> Iterator[tuple[str, tuple[int, int]]]:
        for text in texts:
            for name in self._new:
                start = text.find(name)
                while start >= 0:
                    yield text, (start, start + len(name))
                    start = text.find(name, start + len(name))
            for search in self._searches:
                for first, last in blocks(text):
                    for _, start, end in search.in_block(text[first:last]):
                        yield text, (first + start, first + end)

    def _build(self) -> None:
        names = self._new
        while self._searches and len(self._searches[-1].names) <= len(names):
            names = [*self._searches.pop().names, *names]
        self._searches.append(NameSearch(names))
        self._new = []


def _is_file(text: str, place: tuple[int, int]) -> bool:
    """Whether a file name begins and ends here, and is not part of a longer one."""
    start, end = place
    after, before = text[end : end + 2], text[max(0, start - 2) : start][::-1]
    return not any(
        _INNER.match(side) or (side[:1] == "." and _INNER.match(side[1:]))
        for side in (after, before)
    )
