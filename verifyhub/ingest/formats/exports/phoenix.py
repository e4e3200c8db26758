"""Arize Phoenix: one span per row, as its client and data frames export them.

Sources: `phoenix.trace.trace_dataset` (columns `context.trace_id`, `attributes.…` of a
data frame, saved as Parquet or JSON Lines) and `GET /v1/projects/{id}/spans` (nested
`context` and `attributes`), Phoenix 20.
"""

from collections.abc import Mapping
from typing import Any

from verifyhub.common.contract import FormatError
from verifyhub.ingest.formats.exports.rows import (
    RowReader,
    flat,
    hex_id,
    nanoseconds,
    text_of,
)
from verifyhub.ingest.formats.otlp.keys import parsed
from verifyhub.ingest.formats.otlp.limits import SPAN_ID_DIGITS, TRACE_ID_DIGITS
from verifyhub.ingest.formats.otlp.span import Span, SpanEvent

ATTRIBUTES = "attributes."
KIND = "openinference.span.kind"
STATUSES = {"OK": "ok", "ERROR": "error"}
# Attributes with JSON in a string, which are not parsed.
TEXTS = ("input.value", "output.value")
COUNTS = ("llm.token_count.", "llm.cost.")


def recognises(row: Any) -> bool:
    """Return whether an object is a span of Phoenix."""
    if not isinstance(row, dict):
        return False
    context = row.get("context")
    if isinstance(context, dict):
        return {"trace_id", "span_id"} <= context.keys() and "span_kind" in row
    return "context.trace_id" in row or (
        "context.span_id" in row and any(key.startswith(ATTRIBUTES) for key in row)
    )


def spans(row: Mapping[str, Any]) -> list[Span]:
    """Read one row.

    Raises:
        FormatError: If it has no trace id or span id.
    """
    raw_context = row.get("context")
    context: Mapping[str, Any] = raw_context if isinstance(raw_context, dict) else {}
    trace = text_of(context, "trace_id") or text_of(row, "context.trace_id")
    span = text_of(context, "span_id") or text_of(row, "context.span_id")
    if not trace or not span:
        raise FormatError("context", "has no trace_id and span_id.")
    parent = text_of(row, "parent_id", "parent_span_id")
    attributes = _attributes(row)
    kind = text_of(row, "span_kind")
    if kind and kind != "UNKNOWN":
        attributes.setdefault(KIND, kind)
    started = nanoseconds(row.get("start_time"))
    return [
        Span(
            trace_id=hex_id(trace, TRACE_ID_DIGITS),
            span_id=hex_id(span, SPAN_ID_DIGITS),
            parent_id=hex_id(parent, SPAN_ID_DIGITS) if parent else "",
            name=text_of(row, "name"),
            start_ns=started,
            # Exported spans have ended; a span without an end would not be read.
            end_ns=nanoseconds(row.get("end_time")) or max(started, 1),
            status=STATUSES.get(text_of(row, "status_code"), "unset"),
            status_message=text_of(row, "status_message"),
            attributes=attributes,
            events=_events(row.get("events")),
            scope="phoenix export",
        )
    ]


def _attributes(row: Mapping[str, Any]) -> dict[str, Any]:
    attributes: dict[str, Any] = {}
    nested = parsed(row.get("attributes"))
    if isinstance(nested, dict):
        attributes |= flat(nested)
    for key, value in row.items():
        if key.startswith(ATTRIBUTES) and value is not None:
            name = key.removeprefix(ATTRIBUTES)
            decoded = value if name in TEXTS else parsed(value)
            attributes |= flat(
                {name: _number(decoded) if name.startswith(COUNTS) else decoded}
            )
    return attributes


def _number(value: Any) -> Any:
    """Return the number in a string, since cells of CSV files are strings."""
    try:
        number = float(value) if isinstance(value, str) else value
    except ValueError:
        return value
    is_whole = isinstance(number, float) and number.is_integer()
    return int(number) if is_whole else number


def _events(events: Any) -> tuple[SpanEvent, ...]:
    items = parsed(events)
    if not isinstance(items, list):
        return ()
    return tuple(
        SpanEvent(
            name=text_of(event, "name"),
            time_ns=nanoseconds(event.get("timestamp")),
            attributes=flat(event.get("attributes")),
        )
        for event in items
        if isinstance(event, dict)
    )


PHOENIX = RowReader(
    "phoenix", "Arize Phoenix: exported spans, a row each", recognises, spans
)
