"""Options of a run, and the types of its functions."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, TypedDict

from verifyhub_client.runs import Agent, AgentAnswer, Attempt, AttemptRecord

Answered: TypeAlias = str | AgentAnswer
AgentFunction: TypeAlias = Callable[[Attempt], Answered]
AsyncAgentFunction: TypeAlias = Callable[[Attempt], Awaitable[Answered] | Answered]
Clarify: TypeAlias = Callable[[AttemptRecord], str | None]
AsyncClarify: TypeAlias = Callable[[AttemptRecord], Awaitable[str | None] | str | None]
# Returns the action of the mitigation for a checked attempt; None for none.
AsyncMitigate: TypeAlias = Callable[[AttemptRecord], Awaitable[str | None] | str | None]
OnOutage: TypeAlias = Literal["raise", "unverified"]


class RunKeywords(TypedDict, total=False):
    """The keywords of `run_until_accepted`; see `RunOptions`."""

    session: str | None
    max_attempts: int
    name: str
    tier: str
    role: str
    parent: str | None
    parent_expected: bool
    run_id: str | None
    context_budget: int
    clarify: AsyncClarify | None
    follow_ups: bool
    mitigate: bool | AsyncMitigate
    on_outage: OnOutage
    metadata: Mapping[str, Any]
    goal: str | None
    verification_type: str | None
    discussion: Sequence[Mapping[str, str]] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """Options of a run.

    Attributes:
        session: The name of the session, whose memory the run reads and writes; None
            for a new session.
        max_attempts: The maximum number of answers, including the first. The server
            returns `fail` at its project's own limit.
        name, tier, role: The agent; the tier decides which model checks its answers.
        parent: The id of the interaction of which this run is a subtask.
        parent_expected: Whether that interaction may be sent after this run's.
        run_id: The prefix of the attempts' ids; None for a random one.
        context_budget: Maximum tokens of memory in the prompt; 0 for none.
        clarify: Called with a contradicted attempt; returns the comment of a person or
            another agent, or None to let the agent resolve it.
        follow_ups: Whether subtasks close gaps; otherwise an answer with gaps stays
            uncertain.
        mitigate: Whether the advice in `mitigation` of a verdict is applied. A function
            is called with each attempt that has advice, and returns the action to
            apply, or None.
        on_outage: `raise` raises the error; `unverified` returns the answer as
            unverified. A refusal (wrong key, wrong field) always raises.
        metadata: Stored with each attempt.
        goal: The goal; a judge decides whether each answer achieves it. None requests
            no judgement, unless the project always requires one.
        verification_type: `agent`, `orchestrator` or `moderator`; None to derive it
            from the role.
        discussion: The turns that a moderator summarises, with `speaker` and `text`.
    """

    session: str | None = None
    max_attempts: int = 3
    name: str = ""
    tier: str = "small"
    role: str = ""
    parent: str | None = None
    parent_expected: bool = False
    run_id: str | None = None
    context_budget: int = 1000
    clarify: AsyncClarify | None = None
    follow_ups: bool = True
    mitigate: bool | AsyncMitigate = False
    on_outage: OnOutage = "raise"
    metadata: Mapping[str, Any] = field(default_factory=dict)
    goal: str | None = None
    verification_type: str | None = None
    discussion: Sequence[Mapping[str, str]] | None = None

    def __post_init__(self) -> None:
        if self.max_attempts < 1:
            raise ValueError("max_attempts must be 1 or more")
        if self.on_outage not in {"raise", "unverified"}:
            raise ValueError("on_outage must be raise or unverified")

    @property
    def agent(self) -> Agent:
        """The agent, as the server stores it."""
        return Agent(name=self.name, tier=self.tier, role=self.role)
