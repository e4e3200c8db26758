"""Convert messages of all APIs to one type.

Shapes: OpenAI chat (`content`, `tool_calls`, `tool_call_id`), the parts of the GenAI
conventions (`parts`: text, tool_call, tool_call_response), Anthropic's blocks
(`tool_use`, `tool_result`), Gemini's parts (`functionCall`, `functionResponse`), the
parts of the Vercel AI SDK (`tool-call`, `tool-result`).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from verifyhub.ingest.formats.entries import first_of
from verifyhub.ingest.formats.otlp.keys import parsed
from verifyhub.ingest.formats.otlp.reading import (
    ModelMessage,
    RequestedCall,
    ReturnedResult,
)

USER, ASSISTANT = "user", "assistant"
ROLES = {
    "human": USER,
    "ai": ASSISTANT,
    "model": ASSISTANT,
    "function": "tool",
    "developer": "system",
}
CALL_TYPES = frozenset(
    {"tool_call", "tool_use", "tool-call", "function_call", "server_tool_call"}
)
RESULT_TYPES = frozenset(
    {
        "tool_call_response",
        "tool_result",
        "tool-result",
        "function_call_output",
        "server_tool_call_response",
    }
)
TEXT_TYPES = frozenset({"text", "input_text", "output_text", "refusal"})


def messages_of(value: Any, *, role: str = USER) -> list[ModelMessage]:
    """Read messages from any value: a list of messages, one message, or a text.

    Args:
        value: The value of an attribute; JSON in a string is parsed.
        role: The role of messages without one.
    """
    value = parsed(value)
    if isinstance(value, dict) and isinstance(value.get("messages"), list):
        value = value["messages"]
    items = value if isinstance(value, list) else [value]
    return [message for item in items for message in _message(item, role)]


def last_text(messages: list[ModelMessage], role: str) -> str:
    """Return the last text of a role."""
    texts = (m.text for m in reversed(messages) if m.role == role and m.text.strip())
    return next(texts, "")


def _message(item: Any, role: str) -> Iterator[ModelMessage]:
    item = parsed(item)
    if isinstance(item, str):
        if item:
            yield ModelMessage(role=role, text=item)
        return
    if not isinstance(item, dict):
        return
    inner = item.get("message")
    if isinstance(inner, dict):
        item = inner
    kind = str(item.get("role") or item.get("kind") or item.get("type") or role)
    message = ModelMessage(role=ROLES.get(kind.lower(), kind.lower()))
    texts: list[str] = []
    if "role" not in item and _type(item) in CALL_TYPES | RESULT_TYPES:
        message.role = role
        _take(item, message, texts)
    else:
        _fill(item, message, texts)
    message.text = "\n\n".join(text for text in texts if text)
    yield message


def _fill(item: Mapping[str, Any], message: ModelMessage, texts: list[str]) -> None:
    content = item.get("parts", item.get("content"))
    own = parsed(content) if message.role != "tool" else content
    is_blocks = isinstance(own, list) and all(isinstance(part, dict) for part in own)
    parts = own if is_blocks else [content]
    answered = item.get("tool_call_id") or item.get("id")
    if message.role == "tool" and not any(_is_result(part) for part in parts):
        name = item.get("name") or item.get("tool_name") or ""
        message.results.append(
            ReturnedResult(output=content, id=str(answered or ""), tool=str(name))
        )
        return
    for part in parts:
        _take(part, message, texts)
    calls = parsed(item.get("tool_calls") or item.get("toolCalls"))
    for call in calls if isinstance(calls, list) else []:
        _take_call(call, message)
    if isinstance(item.get("function_call"), dict):
        _take_call(item["function_call"], message)


def _is_result(part: Any) -> bool:
    if not isinstance(part, dict):
        return False
    gemini = part.keys() & {"functionResponse", "function_response"}
    return _type(part) in RESULT_TYPES or bool(gemini)


def _type(part: Mapping[str, Any]) -> str | None:
    """Return the declared type of a part as a string, whatever its JSON type."""
    kind = part.get("type")
    return None if kind is None else str(kind)


def _take(part: Any, message: ModelMessage, texts: list[str]) -> None:
    if isinstance(part, str):
        texts.append(part)
        return
    if not isinstance(part, dict):
        return
    kind = _type(part)
    if kind in CALL_TYPES:
        _take_call(part, message)
    elif _is_result(part):
        message.results.append(_result(part))
    elif isinstance(call := part.get("functionCall", part.get("function_call")), dict):
        _take_call(call, message)
    elif kind is None or kind in TEXT_TYPES:
        text = part.get("text", part.get("content", part.get("refusal")))
        texts.append(text if isinstance(text, str) else "")


def _take_call(call: Any, message: ModelMessage) -> None:
    if not isinstance(call, dict):
        return
    function = call.get("function", call.get("server_tool_call"))
    inner: Mapping[str, Any] = function if isinstance(function, dict) else call
    name = inner.get("name") or call.get("name") or call.get("toolName") or ""
    arguments = first_of(inner, "arguments", "args", "input", "parameters")
    identity = call.get("id") or call.get("call_id") or call.get("toolCallId") or ""
    if name:
        message.calls.append(
            RequestedCall(tool=str(name), input=arguments, id=str(identity))
        )


def _result(part: Mapping[str, Any]) -> ReturnedResult:
    gemini = part.get("functionResponse", part.get("function_response"))
    inner = gemini if isinstance(gemini, dict) else part
    names = ("response", "result", "output", "content", "server_tool_call_response")
    failed = part.get("is_error", part.get("isError"))
    identity = first_of(
        part, "tool_call_id", "tool_use_id", "toolCallId", "call_id", "id"
    ) or inner.get("id")
    return ReturnedResult(
        output=first_of(inner, *names),
        id=str(identity or ""),
        tool=str(first_of(inner, "name", "toolName") or ""),
        failed=failed if isinstance(failed, bool) else None,
    )
