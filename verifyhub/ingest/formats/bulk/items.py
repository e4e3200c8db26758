"""The items of a line: interactions, spans of an export, or a refusal."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from verifyhub.common.contract import MAX_ID, FormatError, is_addressable
from verifyhub.common.strict_json import StrictJSONError, loads
from verifyhub.engine.types import Interaction
from verifyhub.ingest.formats.base import TranscriptDocument
from verifyhub.ingest.formats.bulk.source import MAX_LINE
from verifyhub.ingest.formats.bulk.streams import RawItem
from verifyhub.ingest.formats.exports.span_export import ROW_READERS, row_reader
from verifyhub.ingest.formats.native import as_native, looks_native, parse_interaction
from verifyhub.ingest.formats.otlp.span import Span
from verifyhub.ingest.formats.transcripts import (
    AUTO,
    MAX_NODES,
    format_names,
    read_document,
)

NATIVE = "native"


@dataclass(frozen=True, slots=True)
class LineRefusal:
    """A reason why part of a line cannot be stored.

    Attributes:
        field: The JSON path of the error.
        message: The error.
        is_json: Whether the line could be parsed.
        name: The id in the line; empty if none can be read.
    """

    field: str
    message: str
    is_json: bool = True
    name: str = ""


@dataclass(slots=True)
class BulkLine:
    """One line, read.

    `items` are its interactions, with refusals in the places of invalid ones. `spans`
    are those of an export's row.
    """

    number: int
    size: int = 0
    items: list[Interaction | LineRefusal] = field(default_factory=list)
    spans: Sequence[Span] = ()

    @property
    def interactions(self) -> list[Interaction]:
        """The interactions that can be stored."""
        return [item for item in self.items if isinstance(item, Interaction)]


def formats() -> tuple[str, ...]:
    """Return the valid values of a bulk's `format`."""
    return (AUTO, NATIVE, *format_names())


def read_line(raw: RawItem, *, format_name: str, owner: str) -> BulkLine:
    """Read one line; errors become refusals.

    Args:
        raw: The line of the stream.
        format_name: One of `formats`.
        owner: The id of the bulk. An interaction without an id gets one from the bulk
            and the line, so that a line that is sent again is the same interaction.
    """
    line = BulkLine(number=raw.number, size=raw.size)
    value: Any = None
    try:
        if raw.problem:
            raise FormatError("", raw.problem)
        value = raw.value
        if raw.data:
            value = loads(
                raw.data, max_bytes=MAX_LINE, max_nodes=MAX_NODES, mends_texts=True
            )
        _understand(line, value, format_name, owner)
    except StrictJSONError as error:
        line.items = [LineRefusal(error.place, error.message, is_json=False)]
    except FormatError as error:
        name = _name_in(value)
        line.items = [LineRefusal(error.field, error.message, name=name)]
    return line


def _name_in(value: Any) -> str:
    """Return the id in a value; empty if it has no valid id."""
    name = value.get("id") if isinstance(value, dict) else None
    is_one = isinstance(name, str) and len(name) <= MAX_ID and is_addressable(name)
    return str(name) if is_one else ""


def _understand(line: BulkLine, value: Any, format_name: str, owner: str) -> None:
    if format_name == NATIVE or (format_name == AUTO and looks_native(value)):
        run = parse_interaction(value)
        name = run.id or f"{owner[: MAX_ID - 20]}:{line.number}"
        line.items = [run if run.id else replace(run, id=name)]
        return
    if format_name == AUTO:
        reader = row_reader(value)
    else:
        reader = next((one for one in ROW_READERS if one.name == format_name), None)
    if reader is not None:
        if not isinstance(value, dict):
            raise FormatError("", "must be an object.")
        line.spans = reader.spans(value)
        return
    transcript = read_document(TranscriptDocument(value=value), format=format_name)
    line.items = [_within_limits(run) for run in transcript.interactions]
    if not line.items:
        raise FormatError("", "contains no answer.")


def _within_limits(run: Interaction) -> Interaction | LineRefusal:
    """Check a transcript's turn against the limits of VerifyHub's own format."""
    try:
        parse_interaction(as_native(run))
    except FormatError as error:
        return LineRefusal(error.field, error.message, name=_name_in({"id": run.id}))
    return run
