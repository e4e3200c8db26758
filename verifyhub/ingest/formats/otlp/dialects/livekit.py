"""LiveKit Agents: `lk.*`.

Source: livekit/agents, telemetry/trace_types.py.
"""

from verifyhub.ingest.formats.otlp.dialects.base import SpanDialect
from verifyhub.ingest.formats.otlp.keys import Keys
from verifyhub.ingest.formats.otlp.messages import ASSISTANT, messages_of
from verifyhub.ingest.formats.otlp.reading import SpanReading, SpanStep
from verifyhub.ingest.formats.otlp.span import Span


def read(span: Span, keys: Keys) -> SpanReading | None:
    """Read a span of a voice agent."""
    if not keys.has("lk."):
        return None
    session = keys.text("lk.session_id", "lk.room_name", "lk.job_id")
    tool = keys.text("lk.function_tool.name")
    if tool or span.name == "function_tool":
        failed = keys.get("lk.function_tool.is_error")
        return SpanReading(
            step=SpanStep.TOOL,
            tool=tool or span.name,
            call_id=keys.text("lk.function_tool.id"),
            input=keys.data("lk.function_tool.arguments"),
            output=keys.get("lk.function_tool.output"),
            failed=failed if isinstance(failed, bool) else None,
            session=session,
        )
    user_input = keys.text("lk.user_input", "lk.user_transcript", "lk.input_text")
    history = keys.data("lk.chat_ctx")
    items = history.get("items") if isinstance(history, dict) else history
    answer = keys.text("lk.response.text", "lk.response_text")
    calls = keys.data("lk.response.function_calls", "lk.response_function_calls")
    message = {"role": ASSISTANT, "content": answer, "tool_calls": calls}
    is_model = span.name.startswith("llm_")
    return SpanReading(
        step=SpanStep.MODEL
        if is_model
        else SpanStep.CHAIN
        if user_input or answer
        else None,
        input_messages=messages_of(items) if items else messages_of(user_input),
        output_messages=messages_of(message) if answer or calls else [],
        agent=keys.text("lk.agent_name", "lk.agent_label"),
        session=session,
    )


LIVEKIT = SpanDialect("LiveKit", read)
