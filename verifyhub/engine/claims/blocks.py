"""The parts of an answer in which sentences stand: paragraphs, items, rows, quotations.

Code is shown, not said: fences, indented code and HTML comments are left out, and a
block ends where one begins. One pass over the lines.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from verifyhub.engine.mentions.markdown import fences
from verifyhub.engine.types import Span


class BlockKind(StrEnum):
    """What a block of prose is."""

    PARAGRAPH = "paragraph"
    ITEM = "item"
    OPEN_TASK = "open_task"
    ROW = "row"
    QUOTE = "quote"


@dataclass(frozen=True, slots=True)
class Block:
    """A block, where its words stand, and the heading above it in small letters."""

    kind: BlockKind
    span: Span
    heading: str = ""


_LINE = re.compile(r"[^\n]*+\n?")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+(.*)")
_UNDERLINE = re.compile(r"[ \t]{0,3}(?:={2,}|-{2,})[ \t]*$")
_RULE = re.compile(r"[ \t]{0,3}(?:[-*_][ \t]*){3,}$")
_ITEM = re.compile(r"[ \t]{0,16}(?:[-*+•–]|\d{1,3}[.)])[ \t]+(\[[ xX]\][ \t]+)?")
_QUOTE = re.compile(r"[ \t]{0,3}(?:>[ \t]?)+")
_ROW_RULE = re.compile(r"[ \t|:+-]{3,}$")
_INDENTED = re.compile(r"(?: {4}|\t)")


def blocks(answer: str) -> Iterator[Block]:
    """Yield the blocks of an answer in order; none holds a part of a code fence."""
    heading = ""
    last = 0
    for start, end in chain(_fences(answer), [(len(answer), len(answer))]):
        reader = _LineReader(answer, heading)
        yield from reader.read(last, start)
        heading, last = reader.heading, max(last, end)


def _fences(answer: str) -> Iterator[Span]:
    """Yield whole lines of each code fence, its marks among them."""
    for inner, inner_end in fences(answer):
        start = answer.rfind("\n", 0, inner) + 1
        end = answer.find("\n", inner_end)
        yield start, len(answer) if end < 0 else end


class _LineReader:
    """Reads the lines of one stretch without fences."""

    def __init__(self, answer: str, heading: str) -> None:
        self.answer, self.heading = answer, heading
        self.kind: BlockKind | None = None
        self.start = self.end = self.lines = 0
        self.in_list = self.in_comment = False
        self.row: Span | None = None

    def read(self, start: int, end: int) -> Iterator[Block]:
        for match in _LINE.finditer(self.answer, start, end):
            if match.start() < match.end():
                yield from self._line(match.group().rstrip("\r\n"), match.start())
        yield from self._close()

    def _line(self, line: str, at: int) -> Iterator[Block]:
        if self.in_comment or line.lstrip().startswith("<!--"):
            yield from self._close()
            self.in_comment = "-->" not in line
            return
        if not line.strip():
            yield from self._close()
            return
        if self._is_underlined(line):
            self.heading = self.answer[self.start : self.end].strip("*_ \t").casefold()
            self.kind = None
            return
        if heading := _HEADING.match(line):
            yield from self._close()
            self.heading, self.in_list = heading[1].strip("#*_ \t").casefold(), False
            return
        if _RULE.match(line):
            yield from self._close()
            return
        yield from self._prose(line, at)

    def _is_underlined(self, line: str) -> bool:
        alone = self.kind is BlockKind.PARAGRAPH and self.lines == 1
        return alone and bool(_UNDERLINE.match(line))

    def _prose(self, line: str, at: int) -> Iterator[Block]:
        self.in_list = self.in_list and bool(_ITEM.match(line) or line[0] in " \t")
        if line.lstrip().startswith("|"):
            yield from self._table(line, at)
        elif quote := _QUOTE.match(line):
            if self.kind is not BlockKind.QUOTE:
                yield from self._close()
                self._open(BlockKind.QUOTE, at + quote.end())
            self._extend(at + len(line))
        elif item := _ITEM.match(line):
            yield from self._close()
            unticked = (item[1] or "").startswith("[ ]")
            self._open(
                BlockKind.OPEN_TASK if unticked else BlockKind.ITEM, at + item.end()
            )
            self.in_list = True
            self._extend(at + len(line))
        elif self.kind is None and not self.in_list and _INDENTED.match(line):
            return
        else:
            if self.kind in (None, BlockKind.ROW):
                yield from self._close()
                self._open(BlockKind.PARAGRAPH, at)
            self._extend(at + len(line))

    def _table(self, line: str, at: int) -> Iterator[Block]:
        if _ROW_RULE.match(line):
            # What stands above the rule names the columns and states nothing.
            self.kind = None if self.kind is BlockKind.ROW else self.kind
            yield from self._close()
            return
        yield from self._close()
        inner = line.rstrip().rstrip("|")
        self._open(BlockKind.ROW, at + line.index("|") + 1)
        self._extend(max(self.start, at + len(inner)))

    def _open(self, kind: BlockKind, start: int) -> None:
        self.kind, self.start, self.end, self.lines = kind, start, start, 0

    def _extend(self, end: int) -> None:
        self.end, self.lines = end, self.lines + 1

    def _close(self) -> Iterator[Block]:
        if self.kind is not None and self.end > self.start:
            yield Block(self.kind, (self.start, self.end), self.heading)
        self.kind = None
