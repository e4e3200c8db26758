"""Spans from an ExportTraceServiceRequest in OTLP/JSON.

Source: OTLP specification 1.x, "JSON Protobuf Encoding": ids are hexadecimal, 64-bit
numbers may be strings, enumerations are numbers, unknown fields are ignored.
"""

import re
from collections.abc import Iterator
from typing import Any

from verifyhub.common.strict_json import StrictJSONError, loads
from verifyhub.ingest.formats.otlp import limits
from verifyhub.ingest.formats.otlp.limits import Entries, OtlpError, SpanBatch, batch_of
from verifyhub.ingest.formats.otlp.logs import record_span
from verifyhub.ingest.formats.otlp.span import (
    KINDS,
    STATUSES,
    Span,
    SpanEvent,
    SpanRefusedError,
)
from verifyhub.ingest.formats.otlp.values import storable, storable_number

# An attribute is four values: a pair, its key, its value, the value's value.
MAX_NODES = 2_000_000
MAX_DIGITS = 20
# A pair of surrogates, one alone, NUL, or any other escape: always consumes.
_ESCAPE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2}))|\\.",
    re.DOTALL,
)

Placed = tuple[dict[str, Any], dict[str, Any], Any]


def read_json(data: bytes) -> SpanBatch:
    """Read the spans of a request.

    What text of a span cannot be stored becomes a replacement mark: an exporter would
    drop a refused batch with all that is good in it.

    Raises:
        OtlpError: If the bytes are no JSON of this form, or hold too many spans.
    """
    return batch_of(_placed(_document(data)), _span)


def read_json_logs(data: bytes) -> SpanBatch:
    """Read the log records of a request as spans (`logs.record_span`).

    Raises:
        OtlpError: As `read_json`.
    """
    document = _document(data)
    placed = (
        (resource, scope, record)
        for resource in _objects(document, "resourceLogs")
        for scope in _objects(resource, "scopeLogs")
        for record in _items(scope, "logRecords")
    )
    return batch_of(placed, _record)


def _document(data: bytes) -> dict[str, Any]:
    try:
        document = loads(
            _ESCAPE.sub(_mended, data), max_bytes=2 * len(data), max_nodes=MAX_NODES
        )
    except StrictJSONError as error:
        raise OtlpError(f"The body is invalid: {error}") from None
    if not isinstance(document, dict):
        raise OtlpError("The body is not an object.")
    return document


def _mended(escape: re.Match[bytes]) -> bytes:
    return rb"\ufffd" if escape.group(1) else escape.group()


def _placed(document: dict[str, Any]) -> Iterator[Placed]:
    for resource in _objects(document, "resourceSpans"):
        for scope in _objects(resource, "scopeSpans"):
            for span in _items(scope, "spans"):
                yield resource, scope, span


def _items(data: dict[str, Any], key: str) -> list[Any]:
    value = data.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise OtlpError(f"{key} must be an array.")
    return value


def _objects(data: dict[str, Any], key: str) -> list[dict[str, Any]]:
    items = _items(data, key)
    if not all(isinstance(item, dict) for item in items):
        raise OtlpError(f"{key} must contain objects.")
    return items


def _span(placed: Placed) -> Span:
    resource, scope, span = placed
    if not isinstance(span, dict):
        raise SpanRefusedError("A span is not an object.")
    entries = Entries()
    status, inner = _object(span, "status"), _object(scope, "scope")
    return Span(
        trace_id=limits.checked_id(
            _text(span, "traceId"), limits.TRACE_ID_DIGITS, "trace id"
        ),
        span_id=limits.checked_id(
            _text(span, "spanId"), limits.SPAN_ID_DIGITS, "span id"
        ),
        parent_id=limits.parent_of(_text(span, "parentSpanId")),
        name=_text(span, "name"),
        kind=_word(KINDS, span.get("kind"), "SPAN_KIND_"),
        start_ns=limits.moment(_integer(span.get("startTimeUnixNano"))),
        end_ns=limits.moment(_integer(span.get("endTimeUnixNano"))),
        status=_word(STATUSES, status.get("code"), "STATUS_CODE_"),
        status_message=_text(status, "message"),
        attributes=_attributes(span, entries),
        events=tuple(_event(event, entries) for event in _members(span, "events")),
        links=tuple(
            {"trace_id": _text(link, "traceId"), "span_id": _text(link, "spanId")}
            for link in entries.each(_members(span, "links"))
        ),
        resource=_attributes(_object(resource, "resource"), entries),
        scope=_text(inner, "name"),
        scope_version=_text(inner, "version"),
        scope_attributes=_attributes(inner, entries),
        schema_url=_text(scope, "schemaUrl") or _text(resource, "schemaUrl"),
    )


def _record(placed: Placed) -> Span:
    resource, scope, record = placed
    if not isinstance(record, dict):
        raise SpanRefusedError("A log record is not an object.")
    entries = Entries()
    time = record.get("timeUnixNano") or record.get("observedTimeUnixNano")
    return record_span(
        trace_id=_text(record, "traceId"),
        span_id=_text(record, "spanId"),
        name=_text(record, "eventName"),
        time_ns=limits.moment(_integer(time)),
        attributes=_attributes(record, entries),
        body=_value(record.get("body"), entries, limits.MAX_DEPTH),
        resource=_attributes(_object(resource, "resource"), entries),
        scope=_text(_object(scope, "scope"), "name"),
    )


def _event(event: dict[str, Any], entries: Entries) -> SpanEvent:
    return SpanEvent(
        name=_text(event, "name"),
        time_ns=limits.moment(_integer(event.get("timeUnixNano"))),
        attributes=_attributes(event, entries),
    )


def _object(data: dict[str, Any], key: str) -> dict[str, Any]:
    value = data.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise SpanRefusedError(f"{key} is not an object.")
    return value


def _members(data: dict[str, Any], key: str) -> list[dict[str, Any]]:
    value = data.get(key)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(v, dict) for v in value):
        raise SpanRefusedError(f"{key} is not an array of objects.")
    return value


def _text(data: dict[str, Any], key: str) -> str:
    value = data.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise SpanRefusedError(f"{key} is not a string.")
    return storable(value)


def _integer(value: Any) -> int:
    if value is None:
        return 0
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and len(value) <= MAX_DIGITS:
        try:
            return int(value)
        except ValueError:
            pass
    raise SpanRefusedError("A number of a span is not a whole number.")


def _word(words: tuple[str, ...], value: Any, prefix: str) -> str:
    if isinstance(value, str):
        name = value.removeprefix(prefix).lower()
        return name if name in words else words[0]
    number = value if isinstance(value, int) else 0
    return words[number] if 0 <= number < len(words) else words[0]


def _attributes(data: dict[str, Any], entries: Entries) -> dict[str, Any]:
    return _pairs(data, "attributes", entries, limits.MAX_DEPTH)


def _pairs(
    data: dict[str, Any], key: str, entries: Entries, depth: int
) -> dict[str, Any]:
    return {
        _text(pair, "key"): _value(pair.get("value"), entries, depth)
        for pair in entries.each(_members(data, key))
    }


def _value(value: Any, entries: Entries, depth: int) -> Any:
    if depth == 0:
        raise SpanRefusedError("An attribute is nested too deep.")
    if not isinstance(value, dict):
        return None
    if "stringValue" in value:
        return _text(value, "stringValue")
    if "boolValue" in value:
        return value["boolValue"] is True
    if "intValue" in value:
        return _integer(value["intValue"])
    if "doubleValue" in value:
        return _double(value["doubleValue"])
    if "bytesValue" in value:
        return _text(value, "bytesValue")
    if "arrayValue" in value:
        items = _members(_object(value, "arrayValue"), "values")
        return [_value(item, entries, depth - 1) for item in entries.each(items)]
    if "kvlistValue" in value:
        return _pairs(_object(value, "kvlistValue"), "values", entries, depth - 1)
    return None


def _double(value: Any) -> float | str:
    if isinstance(value, str) and value in {"NaN", "Infinity", "-Infinity"}:
        return storable_number(float(value))
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise SpanRefusedError("A number of a span is not a number.")
    return storable_number(float(value))
