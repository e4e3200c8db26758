"""The Vercel AI SDK (`ai.*`), versions 3 to 5.

Source: ai-sdk.dev, "Telemetry": an outer span for the function, an inner one for each
request (`.doGenerate`, `.doStream`), and one for each tool call.
"""

from verifyhub.ingest.formats.otlp.dialects.base import SpanDialect
from verifyhub.ingest.formats.otlp.keys import Keys, parsed
from verifyhub.ingest.formats.otlp.messages import ASSISTANT, messages_of
from verifyhub.ingest.formats.otlp.reading import ModelMessage, SpanReading, SpanStep
from verifyhub.ingest.formats.otlp.span import Span

REQUESTS = (".doGenerate", ".doStream")
DETAILS = (
    "ai.response.",
    "ai.settings.",
    "ai.request.",
    "ai.usage.",
    "ai.model.",
    "ai.prompt.",
    "operation.name",
    "resource.name",
)


def read(span: Span, keys: Keys) -> SpanReading | None:
    """Read a span of the SDK."""
    if not keys.has("ai."):
        return None
    operation = keys.text("ai.operationId", "operation.name").split(" ")[0]
    is_tool = operation == "ai.toolCall" or keys.has("ai.toolCall.")
    session, agent = _origin(keys)
    if is_tool:
        return SpanReading(
            step=SpanStep.TOOL,
            tool=keys.text("ai.toolCall.name") or span.name,
            call_id=keys.text("ai.toolCall.id"),
            input=keys.data("ai.toolCall.args", "ai.toolCall.input"),
            output=keys.data("ai.toolCall.result", "ai.toolCall.output"),
            session=session,
            agent=agent,
        )
    prompt = keys.data("ai.prompt")
    if isinstance(prompt, dict) and "messages" not in prompt:
        prompt = prompt.get("prompt")
    input_messages = messages_of(keys.get("ai.prompt.messages") or prompt)
    reading = SpanReading(
        step=SpanStep.MODEL if operation.endswith(REQUESTS) else SpanStep.CHAIN,
        input_messages=input_messages,
        output_messages=_reply_messages(keys),
        model=keys.text("ai.response.model", "ai.model.id"),
        input_tokens=keys.count("ai.usage.promptTokens", "ai.usage.inputTokens"),
        output_tokens=keys.count("ai.usage.completionTokens", "ai.usage.outputTokens"),
        session=session,
        agent=agent,
    )
    keys.understand(*DETAILS)
    return reading


def _reply_messages(keys: Keys) -> list[ModelMessage]:
    text = keys.text("ai.response.text", "ai.result.text")
    thing = keys.text("ai.response.object", "ai.result.object")
    reply_messages = messages_of(text or thing, role=ASSISTANT)
    calls = parsed(keys.get("ai.response.toolCalls", "ai.result.toolCalls"))
    if isinstance(calls, list) and calls:
        # As parts of one message, since older calls have `toolName` and no type.
        message = {"role": ASSISTANT, "content": text, "tool_calls": calls}
        reply_messages = messages_of(message, role=ASSISTANT)
    return reply_messages


def _origin(keys: Keys) -> tuple[str, str]:
    """Return the names of the session and of the function."""
    metadata = "ai.telemetry.metadata."
    names = ("sessionId", "threadId", "chatId", "conversationId")
    session = keys.text(*(metadata + name for name in names))
    return session, keys.text("ai.telemetry.functionId", "resource.name")


VERCEL = SpanDialect("Vercel AI SDK", read)
