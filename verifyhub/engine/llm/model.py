"""`ports.Model` on the wire: one question, and its reply as text or as arguments."""

from dataclasses import replace

from verifyhub.egress.deadline import Deadline
from verifyhub.engine.llm import memory
from verifyhub.engine.llm.cost import together, worst_microdollars
from verifyhub.engine.llm.endpoint import ReplyMode
from verifyhub.engine.llm.exchange import Connection
from verifyhub.engine.llm.messages import (
    ChatMessage,
    ChatRequest,
    MessageRole,
    RawReply,
)
from verifyhub.engine.llm.probe import probe_within, worst_probe
from verifyhub.engine.llm.structured import ask_structured
from verifyhub.engine.ports import ModelError, ModelReply, ModelRequest, ModelUsage


class WireModel:
    """Asks for text, for one forced call, or for JSON of its schema."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @property
    def name(self) -> str:
        """The model's name, as it is recorded with the check."""
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
        """Return what a call costs at most; see `ports.Priced`.

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
        raise ModelError(
            "refused", "the model, or a filter, declined to answer", usage=usage
        )
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
        if spent is not None and error.usage is not None:
            error.usage = together(spent, error.usage)
        raise
    if spent is None:
        return reply
    return replace(reply, usage=together(spent, reply.usage))


def _mode(
    connection: Connection, deadline: Deadline
) -> tuple[ReplyMode, ModelUsage | None]:
    """How to ask, and what finding that out took just now."""
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
