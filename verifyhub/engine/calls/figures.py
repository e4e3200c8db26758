"""Figures in a text, each with the words beside it that say what it counts.

"1,204 rows", "val_acc=0.6142", "Skipped: 2": what a program printed and what an answer
says of it are read alike.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from verifyhub.engine.text.numbers import figures as numbers_of

# Maximum figures of one text.
_MOST = 3_000
# Words beside a figure that are kept.
_BEFORE = 3
_AFTER = 2
_TOKEN = re.compile(
    r"(?P<number>(?<![\w.:/@-])\d{1,12}(?:[.,]\d{1,12}){0,3}(?![\d:/+-]|[.,]\d))"
    r"(?: ?(?P<unit>%|(?:[kmgt]i?b|[nmµu]?s|sec|min|h|fps|x)\b))?"
    r"|(?P<word>[^\W\d_]{2,40})"
    r"|(?P<end>[;|\n,()•·\ue000]|[.!?](?=\s))"
)


class Figure(NamedTuple):
    """A number with its unit, and the words before and after it, the nearest first."""

    digits: str
    unit: str
    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        return self.before + self.after

    @property
    def numbers(self) -> frozenset[float]:
        """What its digits can stand for."""
        return numbers_of(self.digits)


def read_figures(text: str) -> Iterator[Figure]:
    """Yield the figures of a text in lower case, in order."""
    words: list[str] = []
    waiting: tuple[str, str, tuple[str, ...]] | None = None
    count = 0
    for match in _TOKEN.finditer(text):
        word = match["word"]
        if word is not None:
            words.append(word)
            if waiting and len(words) == _AFTER:
                yield Figure(*waiting, tuple(words))
                waiting = None
            continue
        if waiting:
            yield Figure(*waiting, tuple(words[:_AFTER]))
            waiting = None
        if match["number"] is not None:
            count += 1
            if count > _MOST:
                return
            before = tuple(reversed(words[-_BEFORE:]))
            waiting = (match["number"], match["unit"] or "", before)
        words = []
    if waiting:
        yield Figure(*waiting, tuple(words[:_AFTER]))
