"""Find real names similar to missing ones, in a second pass over the observed texts.

Texts are read in blocks, and only lines that contain a piece of a name are split into
words. All pieces of all names are searched in the distinct words of a block at once, so
that memory does not grow with the trace, and time only linearly.
"""

import itertools
import re
import string
from collections.abc import (
    Callable,
    Container,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field
from typing import NamedTuple

from verifyhub.engine.ledger.index import path_of
from verifyhub.engine.ledger.sources import LedgerSource, LedgerTier, Own
from verifyhub.engine.mentions.words import EXTENSIONS
from verifyhub.engine.text.paths import Components
from verifyhub.engine.text.search import BLOCK, NameSearch, blocks
from verifyhub.engine.text.tokens import CHUNK, unescaped_lines

# Maximum candidates for one piece of a name, the first ones in the trace; those in the
# rest of a large trace are not closer.
MOST_CANDIDATES = 300
# Maximum stored words of the agent's own, which are not suggested to it.
_MOST_OWN = 50_000
# Maximum stored words that were already compared.
_MOST_SEEN = 8_192
# One word in so many was not compared before.
_MOSTLY_KNOWN = 8
# Words compared together, so that many small texts cost no more than a large one.
_AT_ONCE = 2_000
# Maximum matches in one block of pieces that have enough candidates, before they are
# dropped.
_TIRED = 64
# With more than one match in this many characters, most lines have one.
_CROWDED = 40
# The number of blocks that are then read completely.
_REST = 8
_ASCII_WORD = frozenset(f"{string.ascii_letters}{string.digits}_")

# A bracket stays with the preceding name, and this mark with a defined name.
_CALLED = "("
_MARK = "\x01"
_MARKS = _CALLED + _MARK
_AROUND_NAME = f"-{_MARKS}"
# Languages with other keywords have a bracket after a defined name.
_DEFINES = ("def ", "function ", "sub ")
_WIDE = re.compile(r"\x01?[\w.@~+$%/\\-]++\(?")
_WIDE_NAME = re.compile(r"\x01?[\w$]++(?:-++[\w$]++)*+\(?")


def _table(kept: re.Pattern[str]) -> bytes:
    """Return a translation that replaces characters of other kinds by blanks."""
    return bytes(
        code if code < 128 and (kept.match(chr(code)) or chr(code) in _MARKS) else 32
        for code in range(256)
    )


_CHUNKS = _table(CHUNK)
_NAMES = _table(re.compile(r"[\w$-]"))
# Letters of a word before a name.
_WORD_BEFORE = 6


@dataclass(slots=True)
class PartialMatch:
    """Part of a missing name, and the real names that contain it.

    `names` has for each name whether it is called or defined as a function somewhere;
    `stems` has the paths of files by the folded stem of their name. `shortest` and
    `longest` limit the length of similar names, in characters.
    """

    shortest: int = 1_000_000
    longest: int = 0
    for_names: bool = False
    for_files: bool = False
    names: dict[str, bool] = field(default_factory=dict)
    stems: dict[str, list[Components]] = field(default_factory=dict)

    def widen(self, length: int, *, files: bool) -> None:
        """Also search for names of a similar length.

        A quarter may differ, or a word may precede it: `EventSessionStop`.
        """
        self.shortest = min(self.shortest, length * 3 // 4)
        self.longest = max(self.longest, length * 4 // 3 + 1, length + _WORD_BEFORE)
        self.for_files |= files
        self.for_names |= not files


@dataclass
class Nearby:
    """Names whose similar spellings are searched, by folded text, with matches so far.

    `spellings` are requested by folded name, `by_name` by the folded last component of
    a path and `by_stem` by the same without its extension.
    """

    pieces: dict[str, PartialMatch] = field(default_factory=dict)
    spellings: dict[str, dict[str, bool]] = field(default_factory=dict)
    by_name: dict[str, list[Components]] = field(default_factory=dict)
    by_stem: dict[str, list[Components]] = field(default_factory=dict)

    def gather(self, sources: Iterable[LedgerSource]) -> None:
        """Read the observed texts once."""
        parts = self.pieces.items()
        names = {text: part.shortest for text, part in parts if part.for_names}
        names |= {text: len(text) for text in self.spellings}
        files = {text: part.shortest for text, part in parts if part.for_files}
        files |= {text: len(text) for text in (*self.by_name, *self.by_stem)}
        wide = not all(map(str.isascii, (*names, *files)))
        if not names and not files:
            return
        texts = tuple(sources)
        size = sum(len(source.text) for source in texts)
        in_names = _NearbyReader(names, self._keep_name, reads=size / _MOSTLY_KNOWN)
        in_paths = _NearbyReader(files, self._keep_path, reads=size / _MOSTLY_KNOWN)
        lines = _Lines(self.pieces, (in_names, in_paths), reads=size)
        seen: set[str] = set()
        for words in _observed_words(texts, lines, wide=wide):
            if files:
                in_paths.read([word for word in words if "." in word or "/" in word])
            if names:
                in_names.read(_fresh(_names(words, wide=wide), seen))
            lines.look_again()

    def _keep_name(self, needle: str, word: str, _: int) -> bool:
        name = word.strip(_AROUND_NAME)
        called = word[-1] == _CALLED or word[0] == _MARK
        spelling = self.spellings.get(needle)
        if spelling is not None and len(name) == len(needle):
            _note(spelling, name, called=called)
        piece = self.pieces.get(needle)
        if piece is None or not piece.for_names:
            return False
        if piece.shortest <= len(name) <= piece.longest and not name.isdigit():
            _note(piece.names, name, called=called)
        return spelling is None and len(piece.names) >= MOST_CANDIDATES

    def _keep_path(self, needle: str, word: str, end: int) -> bool:
        if "/" in word[end:]:
            return False
        piece = self.pieces.get(needle)
        if needle not in self.by_name and needle not in self.by_stem:
            # Most are distinguished without splitting a path.
            length = len(word) - word.rfind("/") - 1
            if piece is None or length < piece.shortest:
                return False
            last = word.strip(_MARKS).rstrip(".").rpartition(".")[2]
            if last not in EXTENSIONS:
                return False
        path = path_of(word.strip(_MARKS))
        if not path or not path[-1]:
            return False
        name = _folded(path[-1])
        _keep(self.by_name.get(name), path)
        stem, _, last = name.rpartition(".")
        if not stem or last not in EXTENSIONS:
            return False
        _keep(self.by_stem.get(stem), path)
        return piece is not None and self._keep_stem(needle, piece, stem, path)

    def _keep_stem(
        self, needle: str, piece: PartialMatch, stem: str, path: Components
    ) -> bool:
        near = piece.shortest <= len(stem) <= piece.longest
        if near and (stem in piece.stems or len(piece.stems) < MOST_CANDIDATES):
            _keep(piece.stems.setdefault(stem, []), path)
        exact = needle in self.by_name or needle in self.by_stem
        return not exact and len(piece.stems) >= MOST_CANDIDATES


class _NearbyReader:
    """Finds words that contain requested texts, and drops those with enough matches.

    `names` has for each text the length of the shortest word that counts. `keep`
    receives the match, the word, and the end of the match in it; it returns whether
    there are enough now.
    """

    def __init__(
        self,
        names: Mapping[str, int],
        keep: Callable[[str, str, int], bool],
        *,
        reads: float,
    ) -> None:
        self._keep = keep
        self._reads = reads
        self.wanted: Sequence[str] = sorted({*names} - {""})
        self._lengths = names
        self._search: NameSearch | None = None
        self._full: list[bool] = []

    def read(self, words: Sequence[str]) -> None:
        """Search some distinct words for all requested texts."""
        if not words:
            return
        text = "\n".join(("", *words, ""))
        if self._search is None:
            self._search = NameSearch(self.wanted, overlapping=True, reads=self._reads)
            self._full = [False] * len(self.wanted)
        names, full, tired = self.wanted, self._full, 0
        shortest = [self._lengths[name] for name in names]
        first = last = 0
        for position, start, end in self._search.in_block(_folded(text)):
            if full[position]:
                tired += 1
                continue
            if not first <= start < last:
                first = text.rfind("\n", 0, start) + 1
                last = text.find("\n", end)
                word = text[first:last]
            if len(word) >= shortest[position]:
                full[position] = self._keep(names[position], word, end - first)
        if tired > _TIRED:
            left = zip(names, full, strict=True)
            self.wanted = [name for name, enough in left if not enough]
            self._search = None


class _Lines:
    """The lines of a block that contain anything that is still searched.

    Pieces may be inside a word. Everything else is a whole name: a longer name is
    another one. Matches do not overlap, so that nested names cost no more than one; a
    name with signs may hide a shorter one, and its line is kept.
    """

    def __init__(
        self, pieces: Container[str], readers: Sequence[_NearbyReader], *, reads: float
    ) -> None:
        self._pieces = pieces
        self._reads = reads
        self._readers = readers
        self._wanted = self._rest = 0
        self.look_again()

    def look_again(self) -> None:
        """Leave out what the readers no longer search."""
        names = {name for reader in self._readers for name in reader.wanted}
        if len(names) != self._wanted:
            self._wanted, self._rest = len(names), 0
            pieces = {name for name in names if name in self._pieces}
            self._inside = NameSearch(sorted(pieces), reads=self._reads)
            self._whole = NameSearch(sorted(names - pieces), reads=self._reads)

    def of(self, block: str) -> str:
        """Return the lines of a block that contain a piece or a name."""
        if self._rest:
            self._rest -= 1
            return block
        folded = _folded(block)
        places = [place[1:] for place in self._inside.in_block(folded)]
        if len(places) * _CROWDED > len(block):
            self._rest = _REST
            return block
        places += [
            (start, end)
            for name, start, end in self._whole.in_block(folded)
            if block[end : end + 1] not in _ASCII_WORD
            or not self._whole.are_words[name]
        ]
        lines: list[str] = []
        end_of_line = 0
        for start, end in sorted(places):
            if start < end_of_line:
                continue
            first = block.rfind("\n", end_of_line, start) + 1 or end_of_line
            end_of_line = block.find("\n", end)
            if end_of_line < 0:
                end_of_line = len(block)
            lines.append(block[first:end_of_line])
        return "\n".join(lines)


def _note(names: dict[str, bool], name: str, *, called: bool) -> None:
    if name in names or len(names) < MOST_CANDIDATES:
        names[name] = called or names.get(name, False)


def _keep(paths: list[Components] | None, path: Components) -> None:
    if paths is not None and len(paths) < MOST_CANDIDATES and path not in paths:
        paths.append(path)


def _folded(text: str) -> str:
    """Fold case without changing the length, as one Turkish letter would."""
    return text.lower() if text.isascii() else text.replace("İ", "i").lower()


def _fresh(words: Iterable[str], seen: set[str]) -> list[str]:
    """Return the distinct words that were not compared recently, in order."""
    fresh = list(dict.fromkeys(itertools.filterfalse(seen.__contains__, words)))
    if len(seen) > _MOST_SEEN:
        seen.clear()
    seen.update(fresh)
    return fresh


def _observed_words(
    sources: tuple[LedgerSource, ...], lines: _Lines, *, wide: bool
) -> Iterator[list[str]]:
    """Yield the words that the agent did not write itself, many at a time."""
    pools: dict[Own, set[str]] = {role: set() for role in Own}
    seen: set[str] = set()
    gathered: list[str] = []
    for role, block in _together(sources):
        words: Iterable[str] = _words(lines.of(block), wide=wide)
        if role.feeds is not None and len(pools[role.feeds]) < _MOST_OWN:
            pools[role.feeds].update(word.strip(_MARKS) for word in words)
        if not role.observed:
            continue
        if role.repeats is not None:
            pool = pools[role.repeats]
            new = dict.fromkeys(itertools.filterfalse(seen.__contains__, words))
            words = [word for word in new if word.strip(_MARKS) not in pool]
        gathered += _fresh(words, seen)
        if len(gathered) > _AT_ONCE:
            yield gathered
            gathered = []
    yield gathered


class _Role(NamedTuple):
    """The origin of a text's words: observed by the agent, or written by it."""

    observed: bool
    feeds: Own | None
    repeats: Own | None


def _together(sources: tuple[LedgerSource, ...]) -> Iterator[tuple[_Role, str]]:
    """Yield texts in blocks, with small consecutive ones joined.

    The agent's own text between two of them may come first, since they do not depend on
    it.
    """
    repeated = {source.repeats for source in sources} - {None}
    texts: list[str] = []
    size = 0
    of_all = _Role(observed=True, feeds=None, repeats=None)
    for source in sources:
        feeds = source.feeds if source.feeds in repeated else None
        role = _Role(source.tier is LedgerTier.OBSERVED, feeds, source.repeats)
        if feeds is None and not role.observed:
            continue
        for first, last in blocks(source.text):
            if texts and (size > BLOCK // 2 or (role.observed and role != of_all)):
                yield of_all, "\n".join(texts)
                texts, size = [], 0
            if role != of_all:
                yield role, source.text[first:last]
                continue
            texts.append(source.text[first:last])
            size += last - first
    yield of_all, "\n".join(texts)


def _words(block: str, *, wide: bool) -> list[str]:
    """Return the chunks of a block, with marks if they are called or defined.

    If no requested name needs other letters, the words are split by a table for ASCII,
    which is many times faster.
    """
    if "\\" in block:
        block = f"{block}\n{_unescaped(block)}"
    if wide:
        for word in _DEFINES:
            block = block.replace(word, f"{word}{_MARK}")
        return _WIDE.findall(block)
    plain = block.encode("ascii", "replace")
    for word in _DEFINES:
        plain = plain.replace(word.encode(), f"{word}{_MARK}".encode())
    separated = plain.replace(b"(", b"( ").translate(_CHUNKS)
    return separated.decode("ascii").split()


def _unescaped(block: str) -> str:
    """Return the lines that contain escapes of quoted JSON, unescaped."""
    plain = unescaped_lines(block)
    lines: list[str] = []
    at = block.find("\\")
    while at >= 0:
        end = block.find("\n", at)
        end = len(block) if end < 0 else end
        line = plain[block.rfind("\n", 0, at) + 1 : end]
        lines.append(line)
        at = block.find("\\", end)
    return "\n".join(lines)


def _names(words: list[str], *, wide: bool) -> list[str]:
    text = " ".join(words)
    if wide:
        return _WIDE_NAME.findall(text)
    return text.encode("ascii").translate(_NAMES).decode("ascii").split()
