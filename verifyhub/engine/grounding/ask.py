"""Translate mentions to lookups in the ledger, and lookups to matches of mentions."""

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from verifyhub.engine.ledger.index import (
    EvidenceIndex,
    LedgerHit,
    Lookup,
    Patience,
    WantedNames,
)
from verifyhub.engine.text.paths import Components, components, is_suffix
from verifyhub.engine.types import Mention, MentionKind

SYMBOLS = frozenset(
    {
        MentionKind.CLASS,
        MentionKind.FUNCTION,
        MentionKind.IDENTIFIER,
        MentionKind.ENVIRONMENT_VARIABLE,
    }
)


@dataclass(frozen=True, slots=True)
class TierMatch:
    """Places of a mention in one tier; `loose` if it had to be resolved."""

    hits: tuple[LedgerHit, ...]
    loose: bool = False


def wanted(mentions: Iterable[Mention]) -> WantedNames:
    """Collect the names that mentions need from the index."""
    names: set[str] = set()
    pairs: set[str] = set()
    files: set[Components] = set()
    runs: set[Components] = set()
    chunks: set[str] = set()
    parts_of_names: set[str] = set()
    for mention in mentions:
        if mention.kind is MentionKind.FILE:
            parts = components(mention.key)
            files.add(parts)
            files.add(_plain(parts))
        if mention.kind is MentionKind.DIRECTORY:
            runs.add(_run(components(mention.key)))
        keys = _dotted_keys(mention)
        for key in keys:
            words = key.split(".")
            if len(words) > 1 or len(keys) > 1:
                parts_of_names.update(words, components(key))
            names.update(words)
            names.add(key)
            pairs.update(f"{a}.{b}" for a, b in itertools.pairwise(words))
            if mention.kind is MentionKind.PACKAGE:
                runs.add(_run(components(key)))
        if _has_sigil(mention):
            names.add(f"${mention.key}")
        if mention.kind is MentionKind.COMMAND:
            chunks.add(mention.key)
    runs.discard(())
    return WantedNames(
        names=frozenset(names),
        pairs=frozenset(pairs),
        files=frozenset(files),
        runs=frozenset(runs),
        chunks=frozenset(chunks),
        parts=frozenset(parts_of_names),
    )


def _dotted_keys(mention: Mention) -> list[str]:
    """Return the names in a mention; a package's coordinate has several."""
    if mention.kind is MentionKind.PACKAGE:
        return [part for part in mention.key.split(":") if part]
    return [mention.key] if mention.kind in SYMBOLS else []


def _has_sigil(mention: Mention) -> bool:
    """Whether texts may contain a name as `$NAME`, which is one word of a shell."""
    variable = mention.kind is MentionKind.ENVIRONMENT_VARIABLE
    return variable or mention.text.startswith("$")


def find(mention: Mention, lookup: Lookup, index: EvidenceIndex) -> TierMatch | None:
    """Return the places of a mention in one tier; None if there are none."""
    if mention.kind is MentionKind.FILE:
        return _file(mention, lookup, index)
    if mention.kind is MentionKind.DIRECTORY:
        return _run_of(mention.key, lookup)
    if mention.kind is MentionKind.PACKAGE:
        return _package(mention, lookup, index)
    if mention.kind in SYMBOLS:
        match = _symbol(mention.key, lookup, index)
        if match is None and _has_sigil(mention):
            return _match_of(lookup.names.get(f"${mention.key}"))
        return match
    return _match_of(lookup.chunks.get(mention.key))


def _match_of(hits: list[LedgerHit] | None) -> TierMatch | None:
    return TierMatch(tuple(hits)) if hits else None


def _run(parts: Components) -> Components:
    return tuple(part for part in parts if part not in {"", "~"})


def _run_of(key: str, lookup: Lookup) -> TierMatch | None:
    return _match_of(lookup.runs.get(_run(components(key))))


def _package(
    mention: Mention, lookup: Lookup, index: EvidenceIndex
) -> TierMatch | None:
    """Find a package; of `group.id:artifact` both parts, at the place of the last."""
    matches = [
        _run_of(key, lookup) or _symbol(key, lookup, index)
        for key in _dotted_keys(mention)
    ]
    return matches[-1] if matches and all(matches) else None


def _symbol(key: str, lookup: Lookup, index: EvidenceIndex) -> TierMatch | None:
    words = key.split(".")
    if len(words) == 1:
        return _match_of(lookup.names.get(key))
    pairs = [f"{a}.{b}" for a, b in itertools.pairwise(words)]
    hits = [lookup.pairs.get(pair) for pair in pairs]
    if all(hits):
        return _match_of(hits[-1])
    # A word so short can only be a variable: `cp`.
    receiver = words[0].isalpha() and words[0].islower() and len(words[0]) <= _RECEIVER
    if len(words) == 2 and receiver:
        member_hits = lookup.names.get(words[1], ())
        if member_hits:
            return TierMatch(tuple(member_hits[:1]), loose=True)
    return _parts(words, lookup, index)


_RECEIVER = 2


def _parts(words: list[str], lookup: Lookup, index: EvidenceIndex) -> TierMatch | None:
    """Find `Class.method` if the trace shows the method as a member of the class.

    The trace must contain every part, the last one as a member of the one before, or in
    a file of the module or package of the one before.
    """
    if not all(lookup.names.get(word) for word in (*words[:-2], words[-1])):
        return None
    first, *later_hits = lookup.names[words[-1]]
    fresh = [hit for hit in later_hits if index.sources[hit.source].repeats is None]
    hits = (first, *fresh)
    for hit in hits:
        source = index.sources[hit.source]
        is_owner = source.owner == words[-2]
        if is_owner and shows_unreached(source.text, words[-1], hit.start):
            return TierMatch((hit,), loose=True)
    for hit in hits if lookup.names.get(words[-2]) else ():
        text = index.sources[hit.source].text
        if shows_member(text, words[-2], words[-1], hit.start, index.patience):
            return TierMatch((hit,), loose=True)
    return None


def _plain(parts: Components) -> Components:
    """Remove the mark of some agents before a file: `@AGENTS.md`."""
    return (parts[0].lstrip("@"), *parts[1:]) if parts[0] != "@" else parts


def _file(mention: Mention, lookup: Lookup, index: EvidenceIndex) -> TierMatch | None:
    parts = components(mention.key)
    for form in (parts, _plain(parts)):
        hits = lookup.files.get(form)
        if hits:
            return TierMatch(tuple(hits))
    for length in range(len(parts) - 1, 0, -1):
        for hit in lookup.relative.get(parts[-length:], ()):
            if _resolves(parts[:-length], length, hit, index):
                return TierMatch((hit,), loose=True)
    return None


def _resolves(
    rest: Components, length: int, hit: LedgerHit, index: EvidenceIndex
) -> bool:
    """Return whether a shorter path, relative to a folder of its call, is the mention.

    In a run without any working folder, the absolute spelling of a relative path cannot
    be distinguished from a path in another folder. There the complete relative path
    decides, if it contains a folder.

    Args:
        rest: The part of the mention before the found path.
        length: The components of the found path.
        hit: The place of the found path.
        index: The evidence, for the folders of the call and of the run.
    """
    bases = index.sources[hit.source].bases
    if any(is_suffix(_run(rest), base) for base in bases):
        return True
    if len(rest) < 2 or rest[0] != "":
        return False
    return rest in index.roots or (length > 1 and not index.roots)


# Whether a text shows a name as a member of another, such as a method of its class.
#
# Read by layout, not by grammar: a member is on its owner's line, or on the first level
# of the lines indented below it, or follows a dot. So this works for code of any
# language, for configuration, and for search results.
_MOST_PLACES = 64
# Maximum places whose enclosing lines are searched, and lines above each.
_MOST_CLIMBS = 8
_MOST_LINES = 600
_LONGEST_LINE = 2_000
# Maximum distance from the first place in a text, so that many names of a large text do
# not read it as often.
_FAR = 32_000

_WORD_CHAR = re.compile(r"[\w$]")
_REACHED = re.compile(r"(?:[.#]|->|::|\[['\"]?)$")
# What tools write before a line: file and number, or the mark of a diff.
_FRAME = re.compile(
    r"(?:[\w./\\@+~-]{1,300}+:)?[ \t]*+\d{1,7}(?:→|\t|[:|.] ?|-(?=[ \t]))"
    r"|[+-](?=[ \t\w])"
)
_INDENT = re.compile(r"[ \t]*+")


def shows_member(text: str, owner: str, name: str, at: int, patience: Patience) -> bool:
    """Return whether a text shows a name as a member of an owner.

    An owner that is not in this text may be defined above the part that was read. Then
    a name that is not indented below any line counts as a member.

    Args:
        owner: The possible owner of the name.
        at: The first place of the name in the text.
        patience: The limit of lines to read; none are read after that.
    """
    text, at = text[max(0, at - _FAR) : at + _FAR], min(at, _FAR)
    has_owner = owner in text
    climbs = 0
    for place in _places(text, name, at):
        first = max(text.rfind("\n", 0, place) + 1, place - _LONGEST_LINE)
        if has_owner and _REACHED.search(text[max(0, place - 3) : place]):
            return True
        if has_owner and _holds(text[first:place], owner):
            return True
        if climbs < _MOST_CLIMBS:
            climbs += 1
            above = _line_around(text, first, patience)
            if _holds(above, owner) if above is not None else _level(text, first) > 0:
                return True
    return False


def shows_unreached(text: str, name: str, at: int) -> bool:
    """Return whether a text shows a name that is not a member of another one.

    In a module, `load(…)` is its own or imported; `json.load(…)` belongs to another
    one.
    """
    places = _places(text[: at + _FAR], name, at)
    return any(not _REACHED.search(text[max(0, place - 3) : place]) for place in places)


def _places(text: str, name: str, at: int = 0) -> Iterator[int]:
    """Yield the places of a name as a whole word."""
    place = text.find(name, at)
    for _ in range(_MOST_PLACES):
        if place < 0:
            return
        end = place + len(name)
        if not _WORD_CHAR.match(text[end : end + 1]) and not (
            place and _WORD_CHAR.match(text[place - 1])
        ):
            yield place
        place = text.find(name, end)


def _holds(text: str, name: str) -> bool:
    return any(True for _ in _places(text, name))


def _line_around(text: str, start: int, patience: Patience) -> str | None:
    """Return the nearest line above with less indentation; None if none was shown.

    If lines are numbered, a line without a number is the tool's own.
    """
    level = _level(text, start)
    numbered = bool(_FRAME.match(text, start))
    end = start - 1
    for _ in range(_MOST_LINES):
        if end <= 0:
            return None
        patience.lines -= 1
        if patience.lines < 0:
            return ""
        start = max(text.rfind("\n", 0, end) + 1, end - _LONGEST_LINE)
        line = text[start:end]
        if line.strip(" \t\r{}()[]") and _level(text, start) < level:
            return line if bool(_FRAME.match(text, start)) == numbered else None
        end = start - 1
    return None


def _level(text: str, start: int) -> int:
    """Return the indentation of the line at a place, after the tool's own prefix."""
    frame = _FRAME.match(text, start)
    indent = _INDENT.match(text, frame.end() if frame else start)
    return len(indent.group().expandtabs(4)) if indent else 0
