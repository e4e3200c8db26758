"""Shared code of the adapters: runs of frameworks, and feedback to agents."""

import asyncio
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from verifyhub_client.checked import Checked
from verifyhub_client.hubs import AsyncHub, SyncHub
from verifyhub_client.recording import Recording, as_input, as_text
from verifyhub_client.runs import Agent, AgentAnswer
from verifyhub_client.verdict import Verdict
from verifyhub_client.words import Judgement

MOST_NAMED = 20
MAX_NAME = 200
REFUSED: Collection[str] = (Judgement.REJECT,)


@dataclass(slots=True)
class Run:
    """The latest request of a conversation, with its calls and answer.

    Attributes:
        task, answer: The latest ones.
        calls: All calls, in order, with those of earlier requests.
    """

    task: str = ""
    answer: str = ""
    calls: list[dict[str, Any]] = field(default_factory=list)
    _open: dict[str, dict[str, Any]] = field(default_factory=dict)
    _earlier: int = 0

    def requested(self, task: str) -> None:
        """Start a request; the calls so far belong to earlier ones."""
        self.task, self.answer = task, ""
        self._earlier = len(self.calls)

    def asked(self, tool: object, given: object, call_id: object = None) -> None:
        """Add a call; arguments in a JSON string are parsed."""
        call = {
            "tool": as_text(tool)[:MAX_NAME] or "tool",
            "input": _arguments(given),
            "output": "",
            "status": "unknown",
        }
        self.calls.append(call)
        if call_id:
            self._open[str(call_id)] = call

    def returned(
        self, call_id: object, output: object, *, is_error: bool | None = None
    ) -> None:
        """Set the output of a call; `is_error` is None if the status is unknown."""
        call = self._open.get(str(call_id))
        if call is None:
            return
        call["output"] = as_text(output)
        if is_error is not None:
            call["status"] = "error" if is_error else "ok"

    def as_answer(self) -> AgentAnswer:
        """Return the answer with its calls, and earlier ones within the limit."""
        recording = Recording()
        for place, call in enumerate(self.calls):
            if place == self._earlier:
                recording.evidence()
            recording.record(
                call["tool"], call["input"], call["output"], status=call["status"]
            )
        if self._earlier == len(self.calls):
            recording.evidence()
        calls, noted = recording.evidence()
        return AgentAnswer(answer=self.answer, tool_calls=calls, metadata=noted)


def check(
    hub: SyncHub, run: Run, *, session: str | None, agent: Agent
) -> Checked[AgentAnswer]:
    """Verify a run's answer; an unavailable hub raises only with `raise_errors`."""
    return hub.session(session, agent=agent).check(run.task, run.as_answer())


async def check_async(
    hub: SyncHub | AsyncHub, run: Run, *, session: str | None, agent: Agent
) -> Checked[AgentAnswer]:
    """Do the same as `check` in asyncio, with any hub."""
    if isinstance(hub, AsyncHub):
        return await hub.session(session, agent=agent).check(run.task, run.as_answer())
    return await asyncio.to_thread(check, hub, run, session=session, agent=agent)


def is_refused(checked: Checked[Any], refuse: Collection[str]) -> bool:
    """Whether there is a verdict, and it is one of `refuse`."""
    return checked.verdict is not None and checked.verdict.verdict in refuse


def feedback(verdict: Verdict) -> str:
    """Return the feedback to the agent about a refused answer.

    Names are untrusted and written as JSON strings, so that none can begin a line.
    """
    lines = ["VerifyHub checked this answer against what the tools returned."]
    if verdict.flagged:
        lines.append(f"No tool returned these names: {_named(verdict)}.")
    if verdict.additional_context:
        lines.append(verdict.additional_context)
    lines.append("Look up what is missing, or leave it out, and answer again.")
    return "\n".join(lines)


def text_of(content: object) -> str:
    """Return the text of a message: a string, or the text blocks of a list."""
    if not isinstance(content, list | tuple):
        return as_text(content)
    return "\n".join(_texts(content))


def _texts(blocks: Sequence[object]) -> Iterable[str]:
    for block in blocks:
        if isinstance(block, str):
            yield as_text(block)
        elif isinstance(block, Mapping):
            text = block.get("text")
            if isinstance(text, str):
                yield as_text(text)


def _arguments(given: object) -> dict[str, Any]:
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            return {"input": as_text(given)} if given else {}
    if isinstance(given, Mapping):
        return as_input(given)
    return {} if given is None else as_input({"input": given})


def _named(verdict: Verdict) -> str:
    names = [_name(one.text, one.suggestion) for one in verdict.flagged[:MOST_NAMED]]
    more = len(verdict.flagged) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


def _name(text: str, suggestion: str | None) -> str:
    known = f" (did you mean {_quoted(suggestion)}?)" if suggestion else ""
    return _quoted(text) + known


def _quoted(text: str) -> str:
    return json.dumps(text[:MAX_NAME])
