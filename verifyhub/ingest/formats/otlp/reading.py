"""The content of a span, independent of its dialect."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class SpanStep(StrEnum):
    """The kind of step that a span records."""

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
    """A tool's result, as a message quotes it."""

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
    """The content of a span; empty where it has none.

    Attributes:
        dialects: The dialects of its attributes.
        input, output: Any JSON value: a run's task and answer, or a tool's input
            and output.
        input_messages, output_messages: The messages that a model received, and those
            that it returned.
        failed: Whether the tool reported a failure.
        cost_usd: The cost of the span itself.
        instructions: The instructions of a model that are not in its messages.
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
        """Fill empty fields from another dialect's reading."""
        for name in self.__slots__:
            if getattr(self, name) in (None, "", [], ()):
                setattr(self, name, getattr(other, name))
