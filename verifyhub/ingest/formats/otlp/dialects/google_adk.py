"""Google's Agent Development Kit: `gcp.vertex.agent.*`.

Source: google/adk-python, telemetry/tracing.py.
"""

from typing import Any

from verifyhub.ingest.formats.otlp.dialects.base import SpanDialect
from verifyhub.ingest.formats.otlp.keys import Keys
from verifyhub.ingest.formats.otlp.messages import ASSISTANT, messages_of
from verifyhub.ingest.formats.otlp.reading import ModelMessage, SpanReading, SpanStep
from verifyhub.ingest.formats.otlp.span import Span

PREFIX = "gcp.vertex.agent."


def read(span: Span, keys: Keys) -> SpanReading | None:
    """Read a span of the ADK."""
    if not keys.has(PREFIX):
        return None
    session = keys.text(PREFIX + "session_id")
    keys.understand(PREFIX + "invocation_id", PREFIX + "event_id")
    tool = keys.text("gen_ai.tool.name")
    if tool or span.name.startswith("execute_tool"):
        return SpanReading(
            step=SpanStep.TOOL,
            tool=tool or span.name.removeprefix("execute_tool").strip(),
            call_id=keys.text("gen_ai.tool.call.id"),
            input=keys.data(PREFIX + "tool_call_args"),
            output=_tool_response(keys.data(PREFIX + "tool_response")),
            session=session,
        )
    input_messages = _contents(keys.data(PREFIX + "llm_request"), "contents", "user")
    output_messages = _contents(
        keys.data(PREFIX + "llm_response"), "content", ASSISTANT
    )
    is_model = bool(input_messages or output_messages) or span.name.startswith(
        "call_llm"
    )
    return SpanReading(
        step=SpanStep.MODEL if is_model else None,
        input_messages=input_messages,
        output_messages=output_messages,
        session=session,
    )


def _contents(value: Any, key: str, role: str) -> list[ModelMessage]:
    inner = value.get(key) if isinstance(value, dict) else None
    return messages_of(inner, role=role) if inner else []


def _tool_response(value: Any) -> Any:
    if isinstance(value, dict) and value.keys() == {"result"}:
        return value["result"]
    return value


GOOGLE_ADK = SpanDialect("Google ADK", read)
