"""The preview of a transcript: its lines beside the turns read from it."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from verifyhub.engine import types
from verifyhub.ingest.formats.base import Note, Transcript, TranscriptDocument
from verifyhub.verification.services.transcripts import TurnResult

# Lines on one page, and characters of each.
LINES = 200
LINE_CHARACTERS = 1000
# A document with a longer one, in bytes, is indented.
LONG_LINE = 300
# The most calls of a turn that the preview shows; the answer's own page shows all.
CALLS = 30
PLACE = "line "


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """A turn: request, answer and calls.

    `result` is what would become of it now; None past what one request writes.
    `earlier` counts calls of earlier turns that its answer may rest on.
    """

    number: int
    turn: types.Interaction
    result: TurnResult | None

    @property
    def earlier(self) -> int:
        return int((self.turn.metadata or {}).get("earlier_calls", 0))

    @property
    def calls(self) -> Sequence[types.ToolCall]:
        return self._own[:CALLS]

    @property
    def call_count(self) -> int:
        return len(self._own)

    @property
    def more_calls(self) -> int:
        return max(0, len(self._own) - CALLS)

    @property
    def _own(self) -> Sequence[types.ToolCall]:
        return self.turn.tool_calls[self.earlier :]


@dataclass(frozen=True, slots=True)
class ShownNote:
    """An unmapped part; `page` is that of its line, if it has one."""

    note: Note
    line: int | None

    @property
    def kind(self) -> str:
        """The kind of the note: translated, or a name of the format."""
        return str(NOTES.get(self.note.kind, self.note.kind))

    @property
    def within(self) -> str:
        """The path of the note in its line; empty for the line itself."""
        return self.note.first.removeprefix(f"{PLACE}{self.line}").lstrip(".: ")

    @property
    def page(self) -> int:
        return (self.line - 1) // LINES + 1 if self.line else 0


@dataclass(frozen=True, slots=True)
class RawPage:
    """Some lines of the transcript, as numbers and texts.

    `is_indented` says that it came in long lines and was laid out to be read.
    """

    lines: Sequence[tuple[int, str]]
    number: int
    pages: int
    is_indented: bool


def shown_turns(
    transcript: Transcript, results: Sequence[TurnResult]
) -> list[ShownTurn]:
    """Return all turns, each with the outcome of storing it."""
    by_place: list[TurnResult | None] = [*results]
    by_place += [None] * (len(transcript.interactions) - len(results))
    return [
        ShownTurn(number, turn, result)
        for number, (turn, result) in enumerate(
            zip(transcript.interactions, by_place, strict=True), start=1
        )
    ]


def shown_notes(transcript: Transcript) -> list[ShownNote]:
    """Return unmapped parts, with the line of the first of each kind if known."""
    return [ShownNote(note, _line(note.first)) for note in transcript.notes]


def raw_page(data: bytes, document: TranscriptDocument, page: object) -> RawPage:
    """Return some lines of a transcript.

    Args:
        data: The transcript as it came.
        document: The same, parsed.
        page: The number of the page as a visitor sent it; else the first is shown.
    """
    longest = max(len(line) for line in data.split(b"\n"))
    is_indented = not document.is_lines and longest > LONG_LINE
    lines = (
        json.dumps(document.value, indent=2, ensure_ascii=False).split("\n")
        if is_indented
        else _lines(data)
    )
    pages = max(1, -(-len(lines) // LINES))
    number = int(str(page)) if str(page).isascii() and str(page).isdigit() else 1
    number = min(max(number, 1), pages)
    start = (number - 1) * LINES
    shown = islice(enumerate(lines, start=1), start, start + LINES)
    return RawPage([(at, _cut(line)) for at, line in shown], number, pages, is_indented)


def _line(place: str) -> int | None:
    """Read `line 12`, `line 12: …` or `line 12.message`; None for other places."""
    digits = re.match(PLACE + r"([0-9]{1,8})(?![0-9])", place)
    return int(digits[1]) if digits else None


def _lines(data: bytes) -> list[str]:
    text = data.decode("utf-8", errors="replace")
    return [line.removesuffix("\r") for line in text.split("\n")]


def _cut(line: str) -> str:
    if len(line) <= LINE_CHARACTERS:
        return line
    return f"{line[:LINE_CHARACTERS]} …"


# By the words of the formats; names that a format itself gives stay as they are.
NOTES: Final[Mapping[str, Promise]] = {
    "reasoning": pgettext_lazy("left out", "reasoning"),
    "thinking": pgettext_lazy("left out", "thinking"),
    "field beside the messages": pgettext_lazy("left out", "field beside the messages"),
    "field beside the history": pgettext_lazy("left out", "field beside the history"),
    "field beside the steps": pgettext_lazy("left out", "field beside the steps"),
    "field beside the items": pgettext_lazy("left out", "field beside the items"),
    "turn without an answer": pgettext_lazy("left out", "turn without an answer"),
    "text of the shell, no request": pgettext_lazy(
        "left out", "text of the shell, no request"
    ),
    "text of the program, no request": pgettext_lazy(
        "left out", "text of the program, no request"
    ),
    "text before any request": pgettext_lazy("left out", "text before any request"),
    "text before a tool call": pgettext_lazy("left out", "text before a tool call"),
    "system message": pgettext_lazy("left out", "system message"),
    "summary of what came before": pgettext_lazy(
        "left out", "summary of what came before"
    ),
    "step that is also in the history": pgettext_lazy(
        "left out", "step that is also in the history"
    ),
    "result without a call": pgettext_lazy("left out", "result without a call"),
    "second result of a call": pgettext_lazy("left out", "second result of a call"),
    "request during a turn, added to it": pgettext_lazy(
        "left out", "request during a turn, added to it"
    ),
    "pause by the user": pgettext_lazy("left out", "pause by the user"),
    "line of another session, read with this one": pgettext_lazy(
        "left out", "line of another session, read with this one"
    ),
    "line that stands twice": pgettext_lazy("left out", "duplicate line"),
    "interruption by the user": pgettext_lazy("left out", "interruption by the user"),
    "event of a sub-agent": pgettext_lazy("left out", "event of a sub-agent"),
    "trajectory of a sub-agent, not in this file": pgettext_lazy(
        "left out", "trajectory of a sub-agent, not in this file"
    ),
    "empty request": pgettext_lazy("left out", "empty request"),
    "demonstration": pgettext_lazy("left out", "demonstration"),
    "command of the shell": pgettext_lazy("left out", "command of the shell"),
    "call that was requested but never started": pgettext_lazy(
        "left out", "call that was requested but never started"
    ),
    "attachment": pgettext_lazy("left out", "attachment"),
    "artifact of a tool": pgettext_lazy("left out", "artifact of a tool"),
}
