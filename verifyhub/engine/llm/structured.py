"""Ask for a structured reply: a forced call, or text in the same schema."""

from verifyhub.egress.deadline import Deadline
from verifyhub.engine.llm.endpoint import ReplyMode
from verifyhub.engine.llm.exchange import MAX_TRIES, Connection
from verifyhub.engine.llm.messages import (
    ChatMessage,
    ChatRequest,
    MessageRole,
    RawReply,
)
from verifyhub.engine.ports import ModelError, ModelReply, ModelRequest

DECLINED = "the model, or a filter, declined to answer"
# The instructions speak of calling a tool, which this way of replying has none of.
AS_JSON = (
    "\nThere is no tool to call here. Where you are told to call {name}, reply instead"
    " with the JSON object of its arguments, and nothing else."
)


def ask_structured(
    connection: Connection,
    mode: ReplyMode,
    deadline: Deadline,
    request: ModelRequest,
    *,
    tries: int = MAX_TRIES,
) -> ModelReply:
    """Ask for the arguments of the request's tool, as the model writes them.

    Args:
        connection: The model to ask.
        mode: `forced_tool` or `json_schema`.
        deadline: Of the whole exchange.
        tries: How often to ask where a repetition may help.

    Raises:
        ModelError: With what the call took, where there was a reply.
    """
    tool = request.tool or {}
    name = str(tool["name"])
    is_forced = mode == ReplyMode.FORCED_TOOL
    system = request.system + ("" if is_forced else AS_JSON.format(name=name))
    chat = ChatRequest(
        messages=(
            ChatMessage(role=MessageRole.SYSTEM, text=system),
            ChatMessage(role=MessageRole.USER, text=request.user),
        ),
        tools=(tool,) if is_forced else (),
        forced=name if is_forced else "",
        schema=None if is_forced else tool,
        temperature=request.temperature,
    )
    reply, usage = connection.ask(chat, deadline, tries=tries)
    try:
        if reply.is_declined:
            raise ModelError("refused", DECLINED)
        if reply.is_cut:
            raise ModelError("malformed", "the reply was cut at its length limit")
        arguments = _call(reply, name) if is_forced else reply.text
        # The parser of the arguments refuses prose; an empty text is not worth parsing.
        if not is_forced and not arguments.strip():
            raise ModelError("no_tool_call", "the reply is empty")
    except ModelError as error:
        error.usage = usage
        raise
    return ModelReply(text=arguments, usage=usage)


def _call(reply: RawReply, name: str) -> str:
    if len(reply.calls) != 1:
        raise ModelError(
            "no_tool_call", f"the reply holds {len(reply.calls)} calls instead of one"
        )
    if reply.calls[0].name != name:
        raise ModelError("no_tool_call", "the reply calls another tool")
    return reply.calls[0].text
