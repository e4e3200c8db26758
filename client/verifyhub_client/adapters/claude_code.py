"""A Stop hook of Claude Code that blocks answers with invented names.

    {"hooks": {"Stop": [{"hooks": [
      {"type": "command", "command": "verifyhub-stop-hook", "timeout": 60}]}]}}

in `.claude/settings.json`, with `VERIFYHUB_URL` and `VERIFYHUB_API_KEY` (or
`VERIFYHUB_API_KEY_FILE`) in the environment. Claude Code writes a JSON document to
the hook's standard input and reads one from its standard output: `{"decision": "block",
"reason": …}` makes the agent continue, with the reason as its next instruction.

An answer is blocked once: the next stop has `stop_hook_active`, and then the answer is
sent and passes, whatever its verdict. Without a verdict (the hub is unavailable, the
time is over, the transcript cannot be read) the answer passes, with a message on
standard error. The exit code is always 0.
"""

import hashlib
import json
import os
import sys
import threading
import time
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any

from verifyhub_client.adapters.answers import feedback
from verifyhub_client.adapters.claude_transcript import Turn, last_turn
from verifyhub_client.errors import HubError, HubRefusedError
from verifyhub_client.protocol import Patience
from verifyhub_client.runs import Agent
from verifyhub_client.verdict import Verdict
from verifyhub_client.wire import VerifyHub
from verifyhub_client.words import Judgement

DEFAULT_URL = "http://127.0.0.1:8000"
DEFAULT_SECONDS = 45.0
# The transcript may lack the last text of the agent for a moment.
CATCH_UP_SECONDS = 2.0
SUBAGENT = "SubagentStop"
MAX_INPUT_BYTES = 16 * 1024 * 1024


class PassedError(Exception):
    """The answer passes without a verdict, for the reason in the message."""


def main() -> int:
    """Run the hook: read standard input, write a decision, return 0."""
    seconds = _seconds()
    decision: list[dict[str, str] | None] = []
    worker = threading.Thread(
        target=lambda: decision.append(_decide(seconds)), daemon=True
    )
    worker.start()
    # The agent must not wait for a hanging file system or server.
    worker.join(seconds)
    if not decision:
        _say(f"no verdict after {seconds:g} seconds")
    elif decision[0] is not None:
        sys.stdout.write(json.dumps(decision[0]) + "\n")
    sys.stdout.flush()
    sys.stderr.flush()
    # The process must not wait for the thread.
    os._exit(0)


def _decide(seconds: float) -> dict[str, str] | None:
    """Return the decision to block, or None to let the answer pass."""
    try:
        event = _event(sys.stdin.buffer.read(MAX_INPUT_BYTES + 1))
        verdict = _verdict(event, seconds)
    except PassedError as error:
        _say(str(error))
    except Exception as error:  # noqa: BLE001 - the agent's work comes first
        _say(f"failed: {type(error).__name__}")
    else:
        if verdict.verdict is not Judgement.REJECT or not verdict.flagged:
            return None
        if event.get("stop_hook_active") is not True:
            return {"decision": "block", "reason": feedback(verdict)}
        _say("the answer is still rejected; it was asked for again once")
    return None


def _event(data: bytes) -> Mapping[str, Any]:
    try:
        event = json.loads(data)
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, Mapping):
        raise PassedError("standard input holds no hook's document")
    return event


def _verdict(event: Mapping[str, Any], seconds: float) -> Verdict:
    turn, session = _turn(event), str(event.get("session_id") or "")
    run = turn.run
    if not run.task or not run.answer:
        raise PassedError("the transcript holds no answer")
    ids = _Ids(event, session, turn)

    def checked(own_id: str, parent: str | None) -> Verdict:
        return hub.check(
            run.task,
            run.as_answer(),
            id=own_id,
            parent=parent,
            # The previous answer is missing if the server was unavailable.
            parent_expected=True,
            session=session[:200] or None,
            agent=Agent(name="Claude Code", role=ids.role),
        )

    first = ids.of(turn.attempt)
    before = ids.of(turn.attempt - 1) if turn.attempt else None
    try:
        with _hub(seconds) as hub:
            try:
                return checked(first, before)
            except HubRefusedError as error:
                if error.status != HTTPStatus.CONFLICT:
                    raise
                # The agent continued by itself, and stops again.
                return checked(f"{first}-{_digest(run.answer)[:8]}", first)
    except HubError as error:
        raise PassedError(f"no verdict: {type(error).__name__}") from error


class _Ids:
    """The ids of the answers to one request, one for each stop."""

    def __init__(self, event: Mapping[str, Any], session: str, turn: Turn) -> None:
        self.role = str(event.get("agent_type") or "")[:50]
        part = str(event.get("agent_id") or "")
        named = "\0".join((session, part, turn.request, turn.run.task))
        self._name = _digest(named)[:32]

    def of(self, attempt: int) -> str:
        return f"claude-code-{self._name}-{attempt + 1}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()


def _turn(event: Mapping[str, Any]) -> Turn:
    is_side = event.get("hook_event_name") == SUBAGENT
    name = event.get("agent_transcript_path") if is_side else None
    path = Path(str(name or event.get("transcript_path") or "")).expanduser()
    said = event.get("last_assistant_message")
    said = said.strip() if isinstance(said, str) else ""
    end = time.monotonic() + CATCH_UP_SECONDS
    while True:
        try:
            turn = last_turn(path, is_side=is_side)
        except OSError as error:
            raise PassedError("the transcript cannot be read") from error
        if said in turn.run.answer and turn.run.answer:
            return turn
        if time.monotonic() >= end:
            turn.run.answer = said or turn.run.answer
            return turn
        time.sleep(0.1)


def _hub(seconds: float) -> VerifyHub:
    url = os.environ.get("VERIFYHUB_URL") or DEFAULT_URL
    patience = Patience(
        tries=2,
        first_pause_seconds=0.2,
        longest_pause_seconds=2,
        verdict_seconds=seconds,
    )
    try:
        return VerifyHub(url, _key(), patience=patience)
    except ValueError as error:
        raise PassedError(f"VERIFYHUB_URL or VERIFYHUB_API_KEY: {error}") from error


def _key() -> str:
    file = os.environ.get("VERIFYHUB_API_KEY_FILE")
    try:
        key = Path(file).read_text(encoding="utf-8") if file else ""
    except (OSError, UnicodeDecodeError) as error:
        raise PassedError("VERIFYHUB_API_KEY_FILE cannot be read") from error
    key = key.strip() or os.environ.get("VERIFYHUB_API_KEY", "")
    if not key:
        raise PassedError("VERIFYHUB_API_KEY is not set")
    return key


def _seconds() -> float:
    try:
        seconds = float(os.environ.get("VERIFYHUB_HOOK_SECONDS") or DEFAULT_SECONDS)
    except ValueError:
        return DEFAULT_SECONDS
    return seconds if 0 < seconds < 3600 else DEFAULT_SECONDS


def _say(why: str) -> None:
    sys.stderr.write(f"verifyhub: {why}\n")


if __name__ == "__main__":
    sys.exit(main())
