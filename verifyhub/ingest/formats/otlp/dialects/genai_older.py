"""The GenAI conventions up to v1.36, which most instrumentors still use.

Source: open-telemetry/semantic-conventions v1.36 (gen-ai-events.md) and before:
`gen_ai.system`, `prompt_tokens`, `gen_ai.prompt`, and an event for each message.
"""

from collections.abc import Mapping
from typing import Any

from verifyhub.ingest.formats.otlp.dialects.base import SpanDialect
from verifyhub.ingest.formats.otlp.keys import Keys, parsed
from verifyhub.ingest.formats.otlp.messages import ASSISTANT, messages_of
from verifyhub.ingest.formats.otlp.reading import ModelMessage, SpanReading, SpanStep
from verifyhub.ingest.formats.otlp.span import Span

ROLE_OF = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": ASSISTANT,
    "gen_ai.tool.message": "tool",
}
CHOICE = "gen_ai.choice"
PROMPT, COMPLETION = "gen_ai.content.prompt", "gen_ai.content.completion"


def read(span: Span, keys: Keys) -> SpanReading | None:
    """Read a span with attributes or events of these versions."""
    input_messages, output_messages = _from_events(span)
    if (
        not keys.has("gen_ai.", "llm.usage.")
        and not input_messages
        and not output_messages
    ):
        return None
    if prompt := keys.get("gen_ai.prompt"):
        input_messages = input_messages or messages_of(prompt)
    if completion := keys.get("gen_ai.completion"):
        output_messages = output_messages or messages_of(completion, role=ASSISTANT)
    is_model = bool(input_messages or output_messages or keys.text("gen_ai.system"))
    return SpanReading(
        step=SpanStep.MODEL if is_model and not keys.has("gen_ai.tool.name") else None,
        input_messages=input_messages,
        output_messages=output_messages,
        input_tokens=keys.count("gen_ai.usage.prompt_tokens"),
        output_tokens=keys.count("gen_ai.usage.completion_tokens"),
        model=keys.text("gen_ai.response.model", "gen_ai.request.model"),
    )


def _from_events(span: Span) -> tuple[list[ModelMessage], list[ModelMessage]]:
    input_messages: list[ModelMessage] = []
    output_messages: list[ModelMessage] = []
    for event in span.events:
        body = _body(event.attributes)
        if role := ROLE_OF.get(event.name):
            input_messages += messages_of({"role": role, **body})
        elif event.name == CHOICE:
            inner = parsed(body.get("message"))
            message = inner if isinstance(inner, dict) else body | {"content": inner}
            if not isinstance(inner, dict) and inner is None:
                message = body
            output_messages += messages_of({"role": ASSISTANT, **message})
        elif event.name == PROMPT:
            input_messages += messages_of(event.attributes.get("gen_ai.prompt"))
        elif event.name == COMPLETION:
            completion = event.attributes.get("gen_ai.completion")
            output_messages += messages_of(completion, role=ASSISTANT)
    return input_messages, output_messages


def _body(attributes: Mapping[str, Any]) -> dict[str, Any]:
    content = parsed(attributes.get("gen_ai.event.content", attributes.get("body")))
    body = dict(content) if isinstance(content, dict) else {}
    return body or dict(attributes)


GENAI_OLDER = SpanDialect("OpenTelemetry GenAI up to 1.36", read)
