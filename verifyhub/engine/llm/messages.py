"""A conversation with a model, in no dialect."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from verifyhub.engine.ports import ModelUsage

# What a dialect writes around a message: a role, an id, names of fields. The frame of
# a request has room for the first ones.
_AROUND, _FRAMED = " " * 64, 8


class MessageRole(StrEnum):
    """The author of a message."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRequest:
    """One call that a model asks for.

    Attributes:
        id: The model's own name for the call; the result quotes it.
        name: The tool.
        arguments: What it is to be called with; None where `problem` says why not.
        text: The arguments as the model wrote them.
        problem: What is wrong with them, in words the model can act on.
    """

    id: str
    name: str
    arguments: Mapping[str, Any] | None
    text: str
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message.

    Attributes:
        role: The author.
        text: The message; of `tool`, what the tool returned.
        tool_calls: Of `assistant`: what it asked for.
        call_id: Of `tool`: whose result it is.
    """

    role: MessageRole
    text: str = ""
    tool_calls: tuple[ToolRequest, ...] = ()
    call_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatTurn:
    """A model's reply: text, calls, or both.

    Attributes:
        is_cut: Whether it stopped at its length limit, in the middle of something.
    """

    text: str
    tool_calls: tuple[ToolRequest, ...]
    usage: ModelUsage
    is_cut: bool = False

    def as_message(self) -> ChatMessage:
        """Return the turn as a message of the next request."""
        return ChatMessage(
            role=MessageRole.ASSISTANT, text=self.text, tool_calls=self.tool_calls
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """A request to a model, independent of the dialect.

    Attributes:
        messages: The conversation so far.
        tools: Each with `name`, `description` and `parameters` (JSON Schema).
        forced: Name of the one tool it has to call; empty: its choice.
        schema: The one tool whose parameters the text of the reply has to fit,
            instead of a call.
        temperature: 0 to 1.
        max_output_tokens: The longest reply, where that is less than the endpoint's.
        logprobs: Whether the probability of the text is wanted, where it can be had.
    """

    messages: tuple[ChatMessage, ...]
    tools: tuple[Mapping[str, Any], ...] = ()
    forced: str = ""
    schema: Mapping[str, Any] | None = None
    temperature: float = 0.1
    max_output_tokens: int | None = None
    logprobs: bool = False

    def texts(self) -> Iterator[str]:
        """Yield all texts that are sent, to estimate their tokens."""
        for place, message in enumerate(self.messages):
            yield message.text
            if place >= _FRAMED:
                yield _AROUND
            for call in message.tool_calls:
                yield from (call.id, call.name, call.text)
        for tool in (*self.tools, *filter(None, [self.schema])):
            yield json.dumps(tool)

    def longest_reply(self, most: int) -> int:
        """Return how many tokens the reply may have, given the endpoint's limit."""
        tokens = self.max_output_tokens
        return most if tokens is None else max(1, min(tokens, most))


@dataclass(frozen=True, slots=True, kw_only=True)
class RawCall:
    """A call as written in a reply."""

    id: str
    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RawReply:
    """A reply, out of its dialect; nothing in it is checked but its types.

    Attributes:
        text: The text of the reply, joined.
        calls: What was asked for, in order.
        is_cut: It ended at the length limit.
        is_declined: The model, or a filter before it, would not answer.
        input_tokens, output_tokens: As the endpoint counted; None where it did not.
        logprob: Natural logarithm of the text's probability; None where it is unknown.
        logprob_tokens: How many tokens that is the sum of; None likewise.
    """

    text: str
    calls: tuple[RawCall, ...]
    is_cut: bool = False
    is_declined: bool = False
    input_tokens: int | None = None
    output_tokens: int | None = None
    logprob: float | None = None
    logprob_tokens: int | None = None
