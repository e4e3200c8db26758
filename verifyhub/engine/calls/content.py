"""Content that tools showed, with its file, as a reader would have read it.

The tool's own line numbers are removed. A search shows single lines of many files.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from verifyhub.engine.calls.commands import shown_paths
from verifyhub.engine.calls.facts import CallFacts

# Begins with a fixed character, which can be searched quickly.
_NUMBER = re.compile(r"\n[ \t]*+(\d{1,7})(?:→|\t|: |\| )")
# Prefixes of tools before the lines of a file: OpenCode, OpenHands, and SWE-agent, with
# only a colon after the number.
FRAME = re.compile(
    r"<path>[^\n]*+\n<type>file</type>\n<content>|<file>\n?"
    r"|Here's the result of running [^\n]{1,400}:\n"
)
_OPEN_FRAME = re.compile(r"\[File: [^\n]{1,400}\]\s{1,4}(?:\([^\n]{1,80}\)\s{1,4})?")
_OPEN_NUMBER = re.compile(r"\n(\d{1,7}):")
_SEARCH_LINE = re.compile(
    r"^([^\s:][^:\n]{0,400}):(\d{1,7})[:-]([^\n]*+)$", re.MULTILINE
)
_NUMBERED_LINE = re.compile(r"^(\d{1,7})[:-]([^\n]*+)$", re.MULTILINE)
# In a longer command line it is unknown which part printed.
_MOST_COMMANDS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """Text of one file in one call's output.

    `line` is the number of its first line, None if unknown; `is_line` is true for a
    single line of a search.
    """

    call: int
    path: str
    text: str
    line: int | None = None
    is_line: bool = False


def content_read(entry: CallFacts) -> tuple[Content, ...]:
    """Return the content that a read showed of one file."""
    return _shown(entry, entry.paths)


def content_printed(entry: CallFacts) -> tuple[Content, ...]:
    """Return the content that a short command line printed of one file."""
    command = entry.command or ""
    if len(entry.commands) > _MOST_COMMANDS:
        return ()
    spans = shown_paths(entry.commands)
    return _shown(entry, [command[start:end] for start, end in spans])


def _shown(entry: CallFacts, paths: Sequence[str]) -> tuple[Content, ...]:
    text, numbers = entry.call.output, _NUMBER
    if not entry.succeeded or not text or len(paths) != 1:
        return ()
    if frame := FRAME.match(text):
        text = text[frame.end() :]
    elif frame := _OPEN_FRAME.match(text):
        text, numbers = text[frame.end() :], _OPEN_NUMBER
    lines = f"\n{text}"
    first = numbers.match(lines)
    content = Content(
        call=entry.index,
        path=paths[0],
        text=numbers.sub("\n", lines)[1:] if first else text,
        line=int(first[1]) if first else None,
    )
    return (content,)


def lines_found(entry: CallFacts) -> tuple[Content, ...]:
    """Return the lines that a search showed, each with its file."""
    if not entry.succeeded:
        return ()
    rows = _SEARCH_LINE.findall(entry.call.output)
    if not rows and len(entry.paths) == 1:
        lines = _NUMBERED_LINE.findall(entry.call.output)
        rows = [(entry.paths[0], *line) for line in lines]
    return tuple(
        Content(call=entry.index, path=path, text=text, line=int(line), is_line=True)
        for path, line, text in rows
    )
