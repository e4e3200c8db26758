"""What a run is made of: attempts, answers, verdicts, and how it ended."""

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
    """Who answered: a name, a tier (small, medium, large) and a role."""

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
    """How a run ended. Only `accepted` means that VerifyHub accepted the answer."""

    ACCEPTED = "accepted"
    UNCERTAIN = "uncertain"
    FAILED = "failed"
    BLOCKED = "blocked"
    UNVERIFIED = "unverified"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """What the agent is asked this time.

    Attributes:
        task: The task, the same text at every attempt.
        prompt: The whole text for the model: task, what is known, what to do better.
        number: 1 for the first.
        kind: Why it is asked again.
        context: What memory says, on its own; it stands in `prompt`.
        additional_context: What the last verdict asks for; it stands in `prompt`.
        previous: The last answer's verdict; None at the first attempt.
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
    """An agent's answer with what its tools returned.

    Attributes:
        answer: The text.
        tool_calls: In order, each with `tool`, `input`, `output`, `status` and the
            other fields of the API; outputs whole, since they are the evidence.
        sources: Texts that the answer was to be written from, or objects with a `text`
            and a `title`; statements of fact are checked against them.
        self_assessment, structured_output, manifest: As the API takes them.
        usage: What the run itself took: `input_tokens`, `output_tokens`, `cost_usd`.
        metadata: Kept beside the run.
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
    """One attempt, its answer and what VerifyHub said; `id` names it at the server.

    `verdict` is None only where the server gave none; `follow_ups` are the runs that
    its verdict asked for.
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
        outcome: Only `accepted` means that the answer was accepted. `uncertain`: it
            may be used, with its verdict shown. `failed`: it must not. `blocked`:
            nor may anybody be shown it. `unverified`: nobody checked it.
        reason: A stable word: the decision's or the mitigation's, or `max_attempts`,
            `hub_unavailable`.
        attempts: All of them, in order; at least one.
        disclaimer: What a reader is to be told beside the answer; empty unless
            mitigations are followed.
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
        """The last answer, whatever was said of it."""
        return self.attempts[-1].answer.answer

    @property
    def shown(self) -> str:
        """What a reader may see: the answer, with its disclaimer below.

        Raises:
            AnswerBlockedError: If nobody may see it.
        """
        if self.outcome is RunOutcome.BLOCKED:
            raise AnswerBlockedError(self.id, self.reason)
        return "\n\n".join(part for part in (self.answer, self.disclaimer) if part)

    @property
    def verdict(self) -> Verdict | None:
        """What was said of the last answer."""
        return self.attempts[-1].verdict

    @property
    def id(self) -> str:
        """The last attempt's id at the server."""
        return self.attempts[-1].id

    @property
    def tool_calls(self) -> tuple[Mapping[str, Any], ...]:
        """What the tools returned for the last answer."""
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
    """Return the document that the API takes for one attempt, without empty fields.

    `parent_expected` says that the parent may reach the server later, or never.
    `context` is the memory the agent was told, as the server gave it; its hash is
    sent, so that the server can measure what telling does.
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
