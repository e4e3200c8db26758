"""Models that are asked over HTTP."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from verifyhub.common import strict_json
from verifyhub.egress.deadline import Deadline
from verifyhub.egress.policy import EgressPolicy
from verifyhub.engine.llm import memory
from verifyhub.engine.llm.cost import worst_microdollars
from verifyhub.engine.llm.endpoint import ChatEndpoint, ReplyMode
from verifyhub.engine.llm.exchange import Connection, Pause
from verifyhub.engine.llm.messages import (
    ChatMessage,
    ChatRequest,
    ChatTurn,
    MessageRole,
    RawCall,
    RawReply,
    ToolRequest,
)
from verifyhub.engine.llm.probe import probe_within, worst_probe
from verifyhub.engine.llm.structured import DECLINED, ask_structured
from verifyhub.engine.ports import ModelError, ModelReply, ModelRequest, ModelUsage


class WireModel:
    """Asks for text, for one forced call, or for JSON of its schema."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @property
    def name(self) -> str:
        return self._connection.endpoint.model

    def ask(self, request: ModelRequest) -> ModelReply:
        """Ask once; see `Model.ask`."""
        connection = self._connection.within(request)
        if request.tool is None:
            chat = ChatRequest(
                messages=(
                    ChatMessage(role=MessageRole.SYSTEM, text=request.system),
                    ChatMessage(role=MessageRole.USER, text=request.user),
                ),
                temperature=request.temperature,
                logprobs=request.logprobs,
            )
            reply, usage = connection.ask(chat, connection.deadline())
            return _text(reply, usage, logprobs=request.logprobs)
        return _ask_for_call(connection, request)

    def worst_microdollars(self, request: ModelRequest) -> int | None:
        """Return the maximal cost of a call; see `ports.Priced`.

        Where it is not known yet how the endpoint gives structured replies, the first
        of them finds out.
        """
        endpoint = self._connection.within(request).endpoint
        texts = request.system, request.user, request.schema
        worst = worst_microdollars(endpoint, texts, None)
        has_to_probe = (
            request.tool is not None
            and ReplyMode(endpoint.reply_mode) == ReplyMode.AUTO
            and memory.reply_mode(endpoint) is None
        )
        if worst is None or not has_to_probe:
            return worst
        return worst + (worst_probe(endpoint) or 0)


def _text(reply: RawReply, usage: ModelUsage, *, logprobs: bool) -> ModelReply:
    if reply.is_declined:
        raise ModelError("refused", DECLINED, usage=usage)
    if not reply.text.strip():
        raise ModelError("malformed", "the reply is empty", usage=usage)
    return ModelReply(
        text=reply.text,
        # An endpoint may report it unasked; who did not ask for it does not get it.
        logprob=reply.logprob if logprobs else None,
        tokens=reply.logprob_tokens if logprobs else None,
        is_cut=reply.is_cut,
        usage=usage,
    )


def _ask_for_call(connection: Connection, request: ModelRequest) -> ModelReply:
    deadline = connection.deadline()
    mode, spent = _mode(connection, deadline)
    try:
        reply = ask_structured(connection, mode, deadline, request)
    except ModelError as error:
        if error.usage is not None:
            error.usage = error.usage.plus(spent)
        raise
    return replace(reply, usage=reply.usage.plus(spent))


def _mode(
    connection: Connection, deadline: Deadline
) -> tuple[ReplyMode, ModelUsage | None]:
    """Return the reply mode, and the usage of the probe if one was needed."""
    endpoint = connection.endpoint
    mode = ReplyMode(endpoint.reply_mode)
    if mode != ReplyMode.AUTO:
        return mode, None
    known = memory.reply_mode(endpoint)
    if known is not None:
        return known, None
    if memory.is_known_to_fail(endpoint):
        raise ModelError("no_tool_call", "the endpoint gives no structured reply")
    result = probe_within(connection, deadline)
    if result.reply_mode is None:
        raise ModelError(
            result.reason,
            result.message,
            usage=result.usage,
            retry_after_seconds=result.retry_after_seconds,
        )
    return result.reply_mode, result.usage


MAX_ARGUMENTS_BYTES = 1024 * 1024


class ChatModel:
    """A model that talks and asks for tools, several at once if it likes."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @property
    def name(self) -> str:
        return self._connection.endpoint.model

    def complete(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[Mapping[str, Any]] = (),
        *,
        temperature: float = 0.1,
    ) -> ChatTurn:
        """Ask for the next turn, within the endpoint's deadline.

        Args:
            messages: The conversation so far; earlier turns by `ChatTurn.as_message`,
                and a `tool` message for every call in them.
            tools: Each with `name`, `description` and `parameters` (JSON Schema).
            temperature: 0 to 1.

        Raises:
            ModelError: If there is no reply. Arguments that are no JSON object are no
                reason: they arrive as a call with a `problem`, to be told the model.
        """
        request = ChatRequest(
            messages=tuple(messages), tools=tuple(tools), temperature=temperature
        )
        reply, usage = self._connection.ask(request, self._connection.deadline())
        if reply.is_declined:
            raise ModelError("refused", DECLINED, usage=usage)
        return ChatTurn(
            text=reply.text,
            tool_calls=tuple(
                _request(call, number) for number, call in enumerate(reply.calls, 1)
            ),
            usage=usage,
            is_cut=reply.is_cut,
        )


def _request(call: RawCall, number: int) -> ToolRequest:
    arguments, problem = _arguments(call.text)
    return ToolRequest(
        # Some servers leave the id empty; the result has to name something.
        id=call.id or f"call_{number}",
        name=call.name,
        arguments=arguments,
        text=call.text,
        problem=problem,
    )


def _arguments(text: str) -> tuple[Mapping[str, Any] | None, str]:
    if not text.strip():
        return {}, ""
    try:
        data = strict_json.loads(text.encode(), max_bytes=MAX_ARGUMENTS_BYTES)
    except strict_json.StrictJSONError as error:
        return None, f"The arguments are no usable JSON: {error}"
    if not isinstance(data, dict):
        return None, "The arguments are no JSON object."
    return data, ""


def model_at(
    endpoint: ChatEndpoint, *, policy: EgressPolicy, pause: Pause = time.sleep
) -> WireModel:
    """Return the model at an endpoint as a `Model`; asks nothing yet."""
    return WireModel(Connection(endpoint=endpoint, policy=policy, pause=pause))


def chat_at(
    endpoint: ChatEndpoint, *, policy: EgressPolicy, pause: Pause = time.sleep
) -> ChatModel:
    """Return the model at an endpoint for a conversation with tools."""
    return ChatModel(Connection(endpoint=endpoint, policy=policy, pause=pause))
