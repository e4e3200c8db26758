"""The evidence index: where the texts of a run contain an answer's names.

Only the places of names are stored. All names are searched in one pass over each text
(`text.search`); only a chunk (`text.tokens.CHUNK`) that contains one of them is split
and compared, by whole names and by the components of paths.
"""

import itertools
import re
import string
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias, TypeVar

from verifyhub.engine.lazily import cached_property
from verifyhub.engine.ledger.sources import LedgerSource, LedgerTier, Own
from verifyhub.engine.reports import MOST_PLACES
from verifyhub.engine.text.paths import Components, components, decoded
from verifyhub.engine.text.search import NameSearch
from verifyhub.engine.text.tokens import CHUNK, NAME, chunk_at, readings
from verifyhub.engine.types import Span

# Maximum places of one name in one tier, each in another text.
_MOST_TEXTS = 16
# Maximum spellings of one relative path, which may have different base folders.
_MOST_SPELLINGS = 8
# Maximum folders that are stored as roots; a run rarely has more than a few hundred.
_MOST_ROOTS = 20_000
# Maximum names that are searched for; with more, every chunk is compared.
_MOST_SEARCHED = 20_000
# Texts after which names that stand in enough of them are left out, and again after
# four times as many.
_FIRST_LOOK = 32
# Maximum chunks of one text whose reading is cached.
_MOST_SEEN = 8_192
# Characters at the end of a chunk that are not part of its path.
_TRAILING = ".-$+%~"
_ENCODED = "%"
_HEX = re.compile(r"[0-9A-Fa-f]{2}")

_Key = TypeVar("_Key", str, Components)


class LedgerHit(NamedTuple):
    """An occurrence of a name: a source, and the range of the name in its text."""

    source: int
    start: int
    end: int


@dataclass
class Lookup:
    """Occurrences in one tier of the requested names, in the order of the text.

    `names` by whole name, `pairs` by dotted pair (`paths.Read`), `files` by requested
    components, `relative` by the components of a relative path that those
    end in, `runs` by component sequence (packages and folders), `chunks` as written.
    """

    names: dict[str, list[LedgerHit]] = field(default_factory=dict)
    pairs: dict[str, list[LedgerHit]] = field(default_factory=dict)
    files: dict[Components, list[LedgerHit]] = field(default_factory=dict)
    relative: dict[Components, list[LedgerHit]] = field(default_factory=dict)
    runs: dict[Components, list[LedgerHit]] = field(default_factory=dict)
    chunks: dict[str, list[LedgerHit]] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found."""
        has_any = self.names or self.files or self.relative or self.runs or self.chunks
        return not has_any and not self.pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedNames:
    """The names that an answer's mentions need.

    `parts` are those that are needed together with others, in one tier.
    """

    names: frozenset[str] = frozenset()
    pairs: frozenset[str] = frozenset()
    files: frozenset[Components] = frozenset()
    runs: frozenset[Components] = frozenset()
    chunks: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Question:
    """Requested names, with the lengths to try for a basename or a first component.

    Trying lengths instead of candidates keeps a pass linear, even if many names have
    the same basename.
    """

    wanted: WantedNames
    file_lengths: Mapping[str, frozenset[int]]
    run_lengths: Mapping[str, frozenset[int]]
    ends: frozenset[Components]

    @classmethod
    def of(cls, wanted: WantedNames) -> "_Question":
        files: dict[str, set[int]] = {}
        for parts in wanted.files:
            files.setdefault(parts[-1], set()).add(len(parts))
        runs: dict[str, set[int]] = {}
        for parts in wanted.runs:
            runs.setdefault(parts[0], set()).add(len(parts))
        return cls(
            wanted,
            {name: frozenset(lengths) for name, lengths in files.items()},
            {name: frozenset(lengths) for name, lengths in runs.items()},
            frozenset(
                parts[-length:]
                for parts in wanted.files
                for length in range(1, len(parts))
            ),
        )

    def needles(self) -> Iterator[str]:
        """Yield strings of which a chunk must contain one to answer anything."""
        yield from self.wanted.names
        yield from self.wanted.chunks
        yield from self.file_lengths
        yield from map(_longest, self.wanted.runs)
        if self.file_lengths or self.run_lengths:
            yield _ENCODED

    def found_enough(self, observed: Lookup) -> set[str]:
        """Return names that need no further search, since no tier precedes this one.

        A part of another name, or of a file's path, may be missing beside the rest.
        """
        wanted, names, runs = self.wanted, observed.names, observed.runs
        chunks = observed.chunks
        open_needles = {
            *wanted.parts,
            *self.file_lengths,
            *(name for name in wanted.names if not _enough(names.get(name))),
            *(chunk for chunk in wanted.chunks if not _enough(chunks.get(chunk))),
            *(_longest(run) for run in wanted.runs if not _enough(runs.get(run))),
        }
        return {*self.needles()} - open_needles - {_ENCODED}

    def may_answer(self, chunk: str) -> bool:
        """Whether a chunk, read as a path, may end in or contain a requested name."""
        if not self.file_lengths and not self.run_lengths:
            return False
        if "\\" in chunk or _ENCODED in chunk or ".." in chunk or chunk[-1] == "/":
            return True
        parts = chunk.lstrip("+-").rstrip(_TRAILING).split("/")
        if parts[-1] in self.file_lengths or parts[-1] in {"", "."}:
            return True
        return not self.run_lengths.keys().isdisjoint(parts)


def _longest(run: Components) -> str:
    return max(run, key=len)


def _enough(hits: list[LedgerHit] | None) -> bool:
    return hits is not None and len(hits) >= MOST_PLACES


@dataclass
class Patience:
    """The limit of lines that are read to find enclosing names, for all names."""

    lines: int = 100_000


class EvidenceIndex:
    """The places of requested names, by the tier of their text."""

    def __init__(self, sources: Iterable[LedgerSource], wanted: WantedNames) -> None:
        self.sources = tuple(sources)
        self.tiers: dict[LedgerTier, Lookup] = {tier: Lookup() for tier in LedgerTier}
        self.patience = Patience()
        self._question = _Question.of(wanted)
        self._pools: dict[Own, set[str]] = {own: set() for own in Own}
        self._observed: set[str] = set()
        self._known: dict[str, tuple[_Reading, ...]] = {}
        needles = {name for name in self._question.needles() if CHUNK.fullmatch(name)}
        if needles:
            for position, search in enumerate(self._searches(needles)):
                self._read(position, search)

    def _searches(self, needles: set[str]) -> Iterator[NameSearch | None]:
        """Yield a search for each source; names with enough places are left out.

        They are checked rarely, since a search takes long to build.
        """
        search, next_look = None, 0
        size = sum(len(source.text) for source in self.sources)
        for position, source in enumerate(self.sources):
            if len(needles) <= _MOST_SEARCHED and position == next_look:
                next_look = max(_FIRST_LOOK, 4 * position)
                enough = self._question.found_enough(self.tiers[LedgerTier.OBSERVED])
                if search is None or not needles.isdisjoint(enough):
                    needles -= enough
                    search = NameSearch(sorted(needles), reads=size)
            size -= len(source.text)
            yield search

    def _read(self, position: int, search: NameSearch | None) -> None:
        source = self.sources[position]
        heads: frozenset[str] | None = None
        entries = self._read_entries(position, source)
        for chunk, start in _distinct_chunks(source, search):
            for reading in self._readings(chunk):
                text = reading.text
                tier = source.tier
                if self._is_own(text, source):
                    if heads is None:
                        heads = _at_line_start(source)
                    if text not in heads:
                        tier = (
                            LedgerTier.SELF_WRITTEN
                            if source.is_code
                            else LedgerTier.INPUT
                        )
                place, lookup = start + reading.offset, self.tiers[tier]
                is_path = not entries or text.rstrip("/*") not in entries
                self._answer(reading, position, place, lookup, is_path=is_path)

    def _readings(self, chunk: str) -> tuple["_Reading", ...]:
        """Read a chunk, cached, since most chunks are in many texts."""
        known = self._known.get(chunk)
        if known is None:
            question = self._question
            known = tuple(
                _Reading.of(text, offset, question) for text, offset in readings(chunk)
            )
            if len(self._known) < _MOST_SEEN:
                self._known[chunk] = known
        return known

    def _read_entries(self, position: int, source: LedgerSource) -> frozenset[str]:
        """Read the paths of a listing; return names that are no paths by themselves."""
        if not source.entries:
            return frozenset()
        question = self._question
        lengths = question.file_lengths.keys() | question.run_lengths.keys()
        lookup = self.tiers[source.tier]
        for start, end, path in source.entries:
            if path and not lengths.isdisjoint(path):
                name = source.text[start:end]
                if source.is_nested:
                    self._path_answers(path, name, position, start, lookup)
                else:
                    self._run_answers(path, name, position, start, lookup)
        if not source.is_nested:
            return frozenset()
        return frozenset(
            source.text[start:end].rstrip("/*") for start, end, _ in source.entries
        )

    def _is_own(self, chunk: str, source: LedgerSource) -> bool:
        """Whether a text only repeats what the agent wrote before."""
        if source.feeds is not None:
            self._pools[source.feeds].add(chunk)
        if source.tier is not LedgerTier.OBSERVED or chunk in self._observed:
            return False
        if source.repeats is not None and chunk in self._pools[source.repeats]:
            return True
        if len(self._observed) < _MOST_SEEN:
            self._observed.add(chunk)
        return False

    def _answer(
        self,
        reading: "_Reading",
        source: int,
        start: int,
        lookup: Lookup,
        *,
        is_path: bool,
    ) -> None:
        chunk = reading.text
        if chunk in self._question.wanted.chunks:
            _put(lookup.chunks, chunk, LedgerHit(source, start, start + len(chunk)))
        for name, place, end in reading.names:
            _put(lookup.names, name, LedgerHit(source, start + place, start + end))
        for pair, place, end in reading.pairs:
            _put(lookup.pairs, pair, LedgerHit(source, start + place, start + end))
        if is_path and reading.parts:
            self._path_answers(reading.parts, chunk, source, start, lookup)

    def _path_answers(
        self, parts: Components, chunk: str, source: int, start: int, lookup: Lookup
    ) -> None:
        question = self._question
        lengths = question.file_lengths.get(parts[-1])
        if lengths is not None:
            hit = _inside(chunk, parts[-1], source, start)
            for length in lengths:
                tail = parts[-length:]
                if len(tail) == length and tail in question.wanted.files:
                    _put(lookup.files, tail, hit)
            if parts[0] != "" and parts in question.ends:
                self._keep_spelling(lookup.relative.setdefault(parts, []), hit)
        self._run_answers(parts, chunk, source, start, lookup)

    def _run_answers(
        self, parts: Components, chunk: str, source: int, start: int, lookup: Lookup
    ) -> None:
        question = self._question
        if question.run_lengths:
            for position, part in enumerate(parts):
                for length in question.run_lengths.get(part, ()):
                    run = parts[position : position + length]
                    if run in question.wanted.runs:
                        _put(lookup.runs, run, _inside(chunk, run[-1], source, start))

    def _keep_spelling(self, spellings: list[LedgerHit], hit: LedgerHit) -> None:
        """Store a relative path that may have another base folder than known ones."""
        bases = self.sources[hit.source].bases
        known = [self.sources[other.source].bases for other in spellings]
        if len(spellings) < _MOST_SPELLINGS and bases not in known:
            spellings.append(hit)

    @cached_property
    def roots(self) -> frozenset[Components]:
        """The folders of all absolute paths in the run's inputs and outputs."""
        folders: set[Components] = set()
        for source in self.sources:
            if source.tier in {LedgerTier.OBSERVED, LedgerTier.INPUT}:
                for folder in _absolute_folders(source.text):
                    parts = components(decoded(folder))
                    while parts and parts not in folders:
                        folders.add(parts)
                        parts = parts[:-1]
            if len(folders) > _MOST_ROOTS:
                break
        return frozenset(folders)


def path_of(chunk: str) -> Components:
    """Read a chunk as a path, without the marks of a diff or a sentence.

    The mark of an included file in documents for agents is removed too: `@./docs/a.md`.
    """
    path = chunk.lstrip("+-").rstrip(_TRAILING)
    return components(decoded(path[1:] if path.startswith(("@.", "@~")) else path))


def _put(table: dict[_Key, list[LedgerHit]], key: _Key, hit: LedgerHit) -> None:
    places = table.setdefault(key, [])
    if not places or (len(places) < _MOST_TEXTS and places[-1].source != hit.source):
        places.append(hit)


def _distinct_chunks(
    source: LedgerSource, search: NameSearch | None
) -> Iterator[tuple[str, int]]:
    """Yield each distinct chunk that may contain a name, with its first place."""
    seen: set[str] = set()
    for first, last in source.blocks():
        block = source.text[first:last]
        every = (match.span() for match in CHUNK.finditer(block))
        for start, end in _chunks_with(block, search) if search else every:
            chunk = block[start:end]
            if chunk not in seen:
                seen.add(chunk)
                yield chunk, first + start
        if len(seen) > _MOST_SEEN:
            seen.clear()


def _chunks_with(block: str, search: NameSearch) -> Iterator[Span]:
    end_of_chunk = 0
    words = search.are_words
    for name, start, end in search.in_block(block):
        if start < end_of_chunk:
            continue
        if words[name]:
            after = block[end : end + 1]
            if after in _LETTERS:
                continue
            alone = after in _PARTING and (not start or block[start - 1] in _PARTING)
            if not alone and _in_word(block, start, end):
                continue
        if block[start:end] == _ENCODED and not _HEX.match(block, end):
            continue
        start, end_of_chunk = chunk_at(block, start, end, end_of_chunk)
        yield start, end_of_chunk


# Most longer names are distinguished by these.
_LETTERS = frozenset(f"{string.ascii_letters}{string.digits}_")
_PARTING = frozenset(map(chr, range(128))) - _LETTERS | {""}


def _in_word(block: str, start: int, end: int) -> bool:
    """Whether a match is only part of a word, not after a quoted `\\n` or `%2F`."""
    after = block[end : end + 1]
    if after.isalnum() or after == "_":
        return True
    before = block[max(0, start - 3) : start]
    if not before or not (before[-1].isalnum() or before[-1] == "_"):
        return False
    return before[-2:] not in {"\\n", "\\r", "\\t"} and before[0] != _ENCODED


# A name and its range within a chunk.
_Named: TypeAlias = tuple[str, int, int]


class _Reading(NamedTuple):
    """One reading of a chunk: its names, pairs, and path."""

    text: str
    offset: int
    names: tuple[_Named, ...]
    pairs: tuple[_Named, ...]
    parts: Components

    @classmethod
    def of(cls, text: str, offset: int, question: _Question) -> "_Reading":
        wanted = question.wanted
        names: list[_Named] = []
        if wanted.names:
            names = [(match.group(), *match.span()) for match in NAME.finditer(text)]
        pairs: list[_Named] = []
        if len(names) > 1 and wanted.pairs:
            joined_names = (
                (f"{left}.{right}", first, last)
                for (left, _, _), (right, first, last) in itertools.pairwise(names)
            )
            pairs = [pair for pair in joined_names if pair[0] in wanted.pairs]
        return cls(
            text,
            offset,
            tuple(name for name in names if name[0] in wanted.names),
            tuple(pairs),
            path_of(text) if question.may_answer(text) else (),
        )


def _inside(chunk: str, needle: str, source: int, start: int) -> LedgerHit:
    """Find a component in its chunk, as a whole name if possible."""
    place = max(0, chunk.rfind(needle))
    if chunk.find(needle) != place:
        for match in NAME.finditer(chunk):
            if match.group() == needle:
                place = match.start()
                break
    end = min(place + len(needle), len(chunk))
    return LedgerHit(source, start + place, start + end)


_LINE = re.compile(r"[^\n\r]++")


def _at_line_start(source: LedgerSource) -> frozenset[str]:
    """Return the chunks that a listing or search printed at the start of a line."""
    if not source.lists:
        return frozenset()
    lines = (match.group() for match in _LINE.finditer(source.text))
    heads = (line.partition(":")[0].strip() for line in lines)
    return frozenset(head for head in heads if head and " " not in head)


# Begins with a fixed character, which can be searched quickly.
_ROOTED = re.compile(r"/[\w.@~+$%/\\-]++")


def _absolute_folders(text: str) -> Iterator[str]:
    """Yield the distinct folders of the absolute paths in a text."""
    seen: set[str] = set()
    for match in _ROOTED.finditer(text):
        before = text[max(0, match.start() - 2) : match.start()]
        if CHUNK.match(before[-1:]) and before not in {"\\n", "\\r", "\\t"}:
            continue
        path = match.group().rstrip(_TRAILING).rstrip("/")
        folder = path.rpartition("/")[0] or "/"
        if path and folder not in seen:
            seen.add(folder)
            yield folder
            if len(seen) > _MOST_ROOTS:
                return
