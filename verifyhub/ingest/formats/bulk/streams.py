"""Split a stream of bytes of any length into lines or JSON values.

At most one line or value is in memory.
"""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from verifyhub.common.strict_json import StrictJSONError, loads
from verifyhub.ingest.formats.bulk.source import (
    CHUNK,
    MAX_LINE,
    BrokenStreamError,
    LineSource,
    Readable,
)

# Tokens outside of strings (brackets, quotes) and inside (quotes, escapes).
OUTSIDE, IN_STRING = re.compile(rb'["\[\]{}]'), re.compile(rb'["\\]')
OPENS, CLOSES = "opens", "closes"
BLANK = b" \t\r\n,"
TOO_LONG = "The line has more than {most} bytes."


@dataclass(frozen=True, slots=True)
class RawItem:
    """One line or value of a stream: its bytes, or its value if it was not JSON.

    `number` counts lines from 1, or values or rows if the file has no lines. `problem`
    is the reason why it cannot be read. `size` is in bytes of the stream.
    """

    number: int
    data: bytes = b""
    value: Any = None
    problem: str = ""
    size: int = 0


def is_gzip(head: bytes) -> bool:
    """Whether a file is compressed with gzip, by its first bytes."""
    return head.startswith(b"\x1f\x8b")


def raw_items(
    stream: Readable, *, is_lines: bool = False, max_line: int = MAX_LINE
) -> Iterator[RawItem]:
    """Yield the lines or values of a stream of JSON.

    If its first line is a complete JSON value, the stream is JSON Lines. Otherwise it
    is one array, or a sequence of objects in any layout.

    Args:
        stream: The stream; the default bounds apply unless it is a `LineSource`.
        is_lines: Whether it is known to be JSON Lines.
        max_line: The maximum bytes of a line or value; longer lines become problems.

    Raises:
        BrokenStreamError: While reading, if the stream ends early or exceeds a bound.
    """
    source = _source(stream)
    head, number = b"", 0
    while not head.strip():
        head = source.readline(max_line + 1)
        number += 1
        if not head:
            return
        if not head.strip():
            source.skip_blank(len(head))
    if is_lines or _is_whole(head) or head.lstrip(BLANK)[:1] not in (b"{", b"["):
        items = _lines(source, head, number, max_line)
    else:
        items = _values(source, head, max_line)
    for item in items:
        yield item
        # Afterwards, so that the caller's time is not counted for the next item.
        source.mark_item()


def _source(stream: Readable) -> LineSource:
    return stream if isinstance(stream, LineSource) else LineSource(stream)


def csv_items(stream: Readable, *, max_line: int = MAX_LINE) -> Iterator[RawItem]:
    """Yield the rows of a CSV file with a header, cells that hold JSON as values.

    Raises:
        BrokenStreamError: If the stream ends early, exceeds a bound or is not CSV.
    """
    source = _source(stream)
    csv.field_size_limit(max_line)
    plain = io.BufferedReader(_Readable(source), CHUNK)
    text = io.TextIOWrapper(plain, "utf-8-sig", "replace", newline="")
    try:
        for number, row in enumerate(csv.DictReader(text, strict=True), start=1):
            values = {k: _cell(v) for k, v in row.items() if isinstance(k, str) and v}
            size = sum(len(v) for v in row.values() if isinstance(v, str))
            yield RawItem(number, value=values, size=size)
            source.mark_item()
    except csv.Error as error:
        raise BrokenStreamError(f"The CSV cannot be read: {error}.") from error
    finally:
        text.detach()


def _cell(text: Any) -> Any:
    if not isinstance(text, str):
        return None
    plain = text.replace("\x00", "\ufffd")
    if plain[:1] not in ("{", "[", '"'):
        return plain
    try:
        return loads(plain.encode(), max_bytes=MAX_LINE, mends_texts=True)
    except StrictJSONError:
        return plain


class _Readable(io.RawIOBase):
    """A stream with only `read`, as a raw stream of `io`."""

    def __init__(self, stream: Readable) -> None:
        super().__init__()
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._stream.read(min(len(buffer), CHUNK))
        buffer[: len(data)] = data
        return len(data)


def _is_whole(line: bytes) -> bool:
    try:
        loads(line.strip(), max_bytes=len(line), mends_texts=True)
    except StrictJSONError:
        return False
    return True


def _lines(
    source: LineSource, line: bytes, number: int, max_line: int
) -> Iterator[RawItem]:
    while line:
        if len(line) > max_line and not line.endswith(b"\n"):
            skipped = 0
            while piece := source.readline(max_line):
                skipped += len(piece)
                if piece.endswith(b"\n"):
                    break
            size = len(line) + skipped
            problem = TOO_LONG.format(most=max_line)
            yield RawItem(number, problem=problem, size=size)
        elif line.strip():
            yield RawItem(number, data=line.strip(), size=len(line))
        else:
            source.skip_blank(len(line))
        number += 1
        line = source.readline(max_line + 1)


def _values(source: LineSource, head: bytes, max_line: int) -> Iterator[RawItem]:
    """Yield the objects of an array, or of a sequence, in a stream."""
    cutter = _Cutter(is_array=head.lstrip(BLANK)[:1] == b"[")
    number = 0
    for chunk in chain([head], iter(lambda: source.read(CHUNK), b"")):
        before = number
        for piece in cutter.feed(chunk):
            number += 1
            yield RawItem(number, data=piece, size=len(piece))
        if cutter.is_over:
            return
        if number == before and not cutter.is_in_value:
            source.skip_blank(len(chunk))
        if len(cutter.buffer) > max_line:
            yield RawItem(number + 1, problem=TOO_LONG.format(most=max_line))
            raise BrokenStreamError(f"Value {number + 1} is too long to go on.")
    if cutter.is_open:
        raise BrokenStreamError("The stream ends in the middle of a value.")


class _Cutter:
    """Finds the beginning and end of values, in one pass over the bytes.

    Attributes:
        buffer: The part of a value that has arrived so far.
        is_over: Whether the array has ended; what follows is not read.
    """

    def __init__(self, *, is_array: bool) -> None:
        self.buffer, self.is_over = b"", False
        # Values begin within the brackets of an array, or where nothing is open.
        self._base = 1 if is_array else 0
        self._depth, self._at, self._quoted = 0, 0, False

    @property
    def is_in_value(self) -> bool:
        """Whether `buffer` is the beginning of a value."""
        return self._depth > self._base

    @property
    def is_open(self) -> bool:
        """Whether a bracket is open."""
        return self._depth > 0

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Add bytes and yield the values that they complete."""
        self.buffer += chunk
        begin = 0 if self.is_in_value else None
        while not self.is_over and (token := self._next()) is not None:
            place, kind = token
            if kind == OPENS:
                if self._depth == self._base:
                    begin = place
                self._depth += 1
                continue
            self._depth -= 1
            self.is_over = self._depth < self._base
            if self._depth == self._base and begin is not None:
                yield self.buffer[begin : place + 1]
                begin = None
        cut = self._at if begin is None else begin
        self.buffer, self._at = self.buffer[cut:], self._at - cut

    def _next(self) -> tuple[int, str] | None:
        """Return the next bracket outside of strings; None if more bytes are needed."""
        while True:
            pattern = IN_STRING if self._quoted else OUTSIDE
            token = pattern.search(self.buffer, self._at)
            if token is None:
                self._at = len(self.buffer)
                return None
            place, kind = token.start(), token[0]
            if kind == b"\\" and place + 1 == len(self.buffer):
                self._at = place
                return None
            self._at = place + (2 if kind == b"\\" else 1)
            if kind == b'"':
                self._quoted = not self._quoted
            elif kind != b"\\":
                return place, OPENS if kind in (b"{", b"[") else CLOSES
