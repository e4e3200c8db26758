"""How one run is to go, and the functions a program supplies for it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, TypedDict

from verifyhub_client.runs import Agent, AgentAnswer, Attempt, AttemptRecord

Answered: TypeAlias = str | AgentAnswer
AgentFunction: TypeAlias = Callable[[Attempt], Answered]
AsyncAgentFunction: TypeAlias = Callable[[Attempt], Awaitable[Answered] | Answered]
Clarify: TypeAlias = Callable[[AttemptRecord], str | None]
AsyncClarify: TypeAlias = Callable[[AttemptRecord], Awaitable[str | None] | str | None]
# Given a checked attempt, the mitigation to follow by its word; None follows none.
AsyncMitigate: TypeAlias = Callable[[AttemptRecord], Awaitable[str | None] | str | None]
OnOutage: TypeAlias = Literal["raise", "unverified"]


class RunKeywords(TypedDict, total=False):
    """The keywords of `run_until_accepted`; `RunOptions` says what they mean."""

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
    """How one run is to go.

    Attributes:
        session: The session's name, whose memory the run reads and writes; None gives
            it one of its own.
        max_attempts: Answers at most, the first included. The server counts too and
            says `fail` by its project's limit.
        name, tier, role: Who answers; the tier decides which model checks it.
        parent: Id of the interaction this run is a subtask of.
        parent_expected: Whether that interaction may be sent after this run's.
        run_id: What the attempts' ids begin with; None for a random one.
        context_budget: Tokens of memory in the prompt; 0 asks for none.
        clarify: Called with the contradicted attempt; returns what a person or another
            agent says to it, or None to let the agent clear it up alone.
        follow_ups: Whether gaps are closed by subtasks; without, the answer stays
            uncertain.
        mitigate: Whether the advice in a verdict's `mitigation` is followed. A function
            is given each attempt that has advice, and says which action is taken, or
            None for none.
        on_outage: `raise` lets the error through; `unverified` returns the answer
            marked as such. A refusal (wrong key, wrong field) always raises.
        metadata: Kept with each attempt.
        goal: What is to be reached: a judge says whether each answer does. None asks
            for no such judgement, unless the project always wants one.
        verification_type: Whose goal it is: `agent`, `orchestrator` or `moderator`;
            None lets the role tell.
        discussion: What a moderator concludes from: turns with `speaker` and `text`.
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
        """Who answers, as the server records it."""
        return Agent(name=self.name, tier=self.tier, role=self.role)
