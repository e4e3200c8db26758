"""Search a text for many names in one pass, in linear time.

Aho and Corasick's automaton reads every character once, however many names there are.
Texts are read in blocks, so that the matches of a large text never stand in memory
together.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter

import ahocorasick_rs

from verifyhub.engine.lazily import cached_property
from verifyhub.engine.text.tokens import encodable

# Code points of a block; a match costs about 130 bytes until the block is done.
BLOCK = 32_768
# The quicker automaton takes a table of as many states as its names have characters,
# and as long to build each as it saves on so many characters that it reads.
_PAYS = 90
_MOST_STATES = 4_000
# Characters that are read where no number is given.
_USUAL = 400 * _PAYS
# Names of one automaton at most.
_MOST_TOGETHER = 2_000
_START = itemgetter(1)
_BREAK = re.compile(r"[^\w.@~+$%/\\-]")
_NO_WORD = re.compile(r"\W")

Match = tuple[int, int, int]


class NameSearch:
    """Automata of names; of names at one position the longest is found.

    With `overlapping` every name is found wherever it stands. Shorter ones may be found
    beside the longest, as many names are shared out over several automatons: building
    one takes time in the square of its names.
    """

    def __init__(
        self, names: Iterable[str], *, overlapping: bool = False, reads: float = _USUAL
    ) -> None:
        """Build the automatons.

        Args:
            names: What to look for.
            overlapping: Whether to find names inside and across others.
            reads: About how many characters it will be asked about in all.
        """
        self.names: Sequence[str] = tuple(names)
        self._overlapping = overlapping
        self._automatons = [
            (
                first,
                _automaton(
                    self.names[first : first + _MOST_TOGETHER], overlapping, reads
                ),
            )
            for first in range(0, len(self.names), _MOST_TOGETHER)
        ]

    @cached_property
    def are_words(self) -> list[bool]:
        """Whether each is nothing but a word: it holds no other at a word's edge."""
        return [name.replace("_", "a").isalnum() for name in self.names]

    def in_block(self, block: str) -> list[Match]:
        """Return the position of the name, the start and the end of every match.

        Matches are in the order of their starts.
        """
        try:
            return self._matches(block)
        except UnicodeEncodeError:
            return self._matches(encodable(block))

    def _matches(self, block: str) -> list[Match]:
        results: list[Match] = []
        for first, automaton in self._automatons:
            matches = automaton.find_matches_as_indexes(block, self._overlapping)
            if not first:
                results = matches
            else:
                results += [(first + name, start, end) for name, start, end in matches]
        if len(self._automatons) > 1:
            results.sort(key=_START)
        return results


class LineSearch:
    """Tells which of some words each line of a text holds: much less than where.

    Of words at one position the longest is found, as by `NameSearch`.
    """

    def __init__(self, words: Sequence[str], *, reads: float = _USUAL) -> None:
        """Build the automatons: see `NameSearch`."""
        self._automatons = [
            _automaton((*words[first : first + _MOST_TOGETHER], "\n"), False, reads)
            for first in range(0, len(words), _MOST_TOGETHER)
        ]

    def in_lines(self, text: str) -> list[str]:
        """Return the words of each line in one string, with blanks between them."""
        by_automaton = [
            " ".join(_found(automaton, text)).split("\n")
            for automaton in self._automatons
        ]
        if len(by_automaton) == 1:
            return by_automaton[0]
        return list(map(" ".join, zip(*by_automaton, strict=True)))


def _found(automaton: ahocorasick_rs.AhoCorasick, text: str) -> list[str]:
    found: list[str] = []
    for first, last in blocks(text):
        block = text[first:last]
        try:
            found += automaton.find_matches_as_strings(block)
        except UnicodeEncodeError:
            found += automaton.find_matches_as_strings(encodable(block))
    return found


def _automaton(
    names: Sequence[str], overlapping: bool, reads: float
) -> ahocorasick_rs.AhoCorasick:
    states = sum(map(len, names))
    quick = states <= _MOST_STATES and states * _PAYS <= reads
    kinds = ahocorasick_rs.MatchKind
    ways = ahocorasick_rs.Implementation
    return ahocorasick_rs.AhoCorasick(
        names,
        matchkind=kinds.Standard if overlapping else kinds.LeftmostLongest,
        implementation=ways.DFA if quick else ways.ContiguousNFA,
    )


def blocks(text: str) -> Iterator[tuple[int, int]]:
    """Split a text into ranges that no chunk crosses (`text.tokens.CHUNK`).

    A chunk longer than a block is cut at the end of a word, and a word longer than
    that is left out: it is no name.
    """
    start, length = 0, len(text)
    while length - start > BLOCK:
        end = start + BLOCK
        boundary = _BREAK.search(text, end, end + BLOCK)
        if boundary is None and length > end + BLOCK:
            boundary = _NO_WORD.search(text, end)
        stop = boundary.start() if boundary else length
        if stop - start > 2 * BLOCK:
            ends = [match.end() for match in _NO_WORD.finditer(text, start, end)]
            if ends:
                yield start, ends[-1]
        else:
            yield start, stop
        start = stop
    yield start, length
