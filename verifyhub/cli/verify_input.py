"""Read runs from a JSON document or from JSON Lines of any length, one at a time.

A transcript of an agent is read completely, and yields the runs of its turns.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import IO, Any, TypeAlias

from verifyhub.common.contract import FormatError
from verifyhub.common.strict_json import MAX_NODES as MAX_RUN_NODES
from verifyhub.common.strict_json import StrictJSONError, loads
from verifyhub.engine.types import Interaction
from verifyhub.ingest.formats.base import Transcript, TranscriptDocument
from verifyhub.ingest.formats.native import looks_native
from verifyhub.ingest.formats.transcripts import (
    AUTO,
    MAX_BYTES,
    MAX_NODES,
    is_transcript,
    parse_document,
    read_document,
)

NATIVE = "native"
CHUNK = 1024 * 1024
# A line with its number in the file, from 1.
_Numbered: TypeAlias = tuple[int, bytes]


@dataclass(frozen=True, slots=True)
class InputRun:
    """One run, or an error.

    `place` is its position: `line 3`, `item 2` of an array, `turn 4`. `data` is
    VerifyHub's own JSON, `interaction` a transcript's turn; a piece with a `transcript`
    precedes the runs of a transcript.
    """

    place: str
    data: Any = None
    problem: str | None = None
    interaction: Interaction | None = None
    transcript: Transcript | None = None


def read_pieces(stream: IO[bytes], *, format_name: str = AUTO) -> Iterator[InputRun]:
    """Yield the runs of a stream in order; an invalid one does not end it.

    Lines with one object each are JSON Lines, read one by one in constant memory. A
    document over several lines, an array, or a transcript is read completely.

    Args:
        stream: The stream.
        format_name: `native`, the name of a format of transcripts, or `auto`.
    """
    if format_name in {AUTO, NATIVE}:
        yield from _runs(stream, may_be_transcript=format_name == AUTO)
    else:
        try:
            document = parse_document(stream.read(MAX_BYTES + 1))
            yield from _understood(read_document(document, format=format_name))
        except FormatError as error:
            yield InputRun(error.field or "line 1", problem=error.message)


def _runs(stream: IO[bytes], *, may_be_transcript: bool) -> Iterator[InputRun]:
    lines = _numbered_lines(stream)
    first = next(lines, None)
    if first is None:
        yield InputRun("line 1", problem="The input contains no runs.")
        return
    second = next(lines, None)
    rest = chain([first], [second] if second else [], lines)
    if _is_document(first[1], second[1] if second else None):
        yield from _document(list(rest), may_be_transcript=may_be_transcript)
        return
    if may_be_transcript:
        read, is_foreign = _until_object(rest)
        if is_foreign and _gather(read, rest):
            yield from _foreign_lines(read)
            return
        rest = chain(read, rest)
    for number, line in rest:
        yield _line(number, line)


def _until_object(lines: Iterator[_Numbered]) -> tuple[list[_Numbered], bool]:
    """Read up to the first line with an object; return whether it is no run."""
    read = []
    for number, line in lines:
        read.append((number, line))
        value = _line(number, line, max_nodes=MAX_NODES).data
        if isinstance(value, dict):
            return read, not looks_native(value)
    return read, False


def _gather(read: list[_Numbered], lines: Iterator[_Numbered]) -> bool:
    """Read the other lines, unless they are too long for a transcript."""
    size = sum(len(line) for _, line in read)
    for number, line in lines:
        read.append((number, line))
        size += len(line)
        if size > MAX_BYTES:
            return False
    return True


def _foreign_lines(lines: list[_Numbered]) -> Iterator[InputRun]:
    """Read lines that do not begin with a run: a transcript, or else invalid runs."""
    try:
        document = parse_document(_text(lines, first=1))
        if is_transcript(document):
            yield from _understood(read_document(document))
            return
    except FormatError as error:
        yield InputRun(error.field or "line 1", problem=error.message)
        return
    for number, line in lines:
        yield _line(number, line)


def _understood(transcript: Transcript) -> Iterator[InputRun]:
    """Yield a transcript, then its runs."""
    yield InputRun("", transcript=transcript)
    for interaction in transcript.interactions:
        turn = (interaction.metadata or {}).get("turn")
        yield InputRun(f"turn {turn}", interaction=interaction)
    if not transcript.interactions:
        yield InputRun("line 1", problem="No turn ends in an answer.")


def _numbered_lines(stream: IO[bytes]) -> Iterator[_Numbered]:
    """Yield lines that are not blank, with numbers from 1; long lines are truncated."""
    number = 0
    while line := stream.readline(MAX_BYTES + 1):
        number += 1
        if len(line) > MAX_BYTES:
            read = line
            while read and not read.endswith(b"\n"):
                read = stream.readline(CHUNK)
        if line.strip():
            yield number, line


def _is_document(first: bytes, second: bytes | None) -> bool:
    if first.lstrip().startswith(b"["):
        return True
    # In a document over several lines the first is incomplete, followed by a key.
    return (
        second is not None
        and not second.lstrip().startswith(b"{")
        and _line(1, first).problem is not None
    )


def _text(lines: list[_Numbered], *, first: int) -> bytes:
    """Join lines, with blank ones restored for the positions in errors."""
    text, at = bytearray(), first
    for number, line in lines:
        text += b"\n" * (number - at) + line
        at = number + line.count(b"\n")
    return bytes(text)


def _document(lines: list[_Numbered], *, may_be_transcript: bool) -> Iterator[InputRun]:
    first_number = lines[0][0]
    text = _text(lines, first=first_number)
    try:
        value = loads(text, max_bytes=MAX_BYTES, max_nodes=MAX_NODES, mends_texts=True)
    except StrictJSONError as error:
        pieces = [_line(number, line) for number, line in lines]
        if any(isinstance(piece.data, dict) for piece in pieces):
            # One invalid line at the beginning of JSON Lines.
            yield from pieces
        else:
            broken = first_number + (error.line or 1) - 1
            yield InputRun(f"line {broken}", problem=_words(error))
        return
    if may_be_transcript and _is_foreign(value):
        try:
            yield from _understood(read_document(TranscriptDocument(value=value)))
        except FormatError as error:
            yield InputRun(error.field or f"line {first_number}", problem=error.message)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield InputRun(f"item {index}", data=item)
    else:
        yield InputRun(f"line {first_number}", data=value)


def _is_foreign(value: Any) -> bool:
    """Return whether a document contains objects, none of which looks like a run."""
    values = value if isinstance(value, list) else [value]
    objects = [item for item in values if isinstance(item, dict)]
    return bool(objects) and not any(map(looks_native, objects))


def _line(number: int, line: bytes, *, max_nodes: int = MAX_RUN_NODES) -> InputRun:
    try:
        value = loads(line, max_bytes=MAX_BYTES, max_nodes=max_nodes, mends_texts=True)
        return InputRun(f"line {number}", data=value)
    except StrictJSONError as error:
        return InputRun(f"line {number}", problem=_words(error))


def _words(error: StrictJSONError) -> str:
    if error.line is not None:
        return f"column {error.column}: {error.message}"
    return f"{error.path}: {error.message}" if error.path else error.message
