"""The parts of a run: attempts, answers, verdicts, and the outcome."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Any
from uuid import uuid4

from verifyhub_client.errors import AnswerBlockedError
from verifyhub_client.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """An agent: name, tier (small, medium, large) and role."""

    name: str = ""
    tier: str = ""
    role: str = ""


class AttemptKind(StrEnum):
    """Why the agent is asked."""

    FIRST = "first"
    RETRY = "retry"
    REFORMULATE = "reformulate"
    CLARIFY = "clarify"
    COMPLETE = "complete"
    MITIGATE = "mitigate"


class RunOutcome(StrEnum):
    """The outcome of a run; only `accepted` means that the answer was accepted."""

    ACCEPTED = "accepted"
    UNCERTAIN = "uncertain"
    FAILED = "failed"
    BLOCKED = "blocked"
    UNVERIFIED = "unverified"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """The input of the agent for one attempt.

    Attributes:
        task: The task, the same text in every attempt.
        prompt: The complete text for the model: task, memory, and what to improve.
        number: The number of the attempt, from 1.
        kind: Why the agent is asked.
        context: The memory of the session; `prompt` contains it.
        additional_context: The request of the last verdict; `prompt` contains it.
        previous: The verdict on the last answer; None in the first attempt.
        session: The session's name.
    """

    task: str
    prompt: str
    number: int = 1
    kind: AttemptKind = AttemptKind.FIRST
    context: str = ""
    additional_context: str = ""
    previous: Verdict | None = None
    session: str | None = None

    def __str__(self) -> str:
        return self.prompt


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentAnswer:
    """An agent's answer with its tool calls.

    Attributes:
        answer: The text.
        tool_calls: The calls in order, each with `tool`, `input`, `output`, `status`
            and the other fields of the API; outputs must be complete, as the evidence.
        sources: Source texts, or objects with a `text` and a `title`; claims of fact
            are checked against them.
        self_assessment, structured_output, manifest: As in the API.
        usage: The usage of the run: `input_tokens`, `output_tokens`, `cost_usd`.
        metadata: Stored with the run.
    """

    answer: str
    tool_calls: Sequence[Mapping[str, Any]] = ()
    sources: Sequence[Any] = ()
    self_assessment: Mapping[str, Any] | None = None
    structured_output: Any = None
    manifest: Sequence[Mapping[str, Any]] | None = None
    usage: Mapping[str, Any] | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptRecord:
    """One attempt with its answer and verdict; `id` is its id at the server.

    `verdict` is None only if the server returned none; `follow_ups` are the runs that
    the verdict requested.
    """

    id: str
    attempt: Attempt
    answer: AgentAnswer
    verdict: Verdict | None
    follow_ups: tuple["RunResult", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """A run from the first attempt to its end.

    Attributes:
        outcome: Only `accepted` means that the answer was accepted. An `uncertain`
            answer may be used if its verdict is shown; a `failed` one must not be used,
            a `blocked` one not even shown. An `unverified` one was not checked.
        reason: The stable code of the decision or mitigation, or `max_attempts` or
            `hub_unavailable`.
        attempts: All attempts in order; at least one.
        disclaimer: Text to show with the answer; empty unless mitigations are applied.
    """

    task: str
    session: str | None
    outcome: RunOutcome
    reason: str
    attempts: tuple[AttemptRecord, ...]
    disclaimer: str = ""

    @property
    def accepted(self) -> bool:
        """Whether VerifyHub accepted the last answer."""
        return self.outcome is RunOutcome.ACCEPTED

    @property
    def answer(self) -> str:
        """The last answer, whatever its verdict."""
        return self.attempts[-1].answer.answer

    @property
    def shown(self) -> str:
        """The text for readers: the answer, followed by its disclaimer.

        Raises:
            AnswerBlockedError: If the answer is blocked.
        """
        if self.outcome is RunOutcome.BLOCKED:
            raise AnswerBlockedError(self.id, self.reason)
        return "\n\n".join(part for part in (self.answer, self.disclaimer) if part)

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on the last answer."""
        return self.attempts[-1].verdict

    @property
    def id(self) -> str:
        """The last attempt's id at the server."""
        return self.attempts[-1].id

    @property
    def tool_calls(self) -> tuple[Mapping[str, Any], ...]:
        """The tool calls of the last answer."""
        return tuple(self.attempts[-1].answer.tool_calls)


def new_id() -> str:
    """Return a random id for an answer."""
    return f"answer-{uuid4().hex}"


def interaction_body(
    task: str,
    answer: AgentAnswer,
    *,
    interaction_id: str | None,
    session: str | None,
    agent: Agent,
    parent: str | None,
    goal: str | None = None,
    verification_type: str | None = None,
    discussion: Sequence[Mapping[str, str]] | None = None,
    context: str = "",
    parent_expected: bool = False,
) -> dict[str, Any]:
    """Return the API's document of one attempt, without empty fields.

    With `parent_expected`, the parent may reach the server later, or never. `context`
    is the memory that the agent received; its hash is sent, so that the server can
    measure its effect.
    """
    body = {
        "id": interaction_id,
        "task": task,
        "answer": answer.answer,
        "session": session,
        "agent": {"name": agent.name, "tier": agent.tier, "role": agent.role},
        "parent": parent,
        "parent_expected": (parent_expected and bool(parent)) or None,
        "tool_calls": [dict(call) for call in answer.tool_calls],
        "sources": list(answer.sources) or None,
        "self_assessment": answer.self_assessment,
        "structured_output": answer.structured_output,
        "manifest": answer.manifest,
        "usage": answer.usage,
        "goal": goal,
        "verification_type": verification_type,
        "discussion": discussion and [dict(turn) for turn in discussion],
        "metadata": dict(answer.metadata) or None,
        "context_sha256": sha256(context.encode()).hexdigest() if context else None,
    }
    return {name: value for name, value in body.items() if value is not None}
