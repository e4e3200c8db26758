"""The folders of entries of a listing: below bars, indents, headings, or one folder.

`tree`, `ls -R` and agents' listing tools print a name far from its folder.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from verifyhub.engine.calls.facts import CallFacts
from verifyhub.engine.calls.json_tree import (
    MOST_ENTRIES,
    Entry,
    is_json_tree,
    json_tree,
)
from verifyhub.engine.calls.programs import ProgramRole
from verifyhub.engine.calls.shell import SimpleCommand
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.text.paths import Components, components, joined

_MOST_DEPTH = 64
_LONGEST_LINE = 1_000
# Bars, then the name: `│   ├── a.py`, `|-- a.py`, `+---src`.
_BARS = re.compile(r"[│|┃\s]*+(?:[├└┣┗+`\\]?[─━-]{1,4}\s?)?(?:\[[^\]\n]{1,60}\]\s+)?")
_BRANCH = re.compile(r"[├└┣┗][─━]|[|`+\\]--")
_BULLET = re.compile(r"([ \t]*+)(?:[-*•] )?")
_HEADING = re.compile(r"([^\s:][^:\n]{0,400}|[A-Za-z]:[^:\n]{1,400}):$")
_DIRECTORY = re.compile(r"\s{0,8}Directory: (\S.{0,400})$")
_LONG_FORM = re.compile(r"[-dlrwxstahc@+.]{6,12}\s.*\s(\S+?)(?: -> \S+)?$")
_TAGGED = re.compile(
    r"\s{0,8}\[(?:dir(?:ectory)?|file|d|f)\]\s+([^\s(]+)", re.IGNORECASE
)
_ENDS = re.compile(r"$| ->|  | #| \(")
_NAME = re.compile(r"[\w.@~+%$(){}\[\]/\\-]++[*/=@|]?")


@dataclass(frozen=True, slots=True)
class Layout:
    """The entries of a listing; `is_nested` if a name alone is not a path here."""

    entries: tuple[Entry, ...] = ()
    is_nested: bool = False


def read_layout(entry: CallFacts, text: str) -> Layout:
    """Read the folders of the entries of a listing.

    Args:
        entry: The call.
        text: Its output, as far as it counts.
    """
    if not entry.succeeded or not _lists(entry):
        return Layout()
    if entry.kind is ToolKind.LIST and is_json_tree(text):
        return Layout(tuple(json_tree(text, _listed(entry))), is_nested=True)
    rows = [
        (start, line[:_LONGEST_LINE].rstrip())
        for start, line in _lines(text)
        if line.strip()
    ]
    trees = any(_BRANCH.search(line) for _, line in rows[:_MOST_DEPTH])
    if trees or (entry.kind is ToolKind.LIST and _is_indented(rows)):
        start = _went_to(entry) if entry.command else _listed(entry)
        return Layout(tuple(_tree(rows, start, bars=trees)), is_nested=True)
    if _has_headings(entry) and any(_heading(line) for _, line in rows):
        return Layout(tuple(_headed(text, _went_to(entry))), is_nested=True)
    base = _listed(entry)
    return Layout(tuple(_flat(rows, base))) if base else Layout()


def _lists(entry: CallFacts) -> bool:
    if entry.command is None:
        return entry.kind is ToolKind.LIST
    return any(ProgramRole.FOLDERS in part.role for part in entry.commands)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    position = 0
    for line in text.split("\n")[:MOST_ENTRIES]:
        yield position, line
        position += len(line) + 1


def _lists_flat(part: SimpleCommand) -> bool:
    """Return whether a command prints the names in a folder without bars."""
    return ProgramRole.FOLDERS in part.role and part.program != "tree"


def _has_headings(entry: CallFacts) -> bool:
    """Return whether a listing is of several folders, or always names its folder."""
    return any(
        _lists_flat(part)
        and (
            part.program != "ls"
            or len(part.operands) > 1
            or any("*" in word for word in part.operands)
            or any(_RECURSES.match(word) for word in part.argv)
        )
        for part in entry.commands
    )


_RECURSES = re.compile(r"--recursive$|-\w{0,9}R")


def _went_to(entry: CallFacts) -> Components:
    """Return the working folder of a command, if it names one."""
    base: Components = ()
    for part in entry.commands:
        if ProgramRole.ENTERS in part.role and len(part.operands) == 1:
            base = joined(base, components(part.operands[0]))
    return base


def _listed(entry: CallFacts) -> Components:
    """Return the listed folder of a call, if it is one and nothing else printed."""
    if entry.command is None:
        return components(entry.paths[0]) if len(entry.paths) == 1 else ()
    listers = [part for part in entry.commands if _lists_flat(part)]
    quiet = all(
        part.role & (ProgramRole.FOLDERS | ProgramRole.PREPARES)
        and part.joined not in {"|", "||"}
        for part in entry.commands
    )
    if not quiet or len(listers) != 1:
        return ()
    words = listers[0].operands
    if len(words) > 1 or any("*" in word for word in words) or "-d" in listers[0].argv:
        return ()
    return joined(_went_to(entry), components(words[0] if words else "."))


def _is_indented(rows: list[tuple[int, str]]) -> bool:
    """Whether folders are above their entries, which are indented further."""
    above = ""
    for _, line in rows[:_MOST_DEPTH]:
        if above.endswith("/") and _column(line) > _column(above):
            return True
        above = line
    return False


def _column(line: str) -> int:
    bullet = _BULLET.match(line)
    return bullet.end(1) if bullet else 0


def _tree(
    rows: list[tuple[int, str]], base: Components, *, bars: bool
) -> Iterator[Entry]:
    """Assign to each name the folders above it with less indentation."""
    above: list[tuple[int, Components]] = []
    for start, line in rows:
        mark = (_BARS if bars else _BULLET).match(line)
        first = mark.end() if mark else 0
        match = _NAME.match(line, first)
        column = first if bars else _column(line)
        if match is None or not _ENDS.match(line[match.end() :]):
            above = above if column else []
            continue
        while above and above[-1][0] >= column:
            above.pop()
        inner = components(match.group().rstrip("*=@|"))
        path = joined(above[-1][1], inner) if above else _root(inner, base)
        yield start + match.start(), start + match.end(), path
        if len(above) < _MOST_DEPTH and (bars or match.group().endswith("/")):
            above.append((column, path))


def _root(inner: Components, base: Components) -> Components:
    """Return the root of a tree: the folder that it prints, or the requested one."""
    within = not inner or base[-len(inner) :] == inner
    return base if within else joined(base, inner)


def _heading(line: str) -> Components | None:
    match = _HEADING.match(line) or _DIRECTORY.match(line)
    if not match:
        return None
    bare = match[1].strip("'\"")
    spaced = " " in bare and "/" not in bare and "\\" not in bare
    return None if spaced else components(bare)


def _headed(text: str, base: Components) -> Iterator[Entry]:
    """Read `NAME:` above the names in that folder, as printed by `ls -R`."""
    folder, above = base, ""
    for start, line in _lines(text):
        line = line[:_LONGEST_LINE].rstrip()
        heading = _heading(line)
        if heading is not None:
            folder = joined(base, heading)
            yield start, start + len(line.rstrip(":")), folder
        elif not line and not _DIRECTORY.match(above):
            folder = base
        elif entry := _name_in(line):
            first, last, path = entry
            yield start + first, start + last, joined(folder, path)
        above = line or above


def _flat(rows: list[tuple[int, str]], base: Components) -> Iterator[Entry]:
    for start, line in rows:
        entry = _name_in(line)
        # A requested file is in no folder.
        if entry and entry[2] != base[-1:]:
            first, last, path = entry
            yield start + first, start + last, joined(base, path)


def _name_in(line: str) -> Entry | None:
    """Return the name in a line of a listing; None for a complete path."""
    match = _LONG_FORM.match(line) or _TAGGED.match(line) or _NAME.fullmatch(line)
    if match is None:
        return None
    first, last = match.span(match.lastindex or 0)
    path = components(line[first:last].rstrip("*=@|"))
    return (first, last, path) if len(path) == 1 else None
