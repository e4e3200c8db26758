"""The figures that programs printed, in order, and by the words beside them."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.deed_words import stem
from verifyhub.engine.calls.figures import Figure, read_figures
from verifyhub.engine.calls.programs import ProgramRole
from verifyhub.engine.calls.tools import ToolKind

# Maximum figures of a run, and places that are kept for each word, the last ones.
_MOST = 20_000
_MOST_PLACES = 200
# A shorter output that only has a number is what the command asked for.
_BARE = 40
_WORD = re.compile(r"[^\W\d_]{3,40}")
_MOST_WORDS = 40
# `acc` stands for accuracy, `val` for validation.
_SHORTEST = 3


class PrintedFigure(NamedTuple):
    """A figure of an output; `asked` are the words of a command that prints no other.

    `ls invoices | wc -l` prints a bare number: it counts invoices.
    """

    call: int
    figure: Figure
    asked: tuple[str, ...] = ()


class PrintedFigures:
    """The figures of a run.

    Attributes:
        figures: All of them, in order.
    """

    def __init__(self, calls: Iterable[Call]) -> None:
        self.figures: tuple[PrintedFigure, ...] = tuple(_read_printed(calls))
        self._by_word: dict[str, list[int]] = {}
        self._by_call: dict[int, list[int]] = {}
        self._asked: dict[str, list[int]] = {}
        roots: dict[str, str] = {}
        for place, printed in enumerate(self.figures):
            self._by_call.setdefault(printed.call, []).append(place)
            for word in printed.asked:
                self._asked.setdefault(stem(word), []).append(place)
            for word in printed.figure.words:
                if word not in roots:
                    roots[word] = stem(word)
                for key in {word, roots[word]}:
                    self._by_word.setdefault(key, []).append(place)

    def beside(self, word: str) -> frozenset[int]:
        """Return the last places beside which a word, or a short form of it, stands."""
        keys = {stem(word), *(word[:end] for end in range(_SHORTEST, len(word) + 1))}
        return frozenset(
            place
            for key in keys
            for place in self._by_word.get(key, ())[-_MOST_PLACES:]
        )

    def asked(self, words: Iterable[str]) -> list[int]:
        """Return the places of bare numbers, once for each word of their commands."""
        return [
            place
            for root in {stem(word) for word in words}
            for place in self._asked.get(root, ())[-_MOST_PLACES:]
        ]

    def numbers_of(self, calls: Iterable[int]) -> list[float]:
        return [
            number
            for call in calls
            for place in self._by_call.get(call, ())[-_MOST_PLACES:]
            for number in self.figures[place].figure.numbers
        ]

    def near(self, places: Iterable[int]) -> list[float]:
        """Return the numbers at some places and right beside those."""
        last = len(self.figures) - 1
        around = {
            min(max(place + step, 0), last) for place in places for step in (-1, 0, 1)
        }
        return [
            number
            for place in sorted(around)
            for number in self.figures[place].figure.numbers
        ]


def _read_printed(calls: Iterable[Call]) -> Iterator[PrintedFigure]:
    """Yield the figures in outputs of what ran; stored text shows no run."""
    count = 0
    for entry in calls:
        if not (entry.commands or entry.kind is ToolKind.OTHER) or entry.is_report:
            continue
        output = entry.tail.lower()
        bare = len(output) < _BARE
        stored = entry.shows_stored or _reads_text(entry)
        if stored and (not bare or _WORD.search(output)):
            continue
        for figure in read_figures(output):
            asked: tuple[str, ...] = ()
            if bare and not figure.words:
                words = _WORD.findall((entry.command or "")[:1_000].lower())
                asked = tuple(words[:_MOST_WORDS])
            yield PrintedFigure(entry.index, figure, asked)
            count += 1
            if count >= _MOST:
                return


def _reads_text(entry: Call) -> bool:
    """Whether a call only reads a text, which need not be the record of a run."""
    return (
        bool(entry.commands)
        and all(part.role & ProgramRole.LOOKS for part in entry.commands)
        and _TEXT.search(entry.command or "") is not None
    )


_TEXT = re.compile(r"(?<!\S)(?!/tmp/)\S{1,200}\.txt(?!\S)")
