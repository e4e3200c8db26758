"""Content of messages and tool outputs as text: strings, blocks, MCP results.

Sources: MCP specification 2025-11-25, server/tools (`content`, `isError`,
`structuredContent`); content parts of the OpenAI and Anthropic APIs; the object in
which Codex CLI returns a command's output (`{"output": …, "metadata": {"exit_code":
…}}`).
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from verifyhub.common.contract import FormatError, sorted_keys
from verifyhub.common.strict_json import StrictJSONError
from verifyhub.engine.calls.states import says_refused
from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.types import CallStatus
from verifyhub.ingest.formats.entries import json_in

# Called with the kind and the place of content that is left out.
Noting = Callable[[str, str], None]

_TEXT_TYPES = frozenset(
    {"text", "input_text", "output_text", "refusal", "summary_text"}
)
# Types of content without text.
_MEDIA = word_set(
    """
    image image_url input_image input_audio audio document file input_file video
    computer_screenshot
    """
)
_MCP_KEYS = frozenset({"content", "isError", "structuredContent", "_meta", "meta"})
_HEAD = 400
MAX_KIND = 60


@dataclass(frozen=True, slots=True)
class Output:
    """A tool's output: its text, and the status of the call if it is reported."""

    text: str
    status: CallStatus = CallStatus.UNKNOWN


def as_json(value: Any) -> str:
    """Write a JSON value as one line, keys sorted."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def as_text(value: Any, place: str, noting: Noting) -> str:
    """Return a tool's output as text: a string, or blocks joined by lines.

    Media are noted. Other values are converted to JSON, since they may be evidence.
    """
    if value is None:
        return ""
    blocks = value if isinstance(value, list) else [value]
    return "\n".join(filter(None, _texts(blocks, place, noting, is_message=False)))


def message_text(value: Any, place: str, noting: Noting) -> str:
    """Return the text of a message; other content is noted."""
    if value is None:
        return ""
    blocks = value if isinstance(value, list) else [value]
    return "\n\n".join(
        filter(str.strip, _texts(blocks, place, noting, is_message=True))
    )


def _texts(
    blocks: list[Any], place: str, noting: Noting, *, is_message: bool
) -> Iterator[str]:
    for index, block in enumerate(blocks):
        if isinstance(block, str):
            yield block
            continue
        kind = block.get("type") if isinstance(block, dict) else None
        text = _text_of(block) if isinstance(block, dict) else None
        if text is not None:
            yield text
        elif is_message or (isinstance(kind, str) and kind in _MEDIA):
            noting(f"content {kind_of(kind)}", f"{place}[{index}]")
        else:
            yield as_json(block)


def _text_of(block: Mapping[str, Any]) -> str | None:
    """Return the text of a block; None if it has none."""
    kind = block.get("type")
    text = block.get("refusal") if kind == "refusal" else block.get("text")
    if isinstance(text, str) and (kind is None or str(kind) in _TEXT_TYPES):
        return text
    resource = block.get("resource")
    if kind == "resource" and isinstance(resource, dict):
        inside = resource.get("text")
        return inside if isinstance(inside, str) else str(resource.get("uri", ""))
    if kind == "resource_link":
        return str(block.get("uri", ""))
    return None


def as_output(value: Any, place: str, noting: Noting) -> Output:
    """Return a tool's output, extracted from MCP results and Codex's frames."""
    if isinstance(value, str):
        framed = _object_in(value)
        if framed is None:
            return Output(value)
        return _unframed(framed, place, noting) or Output(value)
    if isinstance(value, dict):
        return _unframed(value, place, noting) or Output(as_text(value, place, noting))
    return Output(as_text(value, place, noting))


def _object_in(text: str) -> dict[str, Any] | None:
    """Return the JSON object of a string, if it may be a wrapped output."""
    head = text[:_HEAD]
    framed = '"content"' in head or '"output"' in head or '"structuredContent"' in head
    if not framed or text.lstrip()[:1] != "{":
        return None
    try:
        value = json_in(text)
    except StrictJSONError:
        return None
    return value if isinstance(value, dict) else None


def _unframed(value: dict[str, Any], place: str, noting: Noting) -> Output | None:
    if _is_mcp(value):
        text = as_text(value.get("content"), f"{place}.content", noting)
        structured = value.get("structuredContent")
        # If there are both, the text repeats the structured content.
        if not text and structured is not None:
            text = as_json(structured)
        failed = value.get("isError")
        # By the specification, absent means that the call did not fail.
        return Output(
            text, ended(not failed if isinstance(failed, bool) else True, text)
        )
    metadata = value.get("metadata")
    if value.keys() <= {"output", "metadata"} and isinstance(metadata, dict):
        inner = as_text(value.get("output"), f"{place}.output", noting)
        return with_exit(inner, metadata.get("exit_code"))
    if "success" in value and value.keys() <= {"content", "success"}:
        success = value["success"]
        inner = as_text(value.get("content"), f"{place}.content", noting)
        return Output(
            inner, ended(success if isinstance(success, bool) else None, inner)
        )
    return None


def _is_mcp(value: Mapping[str, Any]) -> bool:
    if not value.keys() <= _MCP_KEYS:
        return False
    content = value.get("content")
    blocks = isinstance(content, list) and all(
        isinstance(block, dict) and isinstance(block.get("type"), str)
        for block in content
    )
    return blocks or (content is None and "structuredContent" in value)


def ended(succeeded: bool | None, text: str) -> CallStatus:
    """Return how a call ended, by its reported status and a refusal in its output."""
    if succeeded:
        return CallStatus.OK
    if says_refused(text[:_HEAD]):
        return CallStatus.REFUSED
    return CallStatus.UNKNOWN if succeeded is None else CallStatus.ERROR


def with_exit(text: str, code: Any) -> Output:
    """Return the output of a command, with its separately reported exit status.

    A status other than 0 is appended to the text, where the ledger reads it. A negative
    status means that the command has not ended.
    """
    if isinstance(code, bool) or not isinstance(code, int) or code < 0:
        return Output(text, ended(None, text))
    if code == 0:
        return Output(text, CallStatus.OK)
    start = f"{text}\n" if text and not text.endswith("\n") else text
    return Output(f"{start}Exit code: {code}", CallStatus.ERROR)


def as_input(value: Any, place: str, noting: Noting) -> dict[str, Any]:
    """Return a call's input: an object, or the JSON object in a string."""
    if value is None or value == "":
        return {}
    if isinstance(value, str):
        try:
            value = json_in(value)
        except StrictJSONError:
            noting("arguments that are not JSON", place)
            return {"input": value}
    if not isinstance(value, dict):
        noting("arguments that are no object", place)
        return {"input": value}
    sorted_input: dict[str, Any] = sorted_keys(value)
    return sorted_input


def kind_of(value: Any) -> str:
    """Return the name of a type for a note."""
    if not isinstance(value, str) or not value:
        return "of no type"
    return value[:MAX_KIND]


def need_text(value: Any, place: str) -> str:
    """Return a required string, such as the name of a tool."""
    if not isinstance(value, str) or not value:
        raise FormatError(place, "is required: a string.")
    return value
