"""OpenInference (Arize): span kinds, and messages flattened into attributes.

Source: Arize-ai/openinference, spec/semantic_conventions.md.
"""

from typing import Any

from verifyhub.ingest.formats.otlp.dialects.base import SpanDialect
from verifyhub.ingest.formats.otlp.dialects.genai import documents_of
from verifyhub.ingest.formats.otlp.keys import Keys
from verifyhub.ingest.formats.otlp.messages import ASSISTANT, messages_of
from verifyhub.ingest.formats.otlp.reading import ModelMessage, SpanReading, SpanStep
from verifyhub.ingest.formats.otlp.span import Span

STEPS = {
    "LLM": SpanStep.MODEL,
    "TOOL": SpanStep.TOOL,
    "AGENT": SpanStep.AGENT,
    "CHAIN": SpanStep.CHAIN,
    "RETRIEVER": SpanStep.RETRIEVAL,
    "RERANKER": SpanStep.RETRIEVAL,
}
OWN = ("openinference.", "llm.input_messages.", "llm.output_messages.", "input.value")
DETAILS = (
    "llm.invocation_parameters",
    "llm.provider",
    "llm.system",
    "llm.finish_reason",
    "llm.tools.",
    "llm.token_count.",
    "llm.request.model_name",
    "llm.response.model_name",
    "llm.cost.",
    "input.mime_type",
    "output.mime_type",
    "tool.description",
    "tool.json_schema",
    "graph.node.",
)


def read(span: Span, keys: Keys) -> SpanReading | None:
    """Read a span with attributes of OpenInference."""
    if not keys.has(*OWN):
        return None
    kind = keys.text("openinference.span.kind").upper()
    step = STEPS.get(kind, SpanStep.OTHER if kind else None)
    input_messages = _messages(keys.nested("llm.input_messages."), "user")
    output_messages = _messages(keys.nested("llm.output_messages."), ASSISTANT)
    inputs, outputs = keys.data("input.value"), keys.data("output.value")
    documents = documents_of(keys.nested("retrieval.documents."))
    documents += documents_of(keys.nested("reranker.output_documents."))
    keys.understand("reranker.")
    reading = SpanReading(
        step=step,
        input_messages=input_messages,
        output_messages=output_messages,
        # The input of a model repeats its messages.
        input=None if step is SpanStep.MODEL and input_messages else inputs,
        output=None if step is SpanStep.MODEL and output_messages else outputs,
        session=keys.text("session.id"),
        agent=keys.text("agent.name"),
        model=keys.text(
            "llm.response.model_name", "llm.model_name", "llm.request.model_name"
        ),
        input_tokens=keys.count("llm.token_count.prompt"),
        output_tokens=keys.count("llm.token_count.completion"),
        cost_usd=keys.number("llm.cost.total"),
        documents=documents,
    )
    if step is SpanStep.TOOL:
        reading.tool = keys.text("tool.name") or span.name
        reading.call_id = keys.text("tool_call.id", "tool.id")
        parameters = keys.data("tool.parameters")
        reading.input = inputs if inputs is not None else parameters
    keys.understand(*DETAILS)
    return reading


def _messages(flat: Any, role: str) -> list[ModelMessage]:
    items = flat if isinstance(flat, list) else []
    return [m for item in items for m in messages_of(_plain(item), role=role)]


def _plain(item: Any) -> Any:
    """Convert a message to the form of the chat API."""
    message = item.get("message") if isinstance(item, dict) else None
    if not isinstance(message, dict):
        return None
    plain = dict(message)
    if isinstance(parts := message.get("contents"), list):
        blocks = [p.get("message_content") for p in parts if isinstance(p, dict)]
        plain["content"] = [block for block in blocks if isinstance(block, dict)]
    if isinstance(calls := message.get("tool_calls"), list):
        inner = [c.get("tool_call") for c in calls if isinstance(c, dict)]
        plain["tool_calls"] = [call for call in inner if isinstance(call, dict)]
    return plain


OPENINFERENCE = SpanDialect("OpenInference", read)
