"""The text of a file that a read showed, without the tool's own frame.

Only a read of the whole file gives a text: line numbers from 1 without gaps, nothing
left out, no part requested.
"""

import re

from verifyhub.engine.calls.content import FRAME
from verifyhub.engine.calls.facts import CallFacts
from verifyhub.engine.calls.tool_changes import is_cut

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
    opening = FRAME.match(output)
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
