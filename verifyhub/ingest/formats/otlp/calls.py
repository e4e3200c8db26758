"""Read the tool calls of a run from tool spans and from models' messages."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from verifyhub.common.contract import MAX_ID
from verifyhub.common.moments import timestamp_text
from verifyhub.engine.types import (
    MAX_DURATION_MS,
    MAX_NAME,
    MAX_TOOL_CALLS,
    CallStatus,
    ToolCall,
)
from verifyhub.ingest.formats.content import as_input, as_json, as_output, ended
from verifyhub.ingest.formats.otlp.keys import parsed
from verifyhub.ingest.formats.otlp.reading import (
    RequestedCall,
    SpanStep,
)
from verifyhub.ingest.formats.otlp.span import Span
from verifyhub.ingest.formats.otlp.tree import SpanNode

UNKNOWN = "unknown"
SECOND, MILLISECOND = 10**9, 10**6


@dataclass(slots=True, kw_only=True)
class PendingCall:
    """A call that is being assembled."""

    tool: str
    at: int
    input: Any = None
    output: Any = None
    id: str = ""
    failed: bool | None = None
    span: Span | None = None


def calls_of(nodes: Iterable[SpanNode]) -> tuple[ToolCall, ...]:
    """Return the calls of a run in the order of their times.

    Messages of models complete what the span of a tool lacks. A span and a message are
    about the same call if they have its id, or else if tool and input are equal.

    Args:
        nodes: All spans of the run.
    """
    run = sorted(nodes, key=lambda node: node.span.order)
    book = _Book()
    for node in run:
        if node.step is SpanStep.TOOL:
            book.take_span(node)
    for node in run:
        if node.reading.input_messages or node.reading.output_messages:
            book.take_messages(node)
    ordered = sorted(book.calls, key=lambda call: call.at)[:MAX_TOOL_CALLS]
    return tuple(_frozen(index, call) for index, call in enumerate(ordered))


class _Book:
    def __init__(self) -> None:
        self.calls: list[PendingCall] = []
        self._by_id: dict[str, PendingCall] = {}
        self._by_place: dict[tuple[str, str, int], PendingCall] = {}
        self._of_node: dict[int, PendingCall] = {}
        # Calls that only a span mentions, until a message contains their id.
        self._nameless: dict[str, list[PendingCall]] = {}

    def take_span(self, node: SpanNode) -> None:
        reading, span = node.reading, node.span
        call = self._same_call_above(node) or self._by_id.get(reading.call_id)
        if call is None:
            call = PendingCall(
                tool=reading.tool or span.name, at=span.start_ns, span=span
            )
            self._add(call, reading.call_id)
            if not reading.call_id:
                self._nameless.setdefault(call.tool, []).append(call)
        self._of_node[id(node)] = call
        _complete(call, input=reading.input, output=reading.output)
        if reading.failed is not None:
            call.failed = reading.failed

    def _same_call_above(self, node: SpanNode) -> PendingCall | None:
        """Return the call of the parent span (a client) if it has the same tool."""
        above = node.parent
        if above is None or above.step is not SpanStep.TOOL:
            return None
        call = self._of_node.get(id(above))
        same = call is not None and call.tool == node.reading.tool
        own = node.reading.call_id
        return call if call and same and own in {"", call.id} else None

    def take_messages(self, node: SpanNode) -> None:
        """Read a conversation; the next one repeats it from its start."""
        counts: Counter[tuple[str, str]] = Counter()
        turns: Counter[str] = Counter()
        after = node.span.end_ns or node.span.start_ns
        messages = [(m, node.span.start_ns) for m in node.reading.input_messages]
        messages += [(m, after) for m in node.reading.output_messages]
        order: dict[str, list[PendingCall]] = {}
        for message, at in messages:
            for request in message.calls:
                key = request.tool, as_json(parsed(request.input))
                counts[key] += 1
                call = self._called(request, at, (*key, counts[key]))
                order.setdefault(request.tool, []).append(call)
            for result in message.results:
                turn = turns[result.tool]
                turns[result.tool] += 1
                in_turn = order.get(result.tool, [])[turn : turn + 1]
                pending = self._by_id.get(result.id) if result.id else None
                if pending is None and not result.id and in_turn:
                    pending = in_turn[0]
                if pending is None:
                    pending = PendingCall(tool=result.tool or UNKNOWN, at=at)
                    self._add(pending, result.id)
                if pending.output is None:
                    pending.failed = (
                        result.failed if pending.failed is None else pending.failed
                    )
                _complete(pending, output=result.output)

    def _called(
        self, request: RequestedCall, at: int, place: tuple[str, str, int]
    ) -> PendingCall:
        call = self._by_id.get(request.id) if request.id else self._by_place.get(place)
        if call is None:
            call = self._nameless_one(request, place[1])
            if call is None:
                call = PendingCall(tool=request.tool, at=at)
                self._add(call, request.id)
            elif request.id:
                call.id = request.id
                self._by_id[request.id] = call
            self._by_place[place] = call
        _complete(call, input=request.input)
        return call

    def _nameless_one(self, request: RequestedCall, written: str) -> PendingCall | None:
        waiting = self._nameless.get(request.tool, [])
        for call in waiting:
            if call.input is None or as_json(parsed(call.input)) == written:
                waiting.remove(call)
                return call
        return None

    def _add(self, call: PendingCall, identity: str) -> None:
        self.calls.append(call)
        if identity:
            call.id = identity
            self._by_id[identity] = call


def _complete(call: PendingCall, *, input: Any = None, output: Any = None) -> None:  # noqa: A002
    if call.input is None:
        call.input = input
    if call.output is None:
        call.output = output


def _frozen(index: int, call: PendingCall) -> ToolCall:
    output = as_output(call.output, "", _unnoted)
    text = output.text or _error_of(call.span)
    return ToolCall(
        index=index,
        tool=call.tool[:MAX_NAME] or UNKNOWN,
        input=as_input(call.input, "", _unnoted),
        output=text,
        id=call.id[:MAX_ID] or None,
        status=_status(call, output.status, text),
        started_at=moment_of(call.span.start_ns) if call.span else None,
        duration_ms=_milliseconds(call.span),
    )


def _unnoted(_kind: str, _place: str) -> None:
    """Note nothing: raw spans are stored complete, with pictures."""


def _status(call: PendingCall, status: CallStatus, text: str) -> CallStatus:
    span = call.span
    if call.failed or (span is not None and span.status == "error"):
        return ended(False, text)
    if status is not CallStatus.UNKNOWN:
        return status
    if call.failed is False or (span is not None and span.has_ended):
        # By convention, a span that reports no error succeeded.
        return ended(True, text)
    return status


def _error_of(span: Span | None) -> str:
    """Return the error message of a tool's span that has no output."""
    if span is None or span.status != "error":
        return ""
    exception_messages = (
        event.attributes.get("exception.message")
        for event in span.events
        if event.name == "exception"
    )
    messages = (text for text in exception_messages if isinstance(text, str) and text)
    return span.status_message or next(messages, "")


def moment_of(ns: int) -> str | None:
    """Return a time in ns since 1970 as the engine writes it; None if there is none."""
    if not ns:
        return None
    try:
        return timestamp_text(datetime.fromtimestamp(ns / SECOND, tz=UTC))
    except (ValueError, OverflowError, OSError):
        return None


def _milliseconds(span: Span | None) -> int | None:
    if span is None or not span.has_ended or span.end_ns < span.start_ns:
        return None
    return min((span.end_ns - span.start_ns) // MILLISECOND, MAX_DURATION_MS)
