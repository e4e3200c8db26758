"""OpenLLMetry (Traceloop): flattened `gen_ai.prompt.N.*`, and `traceloop.*`.

Source: traceloop/openllmetry, semantic_conventions_ai.
"""

from typing import Any

from verifyhub.ingest.formats.otlp.dialects.base import SpanDialect
from verifyhub.ingest.formats.otlp.keys import Keys
from verifyhub.ingest.formats.otlp.messages import ASSISTANT, messages_of
from verifyhub.ingest.formats.otlp.reading import ModelMessage, SpanReading, SpanStep
from verifyhub.ingest.formats.otlp.span import Span

STEPS = {
    "workflow": SpanStep.CHAIN,
    "task": SpanStep.CHAIN,
    "agent": SpanStep.AGENT,
    "tool": SpanStep.TOOL,
}
PROMPT, COMPLETION = "gen_ai.prompt.", "gen_ai.completion."


def read(span: Span, keys: Keys) -> SpanReading | None:
    """Read a span of Traceloop's decorators or instrumentors."""
    if not keys.has("traceloop.", "llm.usage.", "llm.request.", PROMPT, COMPLETION):
        return None
    step = STEPS.get(keys.text("traceloop.span.kind").lower())
    input_messages = _flat(keys.nested(PROMPT), "user")
    output_messages = _flat(keys.nested(COMPLETION), ASSISTANT)
    if step is None and (input_messages or output_messages):
        step = SpanStep.MODEL
    name = keys.text("traceloop.entity.name")
    inputs = _unwrapped(keys.decoded("traceloop.entity.input"))
    keys.count("llm.usage.total_tokens")
    keys.understand("traceloop.entity.path", "traceloop.workflow.name", "llm.request.")
    return SpanReading(
        step=step,
        input_messages=input_messages,
        output_messages=output_messages,
        input=inputs,
        output=keys.decoded("traceloop.entity.output"),
        tool=name or span.name if step is SpanStep.TOOL else "",
        agent=name if step in {SpanStep.AGENT, SpanStep.CHAIN} else "",
        session=keys.text(
            "traceloop.association.properties.session_id",
            "traceloop.association.properties.conversation_id",
            "traceloop.association.properties.thread_id",
        ),
    )


def _flat(value: Any, role: str) -> list[ModelMessage]:
    items = value if isinstance(value, list) else []
    return [message for item in items for message in messages_of(item, role=role)]


def _unwrapped(value: Any) -> Any:
    """Return the arguments of a decorated function, without its `args` and `kwargs`."""
    if not isinstance(value, dict):
        return value
    inner = value.get("inputs", value)
    if not isinstance(inner, dict) or not inner.keys() & {"args", "kwargs"}:
        return inner
    args, named = inner.get("args"), inner.get("kwargs")
    if isinstance(named, dict) and named:
        return named
    return args[0] if isinstance(args, list) and len(args) == 1 else args


OPENLLMETRY = SpanDialect("OpenLLMetry", read)
