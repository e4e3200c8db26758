"""Messages of LangChain and LangGraph, in their three serialisations.

Sources: LangChain reference, `langchain_core.messages` (`HumanMessage`, `AIMessage`
with `tool_calls` and `usage_metadata`, `ToolMessage` with `tool_call_id` and `status`);
`langchain_core.load.dumpd` (`lc`, `id`, `kwargs`), `messages_to_dict` (`type`, `data`),
and `model_dump` (`type` beside the fields). LangGraph keeps them in a state's
`messages`.
"""

from collections.abc import Iterator
from typing import Any

from verifyhub.common.contract import FormatError
from verifyhub.engine.types import CallStatus
from verifyhub.ingest.formats.base import Transcript, TranscriptDocument, share_of
from verifyhub.ingest.formats.content import (
    Output,
    ended,
    kind_of,
    message_text,
)
from verifyhub.ingest.formats.entries import TranscriptEntry
from verifyhub.ingest.formats.openai_chat import ChatReader
from verifyhub.ingest.formats.turns import Conversation
from verifyhub.ingest.formats.usage import ReportedUsage

_KINDS = {
    "human": "human",
    "HumanMessage": "human",
    "HumanMessageChunk": "human",
    "ai": "ai",
    "AIMessage": "ai",
    "AIMessageChunk": "ai",
    "tool": "tool",
    "ToolMessage": "tool",
    "ToolMessageChunk": "tool",
    "function": "function",
    "FunctionMessage": "function",
    "system": "system",
    "SystemMessage": "system",
}
_PLACES = (
    ("messages",),
    ("values", "messages"),
    ("output", "messages"),
    ("outputs", "messages"),
)
_CALLS = ("tool_calls", "invalid_tool_calls")
_CALL_BLOCKS = {"tool_use", "tool_call", "function_call", "input_json_delta"}
_SUCCESS = {"success": True, "error": False}


class LangChain:
    """An array of messages, or a state that holds one."""

    name = "langchain"
    about = "LangChain and LangGraph messages"

    def recognises(self, document: TranscriptDocument) -> float:
        _, messages = _messages_of(document)
        flat = [item for _, item in _flat("", messages)]
        return share_of(flat, lambda item: _kind(item) in _KINDS.values())

    def read(self, document: TranscriptDocument) -> Transcript:
        conversation = Conversation(self.name)
        place, messages = _messages_of(document)
        if not isinstance(messages, list):
            raise FormatError(place, "must be an array of messages.")
        items = document.items() if document.is_lines else _flat(place, messages)
        conversation.each(items, _LangChainMessages(conversation).read)
        return conversation.transcript()


def _messages_of(document: TranscriptDocument) -> tuple[str, Any]:
    for path in _PLACES:
        if (value := document.member(*path)) is not None:
            return ".".join(path), value
    return "", document.value


def _flat(place: str, messages: Any) -> Iterator[tuple[str, Any]]:
    """Yield messages with their places; callbacks write arrays of arrays."""
    if not isinstance(messages, list):
        return
    for index, item in enumerate(messages):
        if isinstance(item, list):
            for inner, message in enumerate(item):
                yield f"{place}[{index}][{inner}]", message
        else:
            yield f"{place}[{index}]", item


def _kind(item: dict[str, Any]) -> str:
    """Return the kind of a message in any serialisation; "" if it is none."""
    name = item.get("type")
    if "lc" in item and isinstance(item.get("id"), list) and item["id"]:
        name = item["id"][-1]
    return _KINDS.get(name, "") if isinstance(name, str) else ""


def _fields(entry: TranscriptEntry) -> TranscriptEntry:
    """Return the object with the fields of a message."""
    if "lc" in entry.data:
        return entry.entry("kwargs")
    inner = entry.get("data")
    return entry.entry("data") if isinstance(inner, dict) else entry


class _LangChainMessages:
    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation
        self.chat = ChatReader(conversation)

    def read(self, item: Any, place: str) -> None:
        entry = TranscriptEntry(item, place)
        kind, message = _kind(entry.data), _fields(entry)
        if kind == "human":
            self.conversation.asks(self.conversation.text_of(message), place)
        elif kind == "ai":
            self._answer(message)
        elif kind in {"tool", "function"}:
            self._result(message)
        elif kind == "system":
            self.conversation.instructs(self.conversation.text_of(message))
        else:
            self.conversation.note(f"{kind_of(kind)} message", place)

    def _answer(self, message: TranscriptEntry) -> None:
        conversation = self.conversation
        metadata = message.entry("response_metadata")
        conversation.model = (
            metadata.word("model_name") or metadata.word("model") or conversation.model
        )
        content = message.get("content")
        if isinstance(content, list):
            # With any provider, `tool_calls` repeats the calls.
            content = [
                block
                for block in content
                if not isinstance(block, dict)
                or str(block.get("type")) not in _CALL_BLOCKS
            ]
        place = message.at("content")
        conversation.says(
            message_text(content, place, self.conversation.note), message.at("content")
        )
        for name in _CALLS:
            conversation.each(message.entries(name), self._call)
        more = message.entry("additional_kwargs")
        if not any(message.get(name) for name in _CALLS):
            # Older versions have only the provider's form.
            conversation.each(more.entries("tool_calls"), self.chat.call)
        usage = message.entry("usage_metadata")
        conversation.spends(ReportedUsage.of(usage, "input_tokens", "output_tokens"))

    def _call(self, item: Any, place: str) -> None:
        call = TranscriptEntry(item, place)
        data = self.conversation.input_of(call, "args")
        call_id = call.word("id")
        self.conversation.calls(call.get("name"), data, place, call_id=call_id)

    def _result(self, message: TranscriptEntry) -> None:
        output = self.conversation.output_of(message)
        succeeded = _SUCCESS.get(message.word("status"))
        if succeeded is not None and output.status is CallStatus.UNKNOWN:
            output = Output(output.text, ended(succeeded, output.text))
        if message.get("artifact") is not None:
            self.conversation.note("artifact of a tool", message.at("artifact"))
        self.conversation.returns(
            output,
            message.place,
            call_id=message.word("tool_call_id"),
            tool=message.word("name"),
        )
