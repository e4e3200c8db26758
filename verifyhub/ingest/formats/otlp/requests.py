"""Read the spans and log records of OTLP requests.

Both encodings are read as the messages of protobuf: `otlp_json` gives objects of
OTLP/JSON the same attributes.

Source: opentelemetry-proto 1.x, collector/trace/v1 and collector/logs/v1.
"""

import base64
import math
from collections.abc import Iterable
from enum import StrEnum
from typing import Any, cast

from google.protobuf.message import DecodeError, Message
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import (
    ExportLogsServiceRequest,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
)
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.logs.v1 import logs_pb2
from opentelemetry.proto.trace.v1 import trace_pb2

from verifyhub.ingest.formats.otlp import limits
from verifyhub.ingest.formats.otlp.limits import Entries, OtlpError, SpanBatch, batch_of
from verifyhub.ingest.formats.otlp.logs import record_span
from verifyhub.ingest.formats.otlp.otlp_json import VALUES, read_json
from verifyhub.ingest.formats.otlp.span import (
    KINDS,
    STATUSES,
    Span,
    SpanEvent,
    SpanRefusedError,
)


class Signal(StrEnum):
    """The OTLP signal of a request."""

    TRACES = "traces"
    LOGS = "logs"


REQUESTS: dict[Signal, type[Message]] = {
    Signal.TRACES: ExportTraceServiceRequest,
    Signal.LOGS: ExportLogsServiceRequest,
}

# Other kinds of values are only for profiles.
KINDS_READ = frozenset(VALUES.values())


def read_request(data: bytes, signal: Signal, *, is_json: bool) -> SpanBatch:
    """Read the spans of a request, or its log records as spans (`logs.record_span`).

    Raises:
        OtlpError: If the bytes are not such a request, or contain too many spans.
    """
    message = read_json(data) if is_json else _message(data, signal)
    if signal is Signal.TRACES:
        traces = cast(ExportTraceServiceRequest, message)
        spans = (
            (resource, scope, span)
            for resource in traces.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        )
        return batch_of(spans, _span)
    logs = cast(ExportLogsServiceRequest, message)
    records = (
        (resource, scope, record)
        for resource in logs.resource_logs
        for scope in resource.scope_logs
        for record in scope.log_records
    )
    return batch_of(records, _record)


def _message(data: bytes, signal: Signal) -> Any:
    message = REQUESTS[signal]()
    try:
        message.ParseFromString(data)
    except DecodeError:
        name = message.DESCRIPTOR.name
        raise OtlpError(f"The body is not an {name}.") from None
    return message


def _span(
    placed: tuple[trace_pb2.ResourceSpans, trace_pb2.ScopeSpans, trace_pb2.Span],
) -> Span:
    resource, scope, span = placed
    entries = Entries()
    status, inner = span.status, scope.scope
    return Span(
        trace_id=limits.checked_id(
            _hex(span.trace_id), limits.TRACE_ID_DIGITS, "trace id"
        ),
        span_id=limits.checked_id(_hex(span.span_id), limits.SPAN_ID_DIGITS, "span id"),
        parent_id=limits.parent_of(_hex(span.parent_span_id)),
        name=storable(span.name),
        kind=_word(KINDS, span.kind, "SPAN_KIND_"),
        start_ns=limits.moment(span.start_time_unix_nano),
        end_ns=limits.moment(span.end_time_unix_nano),
        status=_word(STATUSES, status.code, "STATUS_CODE_"),
        status_message=storable(status.message),
        attributes=_attributes(span.attributes, entries),
        events=tuple(
            SpanEvent(
                name=storable(event.name),
                time_ns=limits.moment(event.time_unix_nano),
                attributes=_attributes(event.attributes, entries),
            )
            for event in entries.each(span.events)
        ),
        links=tuple(
            {"trace_id": _hex(link.trace_id), "span_id": _hex(link.span_id)}
            for link in entries.each(span.links)
        ),
        resource=_attributes(resource.resource.attributes, entries),
        scope=storable(inner.name),
        scope_version=storable(inner.version),
        scope_attributes=_attributes(inner.attributes, entries),
        schema_url=storable(scope.schema_url or resource.schema_url),
    )


def _record(
    placed: tuple[logs_pb2.ResourceLogs, logs_pb2.ScopeLogs, logs_pb2.LogRecord],
) -> Span:
    resource, scope, record = placed
    entries = Entries()
    return record_span(
        trace_id=_hex(record.trace_id),
        span_id=_hex(record.span_id),
        name=storable(record.event_name),
        time_ns=limits.moment(record.time_unix_nano or record.observed_time_unix_nano),
        attributes=_attributes(record.attributes, entries),
        body=_value(record.body, entries, limits.MAX_DEPTH),
        resource=_attributes(resource.resource.attributes, entries),
        scope=storable(scope.scope.name),
    )


def _word(words: tuple[str, ...], value: int | str, prefix: str) -> str:
    """Return the word of an enumeration; JSON may contain its name."""
    if isinstance(value, str):
        name = value.removeprefix(prefix).lower()
        return name if name in words else words[0]
    number = value if isinstance(value, int) else 0
    return words[number] if 0 <= number < len(words) else words[0]


def _attributes(
    pairs: Iterable[KeyValue], entries: Entries, depth: int = limits.MAX_DEPTH
) -> dict[str, Any]:
    return {
        storable(pair.key): _value(pair.value, entries, depth)
        for pair in entries.each(pairs)
    }


def _value(value: AnyValue, entries: Entries, depth: int) -> Any:
    if depth == 0:
        raise SpanRefusedError("An attribute is nested too deep.")
    kind = value.WhichOneof("value")
    if kind == "array_value":
        items = entries.each(value.array_value.values)
        return [_value(item, entries, depth - 1) for item in items]
    if kind == "kvlist_value":
        return _attributes(value.kvlist_value.values, entries, depth - 1)
    plain = getattr(value, kind) if kind in KINDS_READ else None
    if isinstance(plain, str):
        return storable(plain)
    if isinstance(plain, bytes):
        # As OTLP/JSON writes them.
        return base64.b64encode(plain).decode()
    if isinstance(plain, float) and not math.isfinite(plain):
        # The word for a number that JSON does not have.
        return str(plain)
    return plain


def _hex(identity: bytes | str) -> str:
    """Return an id in hexadecimal, as OTLP/JSON writes it."""
    return storable(identity) if isinstance(identity, str) else identity.hex()


def storable(text: str) -> str:
    """Return text with NUL characters replaced, which the database cannot store."""
    return text.replace("\x00", "\ufffd")
