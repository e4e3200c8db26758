"""Detect the format of a transcript, and read it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from verifyhub.common.contract import FormatError
from verifyhub.common.strict_json import StrictJSONError, loads
from verifyhub.ingest.formats.anthropic_messages import AnthropicMessages
from verifyhub.ingest.formats.atif import ATIF
from verifyhub.ingest.formats.base import (
    Note,
    Transcript,
    TranscriptDocument,
    TranscriptFormat,
)
from verifyhub.ingest.formats.claude_code import ClaudeCode
from verifyhub.ingest.formats.codex import Codex
from verifyhub.ingest.formats.copilot import Copilot
from verifyhub.ingest.formats.exports.span_export import ROW_READERS, SpanExport
from verifyhub.ingest.formats.interactions import MAX_TURNS
from verifyhub.ingest.formats.langchain import LangChain
from verifyhub.ingest.formats.openai_chat import OpenAIChat
from verifyhub.ingest.formats.openai_responses import OpenAIResponses
from verifyhub.ingest.formats.opencode import OpenCode
from verifyhub.ingest.formats.openhands import OpenHands
from verifyhub.ingest.formats.openhands_events import OpenHandsEvents
from verifyhub.ingest.formats.swe_agent import SWEAgent

# A new format is written as a module and added here.
FORMATS: tuple[TranscriptFormat, ...] = (
    OpenAIChat(),
    OpenAIResponses(),
    AnthropicMessages(),
    ClaudeCode(),
    Codex(),
    Copilot(),
    SWEAgent(),
    OpenHands(),
    OpenHandsEvents(),
    OpenCode(),
    ATIF(),
    LangChain(),
    *(SpanExport(reader) for reader in ROW_READERS),
)
AUTO = "auto"
# Below this, a document has only some words in common with a format.
SURE_ENOUGH = 0.5
MAX_BYTES = 256 * 1024 * 1024
# A value takes some hundred bytes; the largest known transcript has 10,000 values.
MAX_NODES = 2_000_000
UNREADABLE = "line that is not JSON"


def format_names() -> tuple[str, ...]:
    """Return the names of all formats of transcripts."""
    return tuple(reader.name for reader in FORMATS)


def read_transcript(
    data: bytes,
    *,
    format: str = AUTO,  # noqa: A002
    max_bytes: int = MAX_BYTES,
) -> Transcript:
    """Read a transcript, or a file of several of one format.

    Args:
        data: The file: a JSON document, or JSON Lines.
        format: The name of its format, or `auto` to detect it from the content.
        max_bytes: The maximum length.

    Raises:
        FormatError: If it is too long or not JSON, if its format is unknown or
            ambiguous, or if nothing of it can be read. Errors in parts are noted.
    """
    return read_document(parse_document(data, max_bytes=max_bytes), format=format)


def read_document(
    document: TranscriptDocument,
    *,
    format: str = AUTO,  # noqa: A002
) -> Transcript:
    """Read a parsed transcript, as `read_transcript` does.

    Raises:
        FormatError: As `read_transcript`.
    """
    reader = detect(document) if format == AUTO else _named(format)
    transcript = _read(reader, document)
    broken = [
        Note(kind=UNREADABLE, count=len(document.broken), first=": ".join(first))
        for first in document.broken[:1]
    ]
    return replace(transcript, notes=(*broken, *transcript.notes))


def detect(document: TranscriptDocument) -> TranscriptFormat:
    """Return the format that a document is of.

    Raises:
        FormatError: If it is of none, or of two with the same confidence.
    """
    scored = sorted(
        ((_confidence(reader, document), reader.name, reader) for reader in FORMATS),
        key=lambda reader: reader[:2],
        reverse=True,
    )
    best, second = scored[0], scored[1]
    if best[0] < SURE_ENOUGH:
        names = ", ".join(format_names())
        hint = closest_format(document.value)
        message = f"is of no known format; known are native, {names}. {hint}"
        raise FormatError("", message.rstrip())
    if best[0] == second[0]:
        raise FormatError(
            "", f"may be {second[1]} as well as {best[1]}: say which with the format."
        )
    return best[2]


def is_transcript(document: TranscriptDocument) -> bool:
    """Return whether any format may have written a document."""
    return any(_confidence(f, document) >= SURE_ENOUGH for f in FORMATS)


def parse_document(data: bytes, *, max_bytes: int = MAX_BYTES) -> TranscriptDocument:
    """Parse a file: as one JSON value if it is one, else line by line.

    Raises:
        FormatError: If it is too large, empty, or no line of it is JSON.
    """
    if len(data) > max_bytes:
        raise FormatError("", f"has more than {max_bytes} bytes.")
    if not data.strip():
        raise FormatError("", "is empty.")
    numbered = enumerate(data.split(b"\n"), start=1)
    lines = [(number, line) for number, line in numbered if line.strip()]
    problem = StrictJSONError("No line is JSON.")
    # In JSON Lines, each of the first two lines is an object by itself.
    if len(lines) < 2 or not all(_is_object(line) for _, line in lines[:2]):
        try:
            return TranscriptDocument(value=_loads(data))
        except StrictJSONError as error:
            problem = error
    document = _parse_lines(lines)
    if not any(isinstance(value, dict) for value in document.value):
        raise FormatError(problem.place, problem.message)
    return document


def _confidence(reader: TranscriptFormat, document: TranscriptDocument) -> float:
    """Return the confidence that a document, or the first one in it, has a format."""
    confidence = reader.recognises(document)
    if confidence >= SURE_ENOUGH or not isinstance(document.value, list):
        return confidence
    first = next((v for v in document.value if isinstance(v, dict)), None)
    return (
        confidence
        if first is None
        else reader.recognises(TranscriptDocument(value=first))
    )


def _read(reader: TranscriptFormat, document: TranscriptDocument) -> Transcript:
    is_many = (
        isinstance(document.value, list)
        and reader.recognises(document) < SURE_ENOUGH
        and _confidence(reader, document) >= SURE_ENOUGH
    )
    if not is_many:
        transcript = reader.read(document)
        return replace(transcript, may_go_on=transcript.may_go_on and document.is_lines)
    return _joined(reader, document)


def _joined(reader: TranscriptFormat, document: TranscriptDocument) -> Transcript:
    """Read a file of several transcripts; an error in one of them is noted."""
    read: list[tuple[str, Transcript]] = []
    turns = 0
    for place, value in document.items():
        try:
            transcript = reader.read(TranscriptDocument(value=value))
        except FormatError as error:
            note = Note(kind=f"unreadable: {error.message}", count=1, first=error.field)
            transcript = Transcript(format=reader.name, interactions=(), notes=(note,))
        read.append((place, transcript))
        turns += transcript.turns
        if turns > MAX_TURNS:
            raise FormatError(place, f"is past the {MAX_TURNS}th turn.")
    return Transcript(
        format=reader.name,
        interactions=tuple(
            i for _, transcript in read for i in transcript.interactions
        ),
        notes=_summed(read),
        turns=sum(transcript.turns for _, transcript in read),
        calls=sum(transcript.calls for _, transcript in read),
        outputs=sum(transcript.outputs for _, transcript in read),
    )


def _summed(read: list[tuple[str, Transcript]]) -> tuple[Note, ...]:
    notes: dict[str, Note] = {}
    for place, transcript in read:
        for note in transcript.notes:
            before = notes.get(note.kind)
            if before is None:
                first = f"{place}.{note.first}" if note.first else place
                notes[note.kind] = replace(note, first=first)
            else:
                notes[note.kind] = replace(before, count=before.count + note.count)
    return tuple(notes.values())


def _named(name: str) -> TranscriptFormat:
    for reader in FORMATS:
        if reader.name == name:
            return reader
    raise FormatError("format", f"must be one of {', '.join(format_names())}.")


def _loads(data: bytes) -> Any:
    return loads(data, max_bytes=len(data), max_nodes=MAX_NODES, mends_texts=True)


def _parse_lines(lines: list[tuple[int, bytes]]) -> TranscriptDocument:
    places, values, broken = [], [], []
    for number, line in lines:
        place = f"line {number}"
        try:
            values.append(_loads(line))
            places.append(place)
        except StrictJSONError as error:
            where = error.path or (f"column {error.column}" if error.column else "")
            problem = f"{where}: {error.message}" if where else error.message
            broken.append((place, problem))
    return TranscriptDocument(value=values, places=tuple(places), broken=broken)


def _is_object(line: bytes) -> bool:
    if not line.lstrip().startswith(b"{"):
        return False
    try:
        return isinstance(_loads(line), dict)
    except StrictJSONError:
        return False


# Fields in documents of each format; `[]` stands for array entries, or lines.
_FIELDS = {
    "native": ("task", "answer", "tool_calls"),
    "openai_chat": ("messages[].role", "messages[].content"),
    "openai_responses": ("output[].type", "object"),
    "anthropic_messages": ("messages[].role", "messages[].content[].type"),
    "claude_code": ("[].type", "[].message", "[].sessionId"),
    "codex": ("[].type", "[].payload"),
    "copilot": ("[].type", "[].data"),
    "swe_agent": ("trajectory[].action", "trajectory[].observation", "history[].role"),
    "openhands": ("history[].action", "history[].observation", "history[].source"),
    "openhands_events": ("events[].kind", "events[].source"),
    "opencode": ("messages[].info", "messages[].parts"),
    "atif": ("schema_version", "steps[].step_id", "steps[].source"),
    "langchain": ("messages[].type", "messages[].content"),
}
_SAMPLE = 20
_DEPTH = 3
_MOST_SHOWN = 60


def closest_format(value: Any) -> str:
    """Return a sentence on the format with most fields in a document, or ""."""
    paths = set(_paths(value, "", _DEPTH))
    shares = {name: _share(fields, paths) for name, fields in _FIELDS.items()}
    name = max(shares, key=lambda format_name: shares[format_name])
    if not shares[name]:
        if isinstance(value, dict) and value:
            keys = ", ".join(str(key)[:_MOST_SHOWN] for key in list(value)[:5])
            return f"It is an object with {keys}."
        return ""
    has = [field for field in _FIELDS[name] if field in paths]
    lacks = [field for field in _FIELDS[name] if field not in paths]
    sentence = f"Closest is {name}: it has {', '.join(has or _begun(name, paths))}"
    if not lacks:
        return f"{sentence}, with other values."
    return f"{sentence} but no {', '.join(lacks)}."


def _share(fields: tuple[str, ...], paths: set[str]) -> float:
    """Return the share of present fields; one missing in an array counts 0.25."""
    present = sum(1.0 for field in fields if field in paths)
    begun = sum(
        0.25 for field in fields if field not in paths and field.split("[]")[0] in paths
    )
    return (present + begun) / len(fields)


def _begun(name: str, paths: set[str]) -> list[str]:
    heads = dict.fromkeys(field.split("[]")[0] for field in _FIELDS[name])
    return [head for head in heads if head and head in paths]


def _paths(value: Any, place: str, depth: int) -> Iterator[str]:
    """Yield the paths of fields, for the first entries of each array."""
    if isinstance(value, dict) and depth:
        for key, inner in list(value.items())[: 5 * _SAMPLE]:
            path = f"{place}.{key}" if place else key
            yield path
            yield from _paths(inner, path, depth - 1)
    elif isinstance(value, list):
        for inner in value[:_SAMPLE]:
            yield from _paths(inner, f"{place}[]", depth)
