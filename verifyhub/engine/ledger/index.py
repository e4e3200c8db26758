"""The evidence index: every text of a run read once, then only looked up.

Texts are cut into chunks (`text.tokens.CHUNK`); the distinct chunks of each tier are
kept with the first source that holds them. All lookups of one answer are answered in
one pass over the distinct chunks, whatever the number of names.
"""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from verifyhub.engine.ledger.sources import Own, Source, Tier
from verifyhub.engine.text.paths import Components, components, decoded
from verifyhub.engine.text.tokens import NAME, chunks

_DEFINES = ("def ", "func ", "fun ", "fn ", "function ", "sub ")
_LEADING_NAME = re.compile(r"[\w$]++")
_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Hit:
    """Where a name stands: a source and the chunk of it that holds the name."""

    source: int
    chunk: str


# Spellings of one relative path that are kept: each may start from another folder.
_MOST_SPELLINGS = 8
# What ends a chunk without being part of the path in it.
_TRAILING = ".-$+%~"


@dataclass
class Lookup:
    """What one pass over a tier found of the names asked for.

    `names` by whole name, `pairs` by dotted pair (`paths.Read`), `files` by the
    components asked for, `relative` by the components of a path shorter than those,
    `runs` by their component sequence (packages and folders).
    """

    names: dict[str, Hit] = field(default_factory=dict)
    pairs: dict[str, Hit] = field(default_factory=dict)
    files: dict[Components, Hit] = field(default_factory=dict)
    relative: dict[Components, list[Hit]] = field(default_factory=dict)
    runs: dict[Components, Hit] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The names that an answer's mentions ask for."""

    names: frozenset[str] = frozenset()
    pairs: frozenset[str] = frozenset()
    files: frozenset[Components] = frozenset()
    runs: frozenset[Components] = frozenset()


@dataclass(frozen=True, slots=True)
class _Question:
    """What is wanted, with the lengths to try for a basename or a first component.

    Trying lengths, not candidates, keeps a pass linear however many names share one
    basename.
    """

    wanted: Wanted
    file_lengths: Mapping[str, frozenset[int]]
    run_lengths: Mapping[str, frozenset[int]]

    @classmethod
    def of(cls, wanted: Wanted) -> "_Question":
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
        )

    def may_answer(self, chunk: str) -> bool:
        """Whether a chunk read as a path could end in, or hold, what is wanted."""
        if not self.file_lengths and not self.run_lengths:
            return False
        if "\\" in chunk or "%" in chunk or ".." in chunk or chunk.endswith("/"):
            return True
        parts = chunk.lstrip("+-").rstrip(_TRAILING).split("/")
        if parts[-1] in self.file_lengths or parts[-1] in {"", "."}:
            return True
        return not self.run_lengths.keys().isdisjoint(parts)


class EvidenceIndex:
    """Distinct chunks per tier, each with the first source that holds it."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self.sources = tuple(sources)
        self.tiers: dict[Tier, dict[str, int]] = {tier: {} for tier in Tier}
        self._compound: dict[Tier, list[str]] = {}
        pools: dict[Own, set[str]] = {own: set() for own in Own}
        for position, source in enumerate(self.sources):
            found = chunks(source.text)
            if source.feeds is not None:
                pools[source.feeds] |= found
            if source.tier is Tier.OBSERVED and source.repeats is not None:
                own = (found & pools[source.repeats]).difference(
                    self.tiers[Tier.OBSERVED]
                )
                if own and source.lists:
                    own -= _at_line_start(source)
                own_tier = Tier.SELF_WRITTEN if source.is_code else Tier.INPUT
                self._keep(own_tier, own, position)
                found -= own
            self._keep(source.tier, found, position)

    def _keep(self, tier: Tier, found: set[str], position: int) -> None:
        table = self.tiers[tier]
        # Never `difference_update`: it walks the whole table for every source.
        table.update(dict.fromkeys(found.difference(table), position))

    def look_up(self, tier: Tier, wanted: Wanted) -> Lookup:
        """Answer all questions about one tier in one pass over its compound chunks.

        A chunk that is a single name answers by set intersection, so that only paths,
        dotted names and the like are taken apart.
        """
        result = Lookup()
        question = _Question.of(wanted)
        self._plain_answers(tier, question, result)
        table = self.tiers[tier]
        for chunk in self._compounds(tier):
            source = table[chunk]
            _names_of(chunk, source, wanted, result)
            if question.may_answer(chunk):
                parts = _path_of(chunk)
                if parts:
                    _path_answers(parts, Hit(source, chunk), question, result)
        return result

    def _plain_answers(self, tier: Tier, question: _Question, result: Lookup) -> None:
        table = self.tiers[tier]
        for name in table.keys() & question.wanted.names:
            if _is_plain(name):
                result.names[name] = Hit(table[name], name)
        paths = question.file_lengths.keys() | question.run_lengths.keys()
        for name in table.keys() & paths:
            if _is_plain(name):
                _path_answers((name,), Hit(table[name], name), question, result)

    def _compounds(self, tier: Tier) -> list[str]:
        """Return the chunks of a tier that are more than a single name, in order."""
        if tier not in self._compound:
            self._compound[tier] = [
                chunk for chunk in self.tiers[tier] if not _is_plain(chunk)
            ]
        return self._compound[tier]

    @cached_property
    def observed_names(self) -> frozenset[str]:
        """Every name of the best tier: what a wrong name may have been meant for."""
        return frozenset(NAME.findall("\n".join(self.tiers[Tier.OBSERVED])))

    @cached_property
    def called_names(self) -> frozenset[str]:
        """Every name that the best tier calls or defines as a function."""
        found: set[str] = set()
        for source in self.sources:
            if source.tier is Tier.OBSERVED:
                found.update(_called(source.text))
        return frozenset(found)

    @cached_property
    def roots(self) -> frozenset[Components]:
        """Every folder that an absolute path of the run, input or output, lies in."""
        found: set[Components] = set()
        for tier in (Tier.OBSERVED, Tier.INPUT):
            for chunk in self.tiers[tier]:
                if chunk.startswith("/"):
                    parts = _path_of(chunk)
                    while len(parts) > 1:
                        parts = parts[:-1]
                        if parts in found:
                            break
                        found.add(parts)
        return frozenset(found)

    @cached_property
    def observed_paths(self) -> tuple[Components, ...]:
        """Every path of the best tier."""
        table: Mapping[str, int] = self.tiers[Tier.OBSERVED]
        found = {
            _path_of(chunk)
            for chunk in table
            if "." in chunk or "/" in chunk or "\\" in chunk
        }
        found.discard(())
        return tuple(sorted(found))


def _called(text: str) -> Iterator[str]:
    """Yield the names before a bracket or after a word that defines a function.

    Splitting at the marks is several times faster than an expression over each word.
    """
    for piece in text.split("(")[:-1]:
        words = NAME.findall(piece[-_LONGEST_NAME:].rpartition(" ")[2])
        if words and piece.endswith(words[-1]):
            yield words[-1]
    for mark in _DEFINES:
        for piece in text.split(mark)[1:]:
            name = _LEADING_NAME.match(piece)
            if name:
                yield name.group()


def _at_line_start(source: Source) -> set[str]:
    """Return the chunks a listing or search printed itself, at the start of a line."""
    heads = set()
    for line in source.text.splitlines():
        head = line.split(":", 1)[0].strip()
        if head and " " not in head:
            heads.add(head)
    return heads


def _is_plain(chunk: str) -> bool:
    return chunk.isidentifier() or chunk.isalnum()


def _names_of(chunk: str, source: int, wanted: Wanted, result: Lookup) -> None:
    names = NAME.findall(chunk)
    for name in wanted.names.intersection(names):
        known = result.names.get(name)
        if known is None or source < known.source:
            result.names[name] = Hit(source, chunk)
    if len(names) > 1 and wanted.pairs:
        for left, right in itertools.pairwise(names):
            pair = f"{left}.{right}"
            if pair in wanted.pairs and pair not in result.pairs:
                result.pairs[pair] = Hit(source, chunk)


def _path_of(chunk: str) -> Components:
    """Read a chunk as a path; the marks of a diff and a sentence are no part of it."""
    return components(decoded(chunk.lstrip("+-").rstrip(_TRAILING)))


def _path_answers(
    parts: Components, hit: Hit, question: _Question, result: Lookup
) -> None:
    lengths = question.file_lengths.get(parts[-1])
    if lengths is not None:
        for length in lengths:
            tail = parts[-length:]
            if len(tail) == length and tail in question.wanted.files:
                result.files.setdefault(tail, hit)
        spellings = result.relative.setdefault(parts, [])
        if parts[0] != "" and len(spellings) < _MOST_SPELLINGS:
            spellings.append(hit)
    if question.run_lengths:
        for position, part in enumerate(parts):
            for length in question.run_lengths.get(part, ()):
                run = parts[position : position + length]
                if run in question.wanted.runs:
                    result.runs.setdefault(run, hit)
