"""Content that tools showed, with its file, as a reader would have read it.

The tool's own frame and line numbers are removed. A search shows single lines of many
files. Only a read of the whole file gives its text: line numbers from 1 without gaps,
nothing left out, no part requested.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from verifyhub.engine.calls.commands import shown_paths
from verifyhub.engine.calls.facts import CallFacts
from verifyhub.engine.calls.tool_changes import is_cut

# Begins with a fixed character, which can be searched quickly.
_NUMBER = re.compile(r"\n[ \t]*+(\d{1,7})(?:→|\t|: |\| )")
# Prefixes of tools before the lines of a file: OpenCode, OpenHands, and SWE-agent, with
# only a colon after the number.
_FRAME = re.compile(
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
# Tools with line numbers show longer files in parts.
_MOST_LINES = 2_000
_LONGEST_LINE = 2_000
_NUMBERED = re.compile(r"[ \t]*+(\d{1,7})(?:→|\t|: |\| )")
_AFTER = re.compile(r"\s*+(?:$|<system-reminder>|</content>|</file>|\(End of file)")
_PART_KEYS = (
    "offset", "limit", "start_line", "end_line", "view_range", "startLine", "endLine",
    "start", "end", "pages", "head", "tail", "lines",
)  # fmt: skip
_FIRST = (None, 0, 1, "", False)


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
    if frame := _FRAME.match(text):
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


def file_read(entry: CallFacts) -> tuple[str, str] | None:
    """Return path and text of the file that a read showed completely."""
    is_part = any(entry.call.input.get(key) not in _FIRST for key in _PART_KEYS)
    if not entry.succeeded or len(entry.paths) != 1 or is_part:
        return None
    text = _unframed(entry.call.output)
    return None if text is None else (entry.paths[0], text)


def printed_file(entry: CallFacts) -> tuple[str, str] | None:
    """Return path and text of the file that `cat` printed completely."""
    output = entry.call.output
    if not entry.succeeded or not output or len(entry.commands) != 1:
        return None
    command = entry.commands[0]
    if command.program != "cat" or len(command.argv) != 2:
        return None
    path = command.argv[1]
    if path.startswith("-") or entry.exit_status is not None or is_cut((output,)):
        return None
    return path, output


def _unframed(output: str) -> str | None:
    opening = _FRAME.match(output)
    start = opening.end() if opening else 0
    if not _NUMBERED.match(output, start):
        return None
    lines: list[str] = []
    for line in output[start:].split("\n"):
        number = _NUMBERED.match(line)
        if number is None or int(number[1]) != len(lines) + 1:
            break
        lines.append(line[number.end() :])
        start += len(line) + 1
    is_whole = bool(_AFTER.match(output, min(start, len(output))))
    long = len(lines) >= _MOST_LINES or any(
        len(line) >= _LONGEST_LINE for line in lines
    )
    return "\n".join(lines) + "\n" if is_whole and not long else None
