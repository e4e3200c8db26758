"""Read runs from a JSON document or from JSON Lines of any length, one at a time."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import IO, Any

from verifyhub.common.strict_json import StrictJSONError, loads

# A run, or a document of several; the largest real run seen has 0.3 MB.
MAX_BYTES = 256 * 1024 * 1024
CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Piece:
    """One run as it was read, or what is wrong with it.

    `place` says where it stands: `line 3`, or `item 2` of an array.
    """

    place: str
    data: Any = None
    problem: str | None = None


def read_pieces(stream: IO[bytes]) -> Iterator[Piece]:
    """Yield the runs of a stream in order; a broken one does not end it.

    Lines that each hold an object are JSON Lines, read one by one in constant memory.
    A document that spans lines, or an array, is read whole.
    """
    lines = _numbered_lines(stream)
    first = next(lines, None)
    if first is None:
        yield Piece("line 1", problem="There is nothing to verify.")
        return
    second = next(lines, None)
    rest = chain([first], [second] if second else [], lines)
    if _is_document(first[1], second[1] if second else None):
        yield from _document(list(rest))
    else:
        for number, line in rest:
            yield _line(number, line)


def _numbered_lines(stream: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Lines that are not blank, with their numbers from 1; an endless line is cut."""
    number = 0
    while line := stream.readline(MAX_BYTES + 1):
        number += 1
        if len(line) > MAX_BYTES:
            _skip_line(stream, line)
        if line.strip():
            yield number, line


def _skip_line(stream: IO[bytes], read: bytes) -> None:
    while read and not read.endswith(b"\n"):
        read = stream.readline(CHUNK)


def _is_document(first: bytes, second: bytes | None) -> bool:
    if first.lstrip().startswith(b"["):
        return True
    # In a document over several lines the first is not whole, and a key follows it.
    return (
        second is not None
        and not second.lstrip().startswith(b"{")
        and _line(1, first).problem is not None
    )


def _document(lines: list[tuple[int, bytes]]) -> Iterator[Piece]:
    first_number = lines[0][0]
    # Blank lines were dropped; put them back, so that places in errors are right.
    text, at = bytearray(), first_number
    for number, line in lines:
        text += b"\n" * (number - at) + line
        at = number + line.count(b"\n")
    try:
        value = loads(bytes(text), max_bytes=MAX_BYTES)
    except StrictJSONError as error:
        pieces = [_line(number, line) for number, line in lines]
        if any(isinstance(piece.data, dict) for piece in pieces):
            # One broken line at the head of JSON Lines.
            yield from pieces
        else:
            broken = first_number + (error.line or 1) - 1
            yield Piece(f"line {broken}", problem=_words(error))
        return
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield Piece(f"item {index}", data=item)
    else:
        yield Piece(f"line {first_number}", data=value)


def _line(number: int, line: bytes) -> Piece:
    try:
        return Piece(f"line {number}", data=loads(line, max_bytes=MAX_BYTES))
    except StrictJSONError as error:
        return Piece(f"line {number}", problem=_words(error))


def _words(error: StrictJSONError) -> str:
    if error.line is not None:
        return f"column {error.column}: {error.message}"
    return f"{error.path}: {error.message}" if error.path else error.message
