"""Pydantic AI and Logfire, in addition to the GenAI conventions.

Source: pydantic/pydantic-ai, models/instrumented.py: `all_messages_events` (at
first), `pydantic_ai.all_messages` (from version 2), `final_result`, and
`tool_arguments` and `tool_response` of a tool's span before version 3.
"""

from verifyhub.ingest.formats.otlp.dialects.base import SpanDialect
from verifyhub.ingest.formats.otlp.keys import Keys
from verifyhub.ingest.formats.otlp.messages import USER, last_text, messages_of
from verifyhub.ingest.formats.otlp.reading import SpanReading, SpanStep
from verifyhub.ingest.formats.otlp.span import Span

OWN = (
    "pydantic_ai.",
    "all_messages_events",
    "final_result",
    "tool_arguments",
    "tool_response",
    "logfire.",
)


def read(_span: Span, keys: Keys) -> SpanReading | None:
    """Read an agent's or a tool's span, and Logfire's attributes of any span."""
    if not keys.has(*OWN):
        return None
    keys.understand("logfire.")
    keys.get("model_name")
    is_tool = keys.has("gen_ai.tool.name", "tool_arguments", "tool_response")
    if is_tool:
        return SpanReading(
            step=SpanStep.TOOL,
            tool=keys.text("gen_ai.tool.name"),
            call_id=keys.text("gen_ai.tool.call.id"),
            input=keys.data("tool_arguments"),
            output=keys.get("tool_response"),
        )
    messages = messages_of(keys.get("pydantic_ai.all_messages", "all_messages_events"))
    answer = keys.data("final_result")
    if not messages and answer is None:
        return SpanReading() if keys.has("logfire.") else None
    return SpanReading(
        step=SpanStep.AGENT,
        input_messages=messages,
        input=last_text(messages, USER),
        output=answer,
        agent=keys.text("gen_ai.agent.name", "agent_name"),
    )


PYDANTIC_AI = SpanDialect("Pydantic AI", read)
