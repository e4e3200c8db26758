"""A compiled context in the formats that agents and their tools read.

Whatever the format, a name stands in it as a JSON string on one line: no name can end
its line, make a heading or close the markers around a fragment.
"""

import hashlib
import json
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import quote

from verifyhub.engine.memory.context import PLAIN, AgentContext, Style

# A tool replaces what stands between these lines and nothing else.
BEGIN = "<!-- verifyhub:begin -->"
END = "<!-- verifyhub:end -->"
BACKTICK = "\\u0060"
# The prose around names holds no double quote, so that each begins or ends a name.
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"')


class ContextFormat(StrEnum):
    """The format that a context is delivered in."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    MCP = "mcp"


CONTENT_TYPES = {
    ContextFormat.TEXT: "text/plain; charset=utf-8",
    ContextFormat.JSON: "application/json",
    ContextFormat.MARKDOWN: "text/markdown; charset=utf-8",
    ContextFormat.MCP: "application/json",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """A context as it is sent: the body, and its SHA-256.

    The hash is over the body without the hash itself, which JSON and MCP carry in
    their own fields.
    """

    format: ContextFormat
    body: str
    sha256: str

    @property
    def content_type(self) -> str:
        """The media type of the body."""
        return CONTENT_TYPES[self.format]


def deliver(
    context: AgentContext,
    *,
    format: ContextFormat,  # noqa: A002 - the API's own word
    session: str,
    known: bool,
) -> Delivered:
    """Convert a compiled context to a format.

    Args:
        context: What was compiled, in the style of the format (`STYLES`).
        format: Text for a prompt, JSON, a Markdown fragment between markers, or the
            result of an MCP `resources/read`.
        session: The client's own name for its session; hostile.
        known: Whether that session has sent anything yet.
    """
    if format is ContextFormat.JSON:
        data = as_data(context, session, known)
        digest = _digest(_dumps(data))
        body = _dumps({**data, "sha256": digest})
    elif format is ContextFormat.MCP:
        content: dict[str, Any] = {
            "uri": resource_uri(session),
            "mimeType": "text/markdown",
            "text": context.text,
        }
        digest = _digest(_dumps(content))
        content["_meta"] = {"verifyhub/sha256": digest}
        body = _dumps({"contents": [content]})
    else:
        body, digest = context.text, _digest(context.text)
    return Delivered(format=format, body=body, sha256=digest)


def _code_spans(line: str) -> str:
    # A backtick would end the code span; as an escape of JSON it is the same name.
    return _STRING.sub(lambda name: f"`{name[0].replace('`', BACKTICK)}`", line)


# What a context is compiled in, so that its budget holds for what is sent.
STYLES = {
    ContextFormat.TEXT: PLAIN,
    ContextFormat.JSON: PLAIN,
    ContextFormat.MARKDOWN: Style(
        opening=f"{BEGIN}\n", closing=f"\n{END}\n", write=_code_spans
    ),
    ContextFormat.MCP: Style(write=_code_spans),
}


def as_data(context: AgentContext, session: str, known: bool) -> dict[str, Any]:
    """Return the context as JSON values, the text for a prompt included."""
    return {
        "session": session,
        "known": known,
        "text": context.text,
        "estimated_tokens": context.estimated_tokens,
        "items": [
            {
                "section": str(line.section),
                "line": line.line,
                "name": line.name,
                "kind": line.mention_kind,
                "suggestion": line.suggestion,
                "confidence": line.confidence,
                "id": line.source,
            }
            for line in context.lines
        ],
    }


def resource_uri(session: str) -> str:
    """Return the address of a session's context as an MCP resource."""
    return f"verifyhub://context/{quote(session, safe='')}"


def _dumps(data: object) -> str:
    return json.dumps(data, ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
