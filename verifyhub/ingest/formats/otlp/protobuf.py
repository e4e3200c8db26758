"""Spans from an ExportTraceServiceRequest in protobuf.

Source: opentelemetry-proto 1.x, collector/trace/v1/trace_service.proto.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from google.protobuf.message import DecodeError
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
from verifyhub.ingest.formats.otlp.span import (
    KINDS,
    STATUSES,
    Span,
    SpanEvent,
    SpanRefusedError,
)
from verifyhub.ingest.formats.otlp.values import (
    storable,
    storable_bytes,
    storable_number,
)

Placed = tuple[
    trace_pb2.ResourceSpans,
    trace_pb2.ScopeSpans,
    trace_pb2.Span,
]


def read_protobuf(data: bytes) -> SpanBatch:
    """Read the spans of a request; unknown fields are ignored.

    Raises:
        OtlpError: If the bytes are no such message, or hold too many spans.
    """
    request = ExportTraceServiceRequest()
    try:
        request.ParseFromString(data)
    except DecodeError:
        raise OtlpError("The body is not an ExportTraceServiceRequest.") from None
    return batch_of(_placed(request), _span)


def read_protobuf_logs(data: bytes) -> SpanBatch:
    """Read the log records of a request as spans (`logs.record_span`).

    Raises:
        OtlpError: If the bytes are no such message, or hold too many records.
    """
    request = ExportLogsServiceRequest()
    try:
        request.ParseFromString(data)
    except DecodeError:
        raise OtlpError("The body is not an ExportLogsServiceRequest.") from None
    placed = (
        (resource, scope, record)
        for resource in request.resource_logs
        for scope in resource.scope_logs
        for record in scope.log_records
    )
    return batch_of(placed, _record)


def _record(
    placed: tuple[logs_pb2.ResourceLogs, logs_pb2.ScopeLogs, logs_pb2.LogRecord],
) -> Span:
    resource, scope, record = placed
    entries = Entries()
    return record_span(
        trace_id=record.trace_id.hex(),
        span_id=record.span_id.hex(),
        name=storable(record.event_name),
        time_ns=limits.moment(record.time_unix_nano or record.observed_time_unix_nano),
        attributes=_attributes(record.attributes, entries),
        body=_value(record.body, entries, limits.MAX_DEPTH),
        resource=_attributes(resource.resource.attributes, entries),
        scope=storable(scope.scope.name),
    )


def _placed(request: ExportTraceServiceRequest) -> Iterator[Placed]:
    for resource in request.resource_spans:
        for scope in resource.scope_spans:
            for span in scope.spans:
                yield resource, scope, span


def _span(placed: Placed) -> Span:
    resource, scope, span = placed
    entries = Entries()
    return Span(
        trace_id=limits.checked_id(
            span.trace_id.hex(), limits.TRACE_ID_DIGITS, "trace id"
        ),
        span_id=limits.checked_id(span.span_id.hex(), limits.SPAN_ID_DIGITS, "span id"),
        parent_id=limits.parent_of(span.parent_span_id.hex()),
        name=storable(span.name),
        kind=_word(KINDS, span.kind),
        start_ns=limits.moment(span.start_time_unix_nano),
        end_ns=limits.moment(span.end_time_unix_nano),
        status=_word(STATUSES, span.status.code),
        status_message=storable(span.status.message),
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
            {"trace_id": link.trace_id.hex(), "span_id": link.span_id.hex()}
            for link in entries.each(span.links)
        ),
        resource=_attributes(resource.resource.attributes, entries),
        scope=storable(scope.scope.name),
        scope_version=storable(scope.scope.version),
        scope_attributes=_attributes(scope.scope.attributes, entries),
        schema_url=storable(scope.schema_url or resource.schema_url),
    )


def _word(words: tuple[str, ...], number: int) -> str:
    return words[number] if 0 <= number < len(words) else words[0]


def _attributes(pairs: Iterable[KeyValue], entries: Entries) -> dict[str, Any]:
    return {
        storable(pair.key): _value(pair.value, entries, limits.MAX_DEPTH)
        for pair in entries.each(pairs)
    }


def _value(value: AnyValue, entries: Entries, depth: int) -> Any:
    if depth == 0:
        raise SpanRefusedError("An attribute is nested too deep.")
    kind = value.WhichOneof("value")
    if kind == "string_value":
        return storable(value.string_value)
    if kind == "double_value":
        return storable_number(value.double_value)
    if kind == "bytes_value":
        return storable_bytes(value.bytes_value)
    if kind == "array_value":
        return [
            _value(item, entries, depth - 1)
            for item in entries.each(value.array_value.values)
        ]
    if kind == "kvlist_value":
        return {
            storable(pair.key): _value(pair.value, entries, depth - 1)
            for pair in entries.each(value.kvlist_value.values)
        }
    return getattr(value, kind) if kind in {"bool_value", "int_value"} else None
