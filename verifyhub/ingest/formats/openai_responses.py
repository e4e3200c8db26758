"""The OpenAI Responses API: a response with its input, or a bare array of items.

Sources: OpenAI API reference, "Responses"; OpenAI Agents SDK, `to_input_list()`. The
oldest rollouts of Codex CLI are such items, one per line.
"""

from collections.abc import Iterator
from typing import Any

from verifyhub.common.contract import FormatError
from verifyhub.ingest.formats.base import (
    Transcript,
    TranscriptDocument,
    objects_of,
    share_of,
)
from verifyhub.ingest.formats.entries import TranscriptEntry, word_of
from verifyhub.ingest.formats.response_items import BUILT_IN, CALLS, ItemReader
from verifyhub.ingest.formats.turns import Conversation
from verifyhub.ingest.formats.usage import ReportedUsage

_TYPES = CALLS | BUILT_IN | {"message", "reasoning", "item_reference"}
_READ = frozenset(
    ["input", "output", "instructions", "model", "usage", "id", "object", "response"]
)


class OpenAIResponses:
    """A response (`{"input": …, "output": […]}`), or an array of items."""

    name = "openai_responses"
    about = "OpenAI Responses, items of the OpenAI Agents SDK"

    def recognises(self, document: TranscriptDocument) -> float:
        value = document.value
        if isinstance(value, dict) and isinstance(value.get("response"), dict):
            value = value["response"]
        if isinstance(value, dict):
            sample = [*_list(value.get("input")), *_list(value.get("output"))]
            surely = value.get("object") == "response"
        else:
            sample, surely = _list(value), False
        objects = objects_of(sample)
        if not any(word_of(item, "type") in _TYPES for item in objects):
            return 0.0
        return 1.0 if surely else 0.95 * share_of(sample, _is_item)

    def read(self, document: TranscriptDocument) -> Transcript:
        conversation = Conversation(self.name)
        reader = ItemReader(conversation)
        if isinstance(document.value, dict):
            root = document.root()
            conversation.each(_of_response(root, conversation), reader.read)
        elif isinstance(document.value, list):
            conversation.each(document.items(), reader.read)
        else:
            raise FormatError("", "must be a response, or an array of items.")
        return conversation.transcript()


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_item(item: dict[str, Any]) -> bool:
    if item.get("type") is None:
        return bool(word_of(item, "role")) and "tool_calls" not in item
    kind = word_of(item, "type")
    return kind in _TYPES or kind.endswith("_call_output")


def _of_response(
    root: TranscriptEntry, conversation: Conversation
) -> Iterator[tuple[str, Any]]:
    """Yield the items of a response: its input, then its output."""
    response = root.entry("response") if root.get("response") else root
    conversation.model = response.word("model") or root.word("model")
    conversation.note_others(root, _READ, "items")
    for entry in (root, response):
        conversation.instructs(entry.word("instructions"))
    model_input = root.get("input")
    if isinstance(model_input, str):
        yield "input", {"role": "user", "content": model_input}
    else:
        yield from root.entries("input")
    yield from response.entries("output")
    usage = response.entry("usage")
    conversation.spends(ReportedUsage.of(usage, "input_tokens", "output_tokens"))
