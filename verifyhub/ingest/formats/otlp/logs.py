"""GenAI events that instrumentors write as log records of a span.

Source: OTLP 1.x, logs.proto; semantic-conventions v1.28 to v1.36, gen-ai-events.md. A
record is stored as a child span of its span, so that it may arrive before it, after it
or twice. When the trace is read, the record is an event of its span.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Any

from verifyhub.ingest.formats.otlp import limits
from verifyhub.ingest.formats.otlp.span import Span, SpanEvent, SpanRefusedError

RECORD = "otel.log.record"
EVENT_NAME = "event.name"
GENAI = "gen_ai."
BODY = "body"
NOT_KEPT = "Of log records only GenAI events of a span are kept."


def record_span(
    *,
    trace_id: str,
    span_id: str,
    name: str,
    time_ns: int,
    attributes: Mapping[str, Any],
    body: Any,
    resource: Mapping[str, Any],
    scope: str,
) -> Span:
    """Return a log record as a child of its span.

    Raises:
        SpanRefusedError: If it is not a GenAI event, or belongs to no span.
    """
    called = name or str(attributes.get(EVENT_NAME) or "")
    if not called.startswith(GENAI) or not span_id.strip("0"):
        raise SpanRefusedError(NOT_KEPT)
    trace = limits.checked_id(trace_id, limits.TRACE_ID_DIGITS, "trace id")
    parent = limits.checked_id(span_id, limits.SPAN_ID_DIGITS, "span id")
    event_attributes = dict(attributes) | ({BODY: body} if body is not None else {})
    content = json.dumps(
        [trace, parent, called, time_ns, event_attributes], sort_keys=True
    )
    return Span(
        trace_id=trace,
        span_id=hashlib.sha256(content.encode()).hexdigest()[: limits.SPAN_ID_DIGITS],
        parent_id=parent,
        name=called,
        start_ns=time_ns,
        end_ns=max(1, time_ns),
        attributes={RECORD: called},
        events=(SpanEvent(name=called, time_ns=time_ns, attributes=event_attributes),),
        resource=resource,
        scope=scope,
    )


def folded(spans: Iterable[Span]) -> list[Span]:
    """Add log records to their spans, as events.

    A record whose span is missing stays a span.
    """
    records: dict[str, list[Span]] = defaultdict(list)
    plain: list[Span] = []
    complete: list[Span] = []
    for span in spans:
        if RECORD in span.attributes:
            records[span.parent_id].append(span)
        else:
            plain.append(span)
    for span in plain:
        logged = sorted(records.pop(span.span_id, []), key=attrgetter("order"))
        if logged:
            events = [event for record in logged for event in record.events]
            span = replace(span, events=(*span.events, *events))
        complete.append(span)
    return complete + [record for orphans in records.values() for record in orphans]
