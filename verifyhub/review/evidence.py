"""From a place in a report to the text that stands there."""

from collections.abc import Mapping
from dataclasses import dataclass
from json import dumps
from typing import Any

from django.utils.safestring import SafeString

from verifyhub.common.untrusted import excerpt, highlighted
from verifyhub.ingest.models import ToolCall

# Characters shown on either side of the found name: a screenful, not the output.
CONTEXT_CHARACTERS = 240
# Enough for the last lines of a test run or a build.
ENDING_CHARACTERS = 400
# A part of a long text; the reader pages on.
PART_CHARACTERS = 60_000


@dataclass(frozen=True, slots=True)
class Place:
    """One piece of evidence, ready to be shown.

    `start` and `end` say which range of the whole text `html` shows, in code points.
    """

    call: ToolCall
    field: str
    html: SafeString
    start: int
    end: int
    length: int

    @property
    def is_cut(self) -> bool:
        """Whether the text goes on before or after what is shown."""
        return self.end - self.start < self.length


def places(mention: Mapping[str, Any], calls: Mapping[int, ToolCall]) -> list[Place]:
    """Return the evidence of a mention; what the trace no longer holds is left out."""
    found = []
    for evidence in mention["evidence"]:
        call = calls.get(evidence["tool_call"])
        text = text_at(call, evidence["field"]) if call else None
        if call is None or text is None:
            continue
        first, last = evidence["span"]
        start, end = excerpt(text, (first, last), around=CONTEXT_CHARACTERS)
        html = highlighted(text[start:end], [(first - start, last - start)])
        found.append(Place(call, evidence["field"], html, start, end, len(text)))
    return found


def ending(call: ToolCall) -> Place:
    """Return the end of a tool's output: where test runs and builds say how it went."""
    start = max(0, len(call.output) - ENDING_CHARACTERS)
    html = highlighted(call.output[start:], [])
    length = len(call.output)
    return Place(call, "output", html, start, length, length)


def part(text: str, start: int, spans: list[tuple[int, int]]) -> SafeString:
    """Render one part of a long text, from `start`, with spans of the whole marked."""
    end = start + PART_CHARACTERS
    return highlighted(
        text[start:end],
        [(first - start, last - start) for first, last in spans if last > start],
    )


def text_at(call: ToolCall, field: str) -> str | None:
    """Return the text of a call that a report's `field` names.

    Args:
        call: The tool call, whole.
        field: `output`, or `input.` and keys and list positions joined by dots.

    Returns:
        The string there; None if the path leads to nothing or to no string.
    """
    if field == "output":
        return call.output
    found = _follow(call.input, field.removeprefix("input."))
    return found if isinstance(found, str) or found is None else dumps(found)


def _follow(value: Any, path: str) -> Any:
    """Walk a dotted path; keys that hold dots themselves are tried longest first."""
    if not path:
        return value
    if isinstance(value, list):
        head, _, rest = path.partition(".")
        inside = head.isdecimal() and int(head) < len(value)
        return _follow(value[int(head)], rest) if inside else None
    if isinstance(value, dict):
        keys = [key for key in value if path == key or path.startswith(f"{key}.")]
        for key in sorted(keys, key=len, reverse=True):
            return _follow(value[key], path[len(key) + 1 :])
    return None
