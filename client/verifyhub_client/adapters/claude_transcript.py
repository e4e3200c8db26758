"""The last turn of a Claude Code transcript, as a run.

Sources: transcripts of versions 2.0 and 2.1, JSON Lines in `~/.claude/projects/`. The
server reads complete sessions; the hook only needs the current turn.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from verifyhub_client.adapters.answers import Run, text_of

# The message with the user's role after a Stop hook has blocked.
BLOCKED = "Stop hook feedback:"
MAX_LINE_BYTES = 32 * 1024 * 1024


@dataclass(slots=True)
class Turn:
    """The turn since the user's last request.

    Attributes:
        request: The id of the line with the request.
        attempt: How often a hook has requested another answer, from 0.
        run: Request, calls and answer.
    """

    request: str = ""
    attempt: int = 0
    run: Run = field(default_factory=Run)

    def asked(self, task: str, line_id: str) -> None:
        """Start the turn of another request."""
        self.request, self.attempt = line_id, 0
        self.run.requested(task)


def last_turn(path: Path, *, is_side: bool = False) -> Turn:
    """Read a transcript; invalid lines are skipped.

    Args:
        path: The file.
        is_side: Whether it is a sub-agent's own file.

    Raises:
        OSError: If it cannot be read.
    """
    turn = Turn()
    with path.open("rb") as file:
        for line in _objects(file):
            if line.get("isSidechain") is True and not is_side:
                continue
            message = line.get("message")
            if not isinstance(message, Mapping) or line.get("isCompactSummary") is True:
                continue
            if line.get("type") == "user":
                _said_by_user(turn, line, message)
            elif line.get("type") == "assistant":
                _said_by_agent(turn, message)
    return turn


def _objects(lines: Iterable[bytes]) -> Iterator[Mapping[str, Any]]:
    for line in lines:
        if len(line) > MAX_LINE_BYTES:
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, Mapping):
            yield value


def _said_by_user(
    turn: Turn, line: Mapping[str, Any], message: Mapping[str, Any]
) -> None:
    content = message.get("content")
    results = _blocks(content, "tool_result")
    for block in results:
        text = text_of(block.get("content"))
        is_error = block.get("is_error") is True
        turn.run.returned(block.get("tool_use_id"), text, is_error=is_error)
    if results:
        # The answer is the text after the last call.
        turn.run.answer = ""
        return
    text = text_of(content)
    if text.startswith(BLOCKED):
        turn.attempt += 1
        turn.run.answer = ""
    elif text and line.get("isMeta") is not True:
        turn.asked(text, str(line.get("uuid") or ""))


def _said_by_agent(turn: Turn, message: Mapping[str, Any]) -> None:
    content = message.get("content")
    for block in _blocks(content, "tool_use"):
        turn.run.asked(block.get("name"), block.get("input"), block.get("id"))
    if text := text_of(content):
        turn.run.answer = f"{turn.run.answer}\n\n{text}".strip()


def _blocks(content: object, kind: str) -> list[Mapping[str, Any]]:
    if not isinstance(content, list):
        return []
    return [
        block
        for block in content
        if isinstance(block, Mapping) and block.get("type") == kind
    ]
