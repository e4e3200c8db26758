"""Messages of the Anthropic API: text, `tool_use` and `tool_result` blocks.

Sources: Anthropic API reference, "Messages" (blocks; `is_error` of a `tool_result` is
optional and false by default; server tools: `server_tool_use`, `mcp_tool_use`,
`web_search_tool_result` and others).
"""

import re
from typing import Any

from verifyhub.common.contract import FormatError
from verifyhub.ingest.formats.base import Transcript, TranscriptDocument, objects_of
from verifyhub.ingest.formats.content import (
    Output,
    as_input,
    ended,
    kind_of,
)
from verifyhub.ingest.formats.entries import TranscriptEntry, word_of
from verifyhub.ingest.formats.openai_chat import has_anthropic_blocks
from verifyhub.ingest.formats.turn import TurnCall
from verifyhub.ingest.formats.turns import Conversation
from verifyhub.ingest.formats.usage import ReportedUsage, total

_ROLES = frozenset({"user", "assistant", "system"})
_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_THOUGHTS = frozenset({"thinking", "redacted_thinking"})
_FAILED = "<tool_use_error>"


class AnthropicMessages:
    """An array of messages, bare or as `{"messages": […]}`."""

    name = "anthropic_messages"
    about = "Anthropic messages with tool_use and tool_result"

    def recognises(self, document: TranscriptDocument) -> float:
        messages = document.member("messages") or document.value
        objects = objects_of(messages)
        if any(word_of(item, "role") not in _ROLES for item in objects):
            return 0.0
        typed = any("sessionId" in item or "uuid" in item for item in objects)
        return 0.0 if typed else float(any(map(has_anthropic_blocks, objects)))

    def read(self, document: TranscriptDocument) -> Transcript:
        conversation = Conversation(self.name)
        messages, place = document.value, ""
        if isinstance(messages, dict):
            root, place = document.root(), "messages"
            conversation.model = root.word("model")
            conversation.instructs(conversation.text_of(root, "system"))
            messages = root.array("messages")
        if not isinstance(messages, list):
            raise FormatError(place, "must be an array of messages.")
        reader = BlockReader(conversation)
        items = [(f"{place}[{index}]", item) for index, item in enumerate(messages)]
        conversation.each(document.items() or items, reader.message)
        return conversation.transcript()


class BlockReader:
    """Reads messages of content blocks, as Claude Code stores them too."""

    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation
        self.prompts = PromptReader(conversation)

    def message(self, item: Any, place: str) -> None:
        """Read one message."""
        message = TranscriptEntry(item, place)
        role = message.word("role")
        if role == "assistant":
            self.answer(message)
        elif role == "user":
            self.request(message)
        elif role == "system":
            self.conversation.instructs(self.conversation.text_of(message))
        else:
            self.conversation.note(f"{kind_of(role)} message", place)

    def request(self, message: TranscriptEntry) -> list[TurnCall]:
        """Read a user's message: requests and tool results.

        Returns:
            The calls whose results it contains.
        """
        content = message.get("content")
        if isinstance(content, str):
            self.prompts.read(content, message.at("content"))
            return []
        answered: list[TurnCall] = []
        for place, item in message.entries("content"):
            with self.conversation.noting():
                answered += self._request_block(TranscriptEntry(item, place))
        return answered

    def _request_block(self, block: TranscriptEntry) -> list[TurnCall]:
        kind = block.word("type")
        if kind == "text":
            self.prompts.read(block.text("text"), block.place)
        elif kind.endswith("tool_result"):
            return [self._result(block)]
        else:
            self.conversation.note(f"content {kind_of(kind)}", block.place)
        return []

    def answer(self, message: TranscriptEntry) -> None:
        """Read an agent's message: texts and tool calls."""
        if message.word("model"):
            self.conversation.model = message.word("model")
        content = message.get("content")
        if isinstance(content, str):
            self.conversation.says(content, message.at("content"))
            return
        self.conversation.each(message.entries("content"), self._answer_block)

    def _answer_block(self, item: Any, place: str) -> None:
        block = TranscriptEntry(item, place)
        kind = block.word("type")
        if kind == "text":
            self.conversation.says(block.text("text"), place)
        elif kind in _CALLS:
            data = as_input(block.get("input"), place, self.conversation.note)
            call_id = block.word("id")
            self.conversation.calls(block.get("name"), data, place, call_id=call_id)
        elif kind.endswith("tool_result"):
            self._result(block)
        elif kind in _THOUGHTS:
            self.conversation.note("thinking", place)
        else:
            self.conversation.note(f"content {kind_of(kind)}", place)

    def _result(self, block: TranscriptEntry) -> TurnCall:
        output = self.conversation.output_of(block)
        failed = block.get("is_error") is True or output.text.startswith(_FAILED)
        status = ended(not failed, output.text)
        return self.conversation.returns(
            Output(output.text, status), block.place, call_id=block.word("tool_use_id")
        )


def spent_by(usage: TranscriptEntry) -> ReportedUsage:
    """Read the usage of a message; cached input counts as input."""
    return ReportedUsage(
        input_tokens=total(
            usage.number("input_tokens"),
            usage.number("cache_creation_input_tokens"),
            usage.number("cache_read_input_tokens"),
        ),
        output_tokens=usage.number("output_tokens"),
    )


# Messages of the user's role in Claude Code: requests, and texts of the program.
#
# Sources: transcripts of Claude Code 1.0 to 2.1. The program writes the user's commands
# (`/clear`), their output and reminders as messages of the user in special tags, and
# interruptions as a note in brackets.
_NAME = re.compile(r"<command-name>([^<]{0,200})</command-name>")
_ARGUMENTS = re.compile(r"<command-args>([^<]*+)</command-args>")
_COMMANDS = ("<command-name>", "<command-message>", "<command-args>")
_REMINDER, _REMINDER_END = "<system-reminder>", "</system-reminder>"
# The output of a user's command, which is not the agent's.
_PRINTED = ("<local-command-stdout>", "<local-command-stderr>")
_NO_REQUEST = (
    *_PRINTED,
    "<local-command-caveat>",
    "Caveat: The messages below were generated by the user while running local",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    _REMINDER,
    "<task-notification>",
    "<user-memory-input>",
)
_INTERRUPTED = "[Request interrupted by user"


class PromptReader:
    """Distinguishes a user's requests from the program's texts in the user's role."""

    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation

    def read(self, text: str, place: str) -> None:
        """Read a text of the user's side."""
        head = text.lstrip()
        if head.startswith(_INTERRUPTED):
            self.conversation.interrupts(place)
        elif head.startswith(_COMMANDS):
            self._command(head, place)
        elif head.startswith(_NO_REQUEST):
            self._aside(head, place)
        else:
            self.conversation.asks(text, place)

    def _aside(self, text: str, place: str) -> None:
        self.conversation.note("text of the shell, no request", place)
        if text.startswith(_PRINTED):
            self.conversation.drops_request()
        if text.startswith(_REMINDER):
            # A request may follow a reminder of the program.
            request = text.rpartition(_REMINDER_END)[2]
            if request.strip() and request != text:
                self.conversation.asks(request.strip(), place)

    def _command(self, text: str, place: str) -> None:
        """Defer a command: it is a request only if the agent acts on it."""
        self.conversation.note("command of the shell", place)
        name, arguments = _NAME.search(text), _ARGUMENTS.search(text)
        words = [match[1].strip() for match in (name, arguments) if match]
        self.conversation.may_ask(" ".join(filter(None, words)))
