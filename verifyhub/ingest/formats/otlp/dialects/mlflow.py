"""MLflow traces sent over OTLP: values are JSON in strings.

Source: mlflow/tracing/constant.py (`SpanAttributeKey`).
"""

from typing import Any

from verifyhub.ingest.formats.otlp.dialects.base import SpanDialect
from verifyhub.ingest.formats.otlp.dialects.genai import documents_of
from verifyhub.ingest.formats.otlp.keys import Keys, parsed
from verifyhub.ingest.formats.otlp.messages import ASSISTANT, messages_of
from verifyhub.ingest.formats.otlp.reading import ModelMessage, SpanReading, SpanStep
from verifyhub.ingest.formats.otlp.span import Span

STEPS = {
    "LLM": SpanStep.MODEL,
    "CHAT_MODEL": SpanStep.MODEL,
    "TOOL": SpanStep.TOOL,
    "AGENT": SpanStep.AGENT,
    "CHAIN": SpanStep.CHAIN,
    "WORKFLOW": SpanStep.CHAIN,
    "RETRIEVER": SpanStep.RETRIEVAL,
    "RERANKER": SpanStep.RETRIEVAL,
}


def read(span: Span, keys: Keys) -> SpanReading | None:
    """Read a span of MLflow."""
    if not keys.has("mlflow."):
        return None
    kind = _text(keys, "mlflow.spanType").upper()
    step = STEPS.get(kind, SpanStep.CHAIN)
    inputs = keys.decoded("mlflow.spanInputs")
    outputs = keys.decoded("mlflow.spanOutputs")
    is_model = step is SpanStep.MODEL
    usage = keys.data("mlflow.chat.tokenUsage")
    counts = Keys(usage if isinstance(usage, dict) else {})
    keys.understand("mlflow.traceRequestId", "mlflow.chat.", "mlflow.spanFunctionName")
    return SpanReading(
        step=step,
        input_messages=messages_of(inputs) if is_model else [],
        output_messages=_output_messages(outputs) if is_model else [],
        input=None if is_model else inputs,
        output=None if is_model else outputs,
        tool=span.name if step is SpanStep.TOOL else "",
        agent=span.name if step is SpanStep.AGENT else "",
        session=_text(keys, "mlflow.trace.session"),
        input_tokens=counts.count("input_tokens"),
        output_tokens=counts.count("output_tokens"),
        documents=documents_of(outputs) if step is SpanStep.RETRIEVAL else [],
    )


def _text(keys: Keys, name: str) -> str:
    return str(keys.decoded(name) or "")


def _output_messages(outputs: Any) -> list[ModelMessage]:
    value = parsed(outputs)
    if isinstance(value, dict) and isinstance(value.get("choices"), list):
        value = value["choices"]
    return messages_of(value, role=ASSISTANT)


MLFLOW = SpanDialect("MLflow", read)
