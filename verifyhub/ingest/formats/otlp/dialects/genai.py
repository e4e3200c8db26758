"""OpenTelemetry's conventions for generative AI, from v1.37 on.

Sources: open-telemetry/semantic-conventions v1.41.1 and
open-telemetry/semantic-conventions-genai. Its schema calls the result of a tool
`response`, its examples call it `result`: both are read. Content is in attributes or,
with some settings, in one event.
"""

from typing import Any

from verifyhub.ingest.formats.otlp.dialects.base import SpanDialect
from verifyhub.ingest.formats.otlp.keys import Keys, parsed
from verifyhub.ingest.formats.otlp.messages import ASSISTANT, messages_of
from verifyhub.ingest.formats.otlp.reading import ModelMessage, SpanReading, SpanStep
from verifyhub.ingest.formats.otlp.span import Span

STEPS = {
    "chat": SpanStep.MODEL,
    "text_completion": SpanStep.MODEL,
    "generate_content": SpanStep.MODEL,
    "execute_tool": SpanStep.TOOL,
    "invoke_agent": SpanStep.AGENT,
    "invoke_workflow": SpanStep.CHAIN,
    "plan": SpanStep.CHAIN,
    "retrieval": SpanStep.RETRIEVAL,
    "embeddings": SpanStep.OTHER,
    "create_agent": SpanStep.OTHER,
}
_INSTRUCTIONS = "gen_ai.system_instructions"
DETAILS = "gen_ai.client.inference.operation.details"
# Properties of a request that are not verified.
SETTINGS = (
    "gen_ai.request.",
    "gen_ai.response.",
    "gen_ai.output.type",
    "gen_ai.tool.definitions",
    "gen_ai.tool.type",
    "gen_ai.tool.description",
    "gen_ai.usage.",
    "gen_ai.agent.",
    "gen_ai.provider.name",
    "server.address",
    "server.port",
)


def read(span: Span, keys: Keys) -> SpanReading | None:
    """Read a span with attributes of GenAI."""
    if not keys.has("gen_ai."):
        return None
    operation = keys.text("gen_ai.operation.name")
    input_messages, output_messages = _content(span, keys)
    step = STEPS.get(operation, SpanStep.OTHER if operation else None)
    if step is None and (input_messages or output_messages):
        step = SpanStep.MODEL
    reading = SpanReading(
        step=step,
        input_messages=input_messages,
        output_messages=output_messages,
        tool=keys.text("gen_ai.tool.name"),
        call_id=keys.text("gen_ai.tool.call.id"),
        session=keys.text("gen_ai.conversation.id"),
        agent=keys.text("gen_ai.agent.name", "gen_ai.agent.id", "gen_ai.workflow.name"),
        model=keys.text("gen_ai.response.model", "gen_ai.request.model"),
        input_tokens=keys.count("gen_ai.usage.input_tokens"),
        output_tokens=keys.count("gen_ai.usage.output_tokens"),
        cost_usd=keys.number("gen_ai.usage.cost"),
        documents=documents_of(keys.data("gen_ai.retrieval.documents")),
        instructions=_instructions(span, keys),
    )
    if step is SpanStep.TOOL:
        reading.input = keys.data("gen_ai.tool.call.arguments")
        reading.output = keys.get("gen_ai.tool.call.result")
    elif step is SpanStep.RETRIEVAL:
        reading.input = keys.get("gen_ai.retrieval.query.text")
    keys.understand(*SETTINGS)
    return reading


def _content(span: Span, keys: Keys) -> tuple[list[ModelMessage], list[ModelMessage]]:
    inputs = keys.get("gen_ai.input.messages")
    outputs = keys.get("gen_ai.output.messages")
    for event in span.events:
        if event.name == DETAILS:
            inputs = inputs or event.attributes.get("gen_ai.input.messages")
            outputs = outputs or event.attributes.get("gen_ai.output.messages")
    input_messages = messages_of(inputs) if inputs else []
    return input_messages, messages_of(outputs, role=ASSISTANT) if outputs else []


def _instructions(span: Span, keys: Keys) -> str:
    instructions = keys.get(_INSTRUCTIONS)
    for event in span.events:
        if event.name == DETAILS:
            instructions = instructions or event.attributes.get(_INSTRUCTIONS)
    messages = messages_of(instructions, role="system") if instructions else []
    return "\n\n".join(message.text for message in messages if message.text)


def documents_of(value: Any) -> list[dict[str, Any]]:
    """Read retrieved documents as sources: text, and title, URL and id if given."""
    items = parsed(value)
    documents = []
    for item in items if isinstance(items, list) else []:
        inner = item.get("document", item) if isinstance(item, dict) else item
        source = source_of(inner)
        if source:
            documents.append(source)
    return documents


def source_of(document: Any) -> dict[str, Any]:
    """Return a source of an interaction; empty if it has no text."""
    if isinstance(document, str):
        return {"text": document} if document else {}
    if not isinstance(document, dict):
        return {}
    names = ("content", "text", "page_content")
    text = next((t for n in names if isinstance(t := document.get(n), str) and t), "")
    metadata = parsed(document.get("metadata"))
    facts = {**(metadata if isinstance(metadata, dict) else {}), **document}
    details = {
        "id": facts.get("id") or facts.get("doc_id"),
        "title": facts.get("title") or facts.get("name"),
        "url": facts.get("url") or facts.get("source"),
    }
    if not text:
        return {}
    return {"text": text} | {name: str(v) for name, v in details.items() if v}


GENAI = SpanDialect("OpenTelemetry GenAI", read)
