"""What was read of a span, independent of its dialect."""

from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any


class SpanStep(StrEnum):
    """What a span is a record of."""

    AGENT = "agent"
    CHAIN = "chain"
    MODEL = "model"
    TOOL = "tool"
    RETRIEVAL = "retrieval"
    OTHER = "other"


@dataclass(slots=True, kw_only=True)
class RequestedCall:
    """A tool call that a message asks for."""

    tool: str
    input: Any = None
    id: str = ""


@dataclass(slots=True, kw_only=True)
class ReturnedResult:
    """What a message says that a tool returned."""

    output: Any = None
    id: str = ""
    tool: str = ""
    failed: bool | None = None


@dataclass(slots=True, kw_only=True)
class ModelMessage:
    """One message of a conversation with a model."""

    role: str
    text: str = ""
    calls: list[RequestedCall] = field(default_factory=list)
    results: list[ReturnedResult] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class SpanReading:
    """What was understood of a span; empty where it does not say.

    Attributes:
        dialects: Whose words it used.
        input, output: What went in and came out, any JSON value: of a run its task and
            answer, of a tool its input and output.
        input_messages, output_messages: The messages a model was given, and those it
            gave back.
        failed: Whether a tool said of itself that it failed.
        cost_usd: What the span itself took.
        instructions: The instructions of a model, beside its messages.
    """

    dialects: tuple[str, ...] = ()
    step: SpanStep | None = None
    input: Any = None
    output: Any = None
    input_messages: list[ModelMessage] = field(default_factory=list)
    output_messages: list[ModelMessage] = field(default_factory=list)
    tool: str = ""
    call_id: str = ""
    failed: bool | None = None
    session: str = ""
    agent: str = ""
    model: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    documents: list[dict[str, Any]] = field(default_factory=list)
    instructions: str = ""

    def completed_by(self, other: "SpanReading") -> None:
        """Take over what another dialect says and this one does not."""
        for attribute in fields(self):
            if getattr(self, attribute.name) in (None, "", [], ()):
                setattr(self, attribute.name, getattr(other, attribute.name))
