"""VerifyHub for agents, in threads or asyncio."""

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from verifyhub_client.loop import Checker, run_steps
from verifyhub_client.observing import Observing, body_of
from verifyhub_client.options import (
    AgentFunction,
    AsyncAgentFunction,
    RunKeywords,
    RunOptions,
)
from verifyhub_client.protocol import Guarded
from verifyhub_client.runs import (
    Agent,
    AgentAnswer,
    RunResult,
)
from verifyhub_client.sending import BackgroundSender
from verifyhub_client.sessions import AsyncSession, Session
from verifyhub_client.steps import Request, Response, Steps, T, run, run_async
from verifyhub_client.verdict import Verdict

DEFAULT_BUDGET = 1000


def _no_request(request: Request) -> Response:
    raise RuntimeError(f"a local hub sends nothing: {request.path}")


class SyncHub(Observing):
    """What both synchronous hubs do alike."""

    def __init__(
        self,
        checker: Checker,
        *,
        background: BackgroundSender | None = None,
        raise_errors: bool = False,
    ) -> None:
        super().__init__(background, raise_errors=raise_errors)
        self.checker = checker

    def carry_out(self, steps: Steps[T]) -> T:
        """Carry out the steps of a run, as this hub does it."""
        return run(steps, _no_request)

    def check(
        self,
        task: str,
        answer: str | AgentAnswer,
        *,
        tool_calls: Sequence[Mapping[str, Any]] = (),
        id: str | None = None,  # noqa: A002 - the API's own word
        session: str | None = None,
        agent: Agent = Agent(),  # noqa: B008 - frozen
        parent: str | None = None,
        parent_expected: bool = False,
    ) -> Verdict:
        """Have one answer verified and wait for its verdict.

        Args:
            task: What the agent was asked.
            answer: Its text, or an `AgentAnswer` that holds its tool calls too.
            tool_calls: What its tools returned, where `answer` is a text.
            id: Your name for this answer; the same one again with the same content
                gives the same verdict. None for a random one.
            session: Your name for the conversation or job.
            agent: Who answered; its tier decides which model checks it.
            parent: The id of the answer this one follows.
            parent_expected: Whether that answer may be sent after this one.

        Raises:
            HubError: If there is no verdict; then the answer is not verified.
        """
        body = body_of(
            task,
            answer,
            tool_calls,
            id,
            session,
            agent,
            parent,
            parent_expected=parent_expected,
        )
        return self.carry_out(self.checker.check_steps(body))

    def context(
        self, session: str, *, task: str = "", budget: int = DEFAULT_BUDGET
    ) -> str:
        """Return what the session's next prompt should know, within `budget` tokens.

        Raises:
            HubError: If it cannot be had.
        """
        return self.carry_out(self.checker.context_steps(session, task, budget))

    def guard(self, text: str) -> Guarded:
        """Hold a draft against the project's constraints and snapshots.

        Raises:
            HubError: If nobody looked at it; then nothing is known of it. A hub in the
                process has no project.
        """
        return self.carry_out(self.checker.guard_steps(text))

    def session(
        self,
        name: str | None,
        *,
        agent: Agent = Agent(),  # noqa: B008 - frozen
        raise_errors: bool | None = None,
    ) -> Session:
        """Return a session of this hub.

        Args:
            name: Your name for the conversation or job; its memory is shared by all
                answers under it. None: there is no such memory.
            agent: Who answers in it.
            raise_errors: Whether the hub's errors reach the agent; as the hub unless
                told.
        """
        raising = self.raise_errors if raise_errors is None else raise_errors
        return Session(self, name, agent, raise_errors=raising)

    def run_until_accepted(
        self, agent: AgentFunction, task: str, **options: Unpack[RunKeywords]
    ) -> RunResult:
        """Run an agent on a task, following each decision, until it is enough.

        Args:
            agent: Called with an `Attempt`; returns a text or an `AgentAnswer`.
            task: What it is asked.
            options: See `RunOptions`.

        Returns:
            Every attempt with its verdict, and how it ended; only
            `result.accepted` means that the answer was accepted.

        Raises:
            HubError: If an answer could not be checked, unless `on_outage` says
                `unverified`; what the agent raises goes through.
        """
        return self.carry_out(
            run_steps(self.checker, agent, task, RunOptions(**options))
        )


class AsyncHub(Observing):
    """What both asynchronous hubs do alike; the words are those of `SyncHub`."""

    def __init__(
        self,
        checker: Checker,
        *,
        background: BackgroundSender | None = None,
        raise_errors: bool = False,
    ) -> None:
        super().__init__(background, raise_errors=raise_errors)
        self.checker = checker

    async def carry_out(self, steps: Steps[T]) -> T:
        """Carry out the steps of a run, as this hub does it."""

        async def refuse(request: Request) -> Response:
            return _no_request(request)

        return await run_async(steps, refuse)

    async def check(
        self,
        task: str,
        answer: str | AgentAnswer,
        *,
        tool_calls: Sequence[Mapping[str, Any]] = (),
        id: str | None = None,  # noqa: A002 - the API's own word
        session: str | None = None,
        agent: Agent = Agent(),  # noqa: B008 - frozen
        parent: str | None = None,
        parent_expected: bool = False,
    ) -> Verdict:
        """Have one answer verified; see `VerifyHub.check`."""
        body = body_of(
            task,
            answer,
            tool_calls,
            id,
            session,
            agent,
            parent,
            parent_expected=parent_expected,
        )
        return await self.carry_out(self.checker.check_steps(body))

    async def context(
        self, session: str, *, task: str = "", budget: int = DEFAULT_BUDGET
    ) -> str:
        """Return what the next prompt should know; see `VerifyHub.context`."""
        return await self.carry_out(self.checker.context_steps(session, task, budget))

    async def guard(self, text: str) -> Guarded:
        """Hold a draft against what the project knows; see `SyncHub.guard`."""
        return await self.carry_out(self.checker.guard_steps(text))

    def session(
        self,
        name: str | None,
        *,
        agent: Agent = Agent(),  # noqa: B008 - frozen
        raise_errors: bool | None = None,
    ) -> AsyncSession:
        """Return a session of this hub.

        Args:
            name: Your name for the conversation or job; its memory is shared by all
                answers under it. None: there is no such memory.
            agent: Who answers in it.
            raise_errors: Whether the hub's errors reach the agent; as the hub unless
                told.
        """
        raising = self.raise_errors if raise_errors is None else raise_errors
        return AsyncSession(self, name, agent, raise_errors=raising)

    async def run_until_accepted(
        self, agent: AsyncAgentFunction, task: str, **options: Unpack[RunKeywords]
    ) -> RunResult:
        """Run an agent, plain or async; see `VerifyHub.run_until_accepted`."""
        steps = run_steps(self.checker, agent, task, RunOptions(**options))
        return await self.carry_out(steps)
