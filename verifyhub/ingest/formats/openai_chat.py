"""Messages of the OpenAI chat API, as many frameworks store them.

Sources: OpenAI API reference, "Create chat completion" (messages with `tool_calls`,
`tool_call_id`, the older `function_call` and role `function`); tau-bench's
`historical_trajectories` (`traj`, arrays of results).
"""

from typing import Any

from verifyhub.common.contract import FormatError
from verifyhub.ingest.formats.base import Transcript, TranscriptDocument, objects_of
from verifyhub.ingest.formats.content import kind_of
from verifyhub.ingest.formats.entries import TranscriptEntry, word_of
from verifyhub.ingest.formats.turns import Conversation

INSTRUCTING = frozenset({"system", "developer"})
ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
_PLACES = ("messages", "traj")
_BLOCKS = frozenset({"tool_use", "tool_result", "thinking", "redacted_thinking"})


def messages_of(document: TranscriptDocument) -> tuple[str, Any]:
    """Return the path of the messages, and the messages."""
    for name in _PLACES:
        if (value := document.member(name)) is not None:
            return name, value
    return "", document.value


def has_anthropic_blocks(message: dict[str, Any]) -> bool:
    """Whether a message has blocks that only Anthropic's API defines."""
    content = message.get("content")
    return isinstance(content, list) and any(
        isinstance(block, dict) and str(block.get("type")) in _BLOCKS
        for block in content
    )


class OpenAIChat:
    """An array of messages, bare or as `{"messages": […]}` or `{"traj": […]}`."""

    name = "openai_chat"
    about = "OpenAI chat messages, tau-bench"

    def recognises(self, document: TranscriptDocument) -> float:
        _, messages = messages_of(document)
        objects = objects_of(messages)
        if not objects or any(map(has_anthropic_blocks, objects)):
            return 0.0
        plain = filter(_is_plain, objects)
        recognised = sum(word_of(item, "role") in ROLES for item in plain)
        has_calls = any(_calls_or_returns(item) for item in objects)
        return recognised / len(objects) * (0.9 if has_calls else 0.6)

    def read(self, document: TranscriptDocument) -> Transcript:
        conversation = Conversation(self.name)
        place, messages = messages_of(document)
        if not isinstance(messages, list):
            raise FormatError(place, "must be an array of messages.")
        if isinstance(document.value, dict):
            root = document.root()
            conversation.model = root.word("model")
            conversation.is_of(root.word("conversation_id"), root.word("session_id"))
            known = {"model", "conversation_id", "session_id", *_PLACES}
            conversation.note_others(root, known, "messages")
        items = (
            document.items()
            if not place
            else [(f"{place}[{index}]", item) for index, item in enumerate(messages)]
        )
        conversation.each(items, ChatReader(conversation).read)
        return conversation.transcript()


class ChatReader:
    """Reads messages by role."""

    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation

    def read(self, item: Any, place: str) -> None:
        message = TranscriptEntry(item, place)
        role = message.word("role")
        if role == "user":
            self.conversation.asks(self.conversation.text_of(message), place)
        elif role == "assistant":
            self.answer(message)
        elif role in {"tool", "function"}:
            self.result(message)
        elif role in INSTRUCTING:
            self.conversation.instructs(self.conversation.text_of(message))
        else:
            self.conversation.note(f"{kind_of(role)} message", place)

    def answer(self, message: TranscriptEntry) -> None:
        """Read an agent's message: text and tool calls."""
        conversation = self.conversation
        if message.word("model"):
            conversation.model = message.word("model")
        for name in ("reasoning", "reasoning_content"):
            if message.get(name):
                conversation.note("reasoning", message.at(name))
        conversation.says(conversation.text_of(message), message.at("content"))
        if refusal := message.word("refusal"):
            conversation.says(refusal, message.at("refusal"))
        conversation.each(message.entries("tool_calls"), self.call)
        if message.get("function_call") is not None:
            with conversation.noting():
                self._function(message.entry("function_call"), call_id="")

    def call(self, item: Any, place: str) -> None:
        """Read one of `tool_calls`: of a function or a custom tool."""
        call = TranscriptEntry(item, place)
        if call.get("custom") is not None:
            custom = call.entry("custom")
            data = {"input": custom.text("input")}
            self.conversation.calls(
                custom.get("name"), data, place, call_id=call.text("id")
            )
        else:
            self._function(call.entry("function"), call_id=call.word("id"))

    def _function(self, function: TranscriptEntry, *, call_id: str) -> None:
        data = self.conversation.input_of(function)
        self.conversation.calls(
            function.get("name"), data, function.place, call_id=call_id
        )

    def result(self, message: TranscriptEntry) -> None:
        """Read a tool's result."""
        self.conversation.returns(
            self.conversation.output_of(message),
            message.place,
            call_id=message.word("tool_call_id"),
            tool=message.word("name"),
        )


def _is_plain(item: dict[str, Any]) -> bool:
    """Whether a message may be from a chat: items of other APIs have a type."""
    return "type" not in item and "parts" not in item


def _calls_or_returns(item: dict[str, Any]) -> bool:
    return word_of(item, "role") in {"tool", "function"} or bool(
        item.get("tool_calls") or item.get("function_call")
    )
