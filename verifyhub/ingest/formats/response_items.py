"""Items of the OpenAI Responses API, also used by Codex CLI.

Sources: OpenAI API reference, "Responses" (input and output items); Codex CLI,
`codex-rs/protocol/src/models.rs` (`ResponseItem`), as described in
github.com/kvsankar/agent-history and github.com/jnarowski/agentcmd.
"""

from collections.abc import Mapping
from typing import Any

from verifyhub.common.contract import sorted_keys
from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.types import CallStatus
from verifyhub.ingest.formats.content import (
    Output,
    as_json,
    as_output,
    ended,
    kind_of,
)
from verifyhub.ingest.formats.entries import TranscriptEntry
from verifyhub.ingest.formats.turns import Conversation

CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
# Calls of tools that the API runs: call and output are one item.
BUILT_IN = word_set(
    """
    web_search_call file_search_call code_interpreter_call mcp_call
    computer_call image_generation_call tool_search_call shell_call
    apply_patch_call
    """
)
INSTRUCTING = frozenset({"system", "developer"})
# Fields of a built-in tool's item that are neither input nor output.
_FRAME = frozenset({"type", "id", "status", "call_id", "name", "server_label", "error"})
_OUTPUT_FIELDS = ("output", "outputs", "results")
_SUCCESS = {"completed": True, "failed": False, "incomplete": False}
# Texts that Codex CLI writes with the user's role, in rollouts of versions 0.3 to 0.98
# (`codex-rs/core`: `environment_context`, `user_instructions`).
_NO_REQUEST = (
    "<environment_context>",
    "<user_instructions>",
    "<INSTRUCTIONS>",
    "# AGENTS.md instructions",
    "<turn_aborted>",
    "<user_shell_command>",
    "<skill>",
    "<permissions instructions>",
    "<collaboration_mode>",
    "<subagent_notification>",
)


class ItemReader:
    """Reads items by type."""

    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation

    def read(self, item: Any, place: str) -> None:
        entry = TranscriptEntry(item, place)
        kind = entry.word("type") or ("message" if entry.get("role") else "")
        if kind == "message":
            self._message(entry)
        elif kind in CALLS:
            self._call(entry, kind)
        elif kind in BUILT_IN:
            results = {
                name: entry.get(name) for name in _OUTPUT_FIELDS if entry.get(name)
            }
            name = entry.word("name") or kind.removesuffix("_call")
            data = self._input(entry)
            call_id = entry.word("call_id") or entry.word("id")
            call = self.conversation.calls(name, data, entry.place, call_id=call_id)
            if results or entry.get("error"):
                self.conversation.fills(call, self._result(entry, results))
            elif (success := _SUCCESS.get(entry.word("status"))) is not None:
                call.status = ended(success, "")
        elif kind.endswith("_call_output"):
            output = self.conversation.output_of(entry, "output")
            if output.status is CallStatus.UNKNOWN:
                output = Output(output.text, ended(None, output.text))
            self.conversation.returns(
                output, entry.place, call_id=entry.word("call_id")
            )
        else:
            self.conversation.note(kind_of(kind), place)

    def _message(self, entry: TranscriptEntry) -> None:
        conversation, role = self.conversation, entry.word("role")
        if role not in {"user", "assistant", *INSTRUCTING}:
            conversation.note(f"{kind_of(role)} message", entry.place)
            return
        text = conversation.text_of(entry)
        if role in INSTRUCTING:
            conversation.instructs(text)
        elif role == "assistant":
            conversation.says(text, entry.place)
        elif not text.lstrip().startswith(_NO_REQUEST):
            conversation.asks(text, entry.place)
        else:
            conversation.note("text of the program, no request", entry.place)

    def _call(self, entry: TranscriptEntry, kind: str) -> None:
        call_id = entry.word("call_id") or entry.word("id")
        if kind == "local_shell_call":
            action = entry.entry("action").data
            data = sorted_keys({k: v for k, v in action.items() if k != "type"})
            self.conversation.calls("local_shell", data, entry.place, call_id=call_id)
            return
        name = "arguments" if kind == "function_call" else "input"
        value = entry.get(name)
        if name == "input" and isinstance(value, str):
            data = {"input": value}
        else:
            data = self.conversation.input_of(entry, name)
        self.conversation.calls(entry.get("name"), data, entry.place, call_id=call_id)

    def _input(self, entry: TranscriptEntry) -> dict[str, Any]:
        if entry.get("arguments") is not None:
            return self.conversation.input_of(entry)
        left = _FRAME.union(_OUTPUT_FIELDS, {"result"})
        data = {key: value for key, value in entry.data.items() if key not in left}
        action = data.pop("action", None)
        sorted_input: dict[str, Any] = sorted_keys(
            data | action if isinstance(action, dict) else data
        )
        return sorted_input

    def _result(self, entry: TranscriptEntry, results: Mapping[str, Any]) -> Output:
        if error := entry.get("error"):
            text = error if isinstance(error, str) else as_json(error)
            return Output(text, ended(False, text))
        texts = [self._text(value, entry.at(name)) for name, value in results.items()]
        success = _SUCCESS.get(entry.word("status"), entry.word("type") == "mcp_call")
        return Output("\n".join(texts), ended(success or None, texts[0]))

    def _text(self, value: Any, place: str) -> str:
        if isinstance(value, list):
            items = [item for item in value if isinstance(item, dict)]
            logs = [i["logs"] for i in items if isinstance(i.get("logs"), str)]
            if logs and len(logs) == len(value):
                return "\n".join(logs)
        return as_output(value, place, self.conversation.note).text
