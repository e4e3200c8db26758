"""Evaluations as OTLP in protobuf: log records, or spans where only these are taken.

Source: opentelemetry-proto 1.x. A test's event has no evaluation: it is sent as an
empty request, which every collector answers.
"""

import hashlib
from collections.abc import Mapping

from google.protobuf.message import DecodeError
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import (
    ExportLogsServiceRequest,
    ExportLogsServiceResponse,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.common.v1.common_pb2 import (
    AnyValue,
    InstrumentationScope,
    KeyValue,
)
from opentelemetry.proto.logs.v1.logs_pb2 import (
    SEVERITY_NUMBER_INFO,
    LogRecord,
    ResourceLogs,
    ScopeLogs,
)
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Span

from verifyhub import __version__
from verifyhub.events.formats.evaluations import (
    EVENT_NAME,
    Evaluation,
    attributes_of,
    evaluations_of,
)
from verifyhub.events.formats.message import Message, Outgoing

SCHEMA_URL = "https://opentelemetry.io/schemas/gen-ai-dev/1.42.0-dev"
NANOSECONDS = 1_000_000_000


def as_logs(message: Message, *, url: str, headers: Mapping[str, str]) -> Outgoing:
    """Return an OTLP request with an event's evaluations as log records."""
    scope = ScopeLogs(scope=_scope(), schema_url=SCHEMA_URL)
    scope.log_records.extend(
        _record(evaluation, message) for evaluation in evaluations_of(message)
    )
    request = ExportLogsServiceRequest()
    if scope.log_records:
        request.resource_logs.append(
            ResourceLogs(resource=_resource(), scope_logs=[scope])
        )
    return _outgoing(url, headers, request.SerializeToString())


def as_spans(message: Message, *, url: str, headers: Mapping[str, str]) -> Outgoing:
    """Return an OTLP request with an event's evaluations as spans."""
    scope = ScopeSpans(scope=_scope(), schema_url=SCHEMA_URL)
    scope.spans.extend(
        _span(evaluation, message) for evaluation in evaluations_of(message)
    )
    request = ExportTraceServiceRequest()
    if scope.spans:
        request.resource_spans.append(
            ResourceSpans(resource=_resource(), scope_spans=[scope])
        )
    return _outgoing(url, headers, request.SerializeToString())


def refusal_of_logs(body: bytes) -> str:
    """Return why a collector that answered 200 took nothing; empty if it took it."""
    reply = ExportLogsServiceResponse()
    try:
        reply.ParseFromString(body)
    except DecodeError:
        # Some answer with JSON, or an empty object: the status is their word.
        return ""
    partial = reply.partial_success
    return _refusal(partial.rejected_log_records, partial.error_message)


def refusal_of_spans(body: bytes) -> str:
    """Return why a collector that answered 200 took nothing; empty if it took it."""
    reply = ExportTraceServiceResponse()
    try:
        reply.ParseFromString(body)
    except DecodeError:
        return ""
    partial = reply.partial_success
    return _refusal(partial.rejected_spans, partial.error_message)


def _refusal(count: int, message: str) -> str:
    return f"The collector refused {count}: {message}" if count > 0 else ""


def _record(evaluation: Evaluation, message: Message) -> LogRecord:
    """Return a record that the judged span is the parent of, where it is known."""
    at = _nanoseconds(message)
    return LogRecord(
        time_unix_nano=at,
        observed_time_unix_nano=at,
        severity_number=SEVERITY_NUMBER_INFO,
        event_name=EVENT_NAME,
        attributes=_pairs(attributes_of(evaluation, message)),
        trace_id=bytes.fromhex(message.subject.get("trace", "")),
        span_id=bytes.fromhex(message.subject.get("span", "")),
    )


def _span(evaluation: Evaluation, message: Message) -> Span:
    """Return a span below the judged one, with the event of the conventions.

    Its ids follow from the event, so a repetition is the same span; the link is what
    OpenInference asks of a judgement that comes afterwards.
    """
    at, attributes = _nanoseconds(message), _pairs(attributes_of(evaluation, message))
    digest = hashlib.sha256(f"{message.id}:{evaluation.name}".encode()).digest()
    trace = bytes.fromhex(message.subject.get("trace", ""))
    judged = bytes.fromhex(message.subject.get("span", ""))
    kind = KeyValue(
        key="openinference.span.kind", value=AnyValue(string_value="EVALUATOR")
    )
    span = Span(
        trace_id=trace or digest[8:24],
        span_id=digest[:8],
        parent_span_id=judged,
        name=f"evaluate {evaluation.name}",
        kind=Span.SPAN_KIND_INTERNAL,
        start_time_unix_nano=at,
        end_time_unix_nano=at,
        attributes=[kind, *attributes],
        events=[Span.Event(time_unix_nano=at, name=EVENT_NAME, attributes=attributes)],
    )
    if judged:
        span.links.append(Span.Link(trace_id=trace, span_id=judged))
    return span


def _nanoseconds(message: Message) -> int:
    return int(message.occurred_at.timestamp() * 1_000_000) * (NANOSECONDS // 1_000_000)


def _pairs(attributes: Mapping[str, str | float]) -> list[KeyValue]:
    return [KeyValue(key=key, value=_value(value)) for key, value in attributes.items()]


def _value(value: str | float) -> AnyValue:
    if isinstance(value, str):
        return AnyValue(string_value=value)
    return AnyValue(double_value=float(value))


def _resource() -> Resource:
    return Resource(
        attributes=_pairs({"service.name": "verifyhub", "service.version": __version__})
    )


def _scope() -> InstrumentationScope:
    return InstrumentationScope(name="verifyhub", version=__version__)


def _outgoing(url: str, headers: Mapping[str, str], body: bytes) -> Outgoing:
    own = {
        "Content-Type": "application/x-protobuf",
        "User-Agent": f"VerifyHub/{__version__}",
    }
    return Outgoing(url=url, body=body, headers={**headers, **own})
