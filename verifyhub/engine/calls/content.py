"""Content that tools showed, with the file it is from: what a reader would have read.

The tool's own line numbers are taken off. A search shows single lines of many files.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from verifyhub.engine.calls.call import LedgerCall
from verifyhub.engine.calls.commands import shown_paths
from verifyhub.engine.calls.tools import ToolKind

_NUMBER = re.compile(r"^[ \t]*+(\d{1,7})(?:→|\t|: |\| )", re.MULTILINE)
# What tools put before a file's lines: OpenCode, OpenHands, and SWE-agent, which puts
# nothing but a colon behind the number.
FRAME = re.compile(
    r"<path>[^\n]*+\n<type>file</type>\n<content>|<file>\n?"
    r"|Here's the result of running [^\n]{1,400}:\n"
)
_OPEN_FRAME = re.compile(r"\[File: [^\n]{1,400}\]\s{1,4}(?:\([^\n]{1,80}\)\s{1,4})?")
_OPEN_NUMBER = re.compile(r"^(\d{1,7}):", re.MULTILINE)
_FOUND = re.compile(r"^([^\s:][^:\n]{0,400}):(\d{1,7})[:-]([^\n]*+)$", re.MULTILINE)
_FOUND_HERE = re.compile(r"^(\d{1,7})[:-]([^\n]*+)$", re.MULTILINE)
_SEARCHES = frozenset({"grep", "rg", "ag", "ack", "egrep", "git grep"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """Text of one file in one call's output.

    `line` is the number of its first line, None where nobody says; `is_line` says that
    it is a single line that a search found.
    """

    call: int
    path: str
    text: str
    line: int | None = None
    is_line: bool = False


def read_contents(calls: Iterable[LedgerCall]) -> Iterator[Content]:
    """Yield the content of files that successful calls showed, in order."""
    for entry in calls:
        if entry.succeeded and entry.call.output:
            yield from _contents(entry)


def _contents(entry: LedgerCall) -> Iterator[Content]:
    if _searches(entry):
        yield from _found(entry)
        return
    path = _only_path(entry)
    if path is None:
        return
    text = entry.call.output
    numbers = _NUMBER
    if frame := FRAME.match(text):
        text = text[frame.end() :]
    elif frame := _OPEN_FRAME.match(text):
        text, numbers = text[frame.end() :], _OPEN_NUMBER
    first = numbers.match(text)
    yield Content(
        call=entry.index,
        path=path,
        text=numbers.sub("", text) if first else text,
        line=int(first[1]) if first else None,
    )


def _searches(entry: LedgerCall) -> bool:
    if entry.kind is ToolKind.SEARCH:
        return True
    return any(part.program in _SEARCHES for part in entry.parts)


def _found(entry: LedgerCall) -> Iterator[Content]:
    any_path = False
    for match in _FOUND.finditer(entry.call.output):
        any_path = True
        yield Content(
            call=entry.index,
            path=match[1],
            text=match[3],
            line=int(match[2]),
            is_line=True,
        )
    if any_path or len(entry.paths) != 1:
        return
    for match in _FOUND_HERE.finditer(entry.call.output):
        yield Content(
            call=entry.index,
            path=entry.paths[0],
            text=match[2],
            line=int(match[1]),
            is_line=True,
        )


def _only_path(entry: LedgerCall) -> str | None:
    if entry.kind is ToolKind.READ:
        return entry.paths[0] if len(entry.paths) == 1 else None
    command = entry.command
    if command is None or len(entry.parts) > 2:
        return None
    shown = shown_paths(command, entry.parts)
    return command[shown[0][0] : shown[0][1]] if len(shown) == 1 else None
