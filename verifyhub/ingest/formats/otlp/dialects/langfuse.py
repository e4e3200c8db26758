"""Langfuse's own attributes: `langfuse.*`.

Source: langfuse.com, "OpenTelemetry", property mapping.
"""

from verifyhub.ingest.formats.otlp.dialects.base import SpanDialect
from verifyhub.ingest.formats.otlp.keys import Keys
from verifyhub.ingest.formats.otlp.messages import ASSISTANT, messages_of
from verifyhub.ingest.formats.otlp.reading import SpanReading, SpanStep
from verifyhub.ingest.formats.otlp.span import Span

PREFIX = "langfuse."
STEPS = {
    "generation": SpanStep.MODEL,
    "agent": SpanStep.AGENT,
    "tool": SpanStep.TOOL,
    "chain": SpanStep.CHAIN,
    "span": SpanStep.CHAIN,
    "retriever": SpanStep.RETRIEVAL,
    "embedding": SpanStep.OTHER,
    "event": SpanStep.OTHER,
    "evaluator": SpanStep.OTHER,
    "guardrail": SpanStep.OTHER,
}


def read(span: Span, keys: Keys) -> SpanReading | None:
    """Read a span with attributes of Langfuse."""
    if not keys.has(PREFIX):
        return None
    own = PREFIX + "observation."
    step = STEPS.get(keys.text(own + "type").lower())
    inputs, outputs = keys.data(own + "input"), keys.data(own + "output")
    if not span.parent_id:
        # Input and output of the trace, if its root has none.
        inputs = inputs or keys.data(PREFIX + "trace.input")
        outputs = outputs or keys.data(PREFIX + "trace.output")
    is_model = step is SpanStep.MODEL
    usage = keys.data(own + "usage_details")
    counts = Keys(usage if isinstance(usage, dict) else {})
    cost = keys.data(own + "cost_details")
    costs = Keys(cost if isinstance(cost, dict) else {})
    keys.understand(PREFIX + "environment", PREFIX + "release", PREFIX + "version")
    return SpanReading(
        step=step,
        input_messages=messages_of(inputs) if is_model and inputs else [],
        output_messages=messages_of(outputs, role=ASSISTANT)
        if is_model and outputs
        else [],
        input=None if is_model else inputs,
        output=None if is_model else outputs,
        tool=span.name if step is SpanStep.TOOL else "",
        agent=span.name if step is SpanStep.AGENT else "",
        session=keys.text(PREFIX + "session.id", "session.id"),
        model=keys.text(own + "model.name"),
        input_tokens=counts.count("input", "input_tokens", "prompt_tokens"),
        output_tokens=counts.count("output", "output_tokens", "completion_tokens"),
        cost_usd=costs.number("total"),
    )


LANGFUSE = SpanDialect("Langfuse", read)
