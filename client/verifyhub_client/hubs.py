"""VerifyHub for agents, in threads or asyncio."""

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from verifyhub_client.loop import run_steps
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
from verifyhub_client.sessions import AsyncSession, Session
from verifyhub_client.steps import Request, Response, Steps, T, run, run_async
from verifyhub_client.verdict import Verdict

DEFAULT_BUDGET = 1000


def _no_request(request: Request) -> Response:
    raise RuntimeError(f"a local hub sends nothing: {request.path}")


class SyncHub(Observing):
    """The base class of synchronous hubs."""

    def carry_out(self, steps: Steps[T]) -> T:
        """Carry out the steps of a run."""
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
        """Verify one answer and wait for its verdict.

        Args:
            task: The task of the agent.
            answer: Its text, or an `AgentAnswer` with the tool calls.
            tool_calls: The tool calls, if `answer` is a text.
            id: Your name for this answer; repeating it with the same content returns
                the same verdict. None for a random one.
            session: Your name for the conversation or job.
            agent: The agent; its tier decides which model checks the answer.
            parent: The id of the previous answer.
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
        """Return the context for the session's next prompt, at most `budget` tokens.

        Raises:
            HubError: If it is not available.
        """
        return self.carry_out(self.checker.context_steps(session, task, budget))

    def guard(self, text: str) -> Guarded:
        """Check a draft against the project's constraints and snapshots.

        Raises:
            HubError: If the draft was not checked. A hub in the process has no project.
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
            name: Your name for the conversation or job; its answers share memory. None
                for no memory.
            agent: The agent.
            raise_errors: Whether errors of the hub are raised; None for the hub's own
                setting.
        """
        raising = self.raise_errors if raise_errors is None else raise_errors
        return Session(self, name, agent, raise_errors=raising)

    def run_until_accepted(
        self, agent: AgentFunction, task: str, **options: Unpack[RunKeywords]
    ) -> RunResult:
        """Run an agent on a task and follow each decision, up to `max_attempts`.

        Args:
            agent: Called with an `Attempt`; returns a text or an `AgentAnswer`.
            task: The task.
            options: See `RunOptions`.

        Returns:
            Every attempt with its verdict, and the outcome. The answer was accepted
            only if `result.accepted` is true.

        Raises:
            HubError: If an answer could not be checked, unless `on_outage` is
                `unverified`. Exceptions of the agent are not caught.
        """
        return self.carry_out(
            run_steps(self.checker, agent, task, RunOptions(**options))
        )


class AsyncHub(Observing):
    """The base class of asynchronous hubs; see `SyncHub`."""

    async def carry_out(self, steps: Steps[T]) -> T:
        """Carry out the steps of a run."""

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
        """Verify one answer; see `SyncHub.check`."""
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
        """Return the context for the next prompt; see `SyncHub.context`."""
        return await self.carry_out(self.checker.context_steps(session, task, budget))

    async def guard(self, text: str) -> Guarded:
        """Check a draft; see `SyncHub.guard`."""
        return await self.carry_out(self.checker.guard_steps(text))

    def session(
        self,
        name: str | None,
        *,
        agent: Agent = Agent(),  # noqa: B008 - frozen
        raise_errors: bool | None = None,
    ) -> AsyncSession:
        """Return a session of this hub; see `SyncHub.session`."""
        raising = self.raise_errors if raise_errors is None else raise_errors
        return AsyncSession(self, name, agent, raise_errors=raising)

    async def run_until_accepted(
        self, agent: AsyncAgentFunction, task: str, **options: Unpack[RunKeywords]
    ) -> RunResult:
        """Run a plain or async agent; see `SyncHub.run_until_accepted`."""
        steps = run_steps(self.checker, agent, task, RunOptions(**options))
        return await self.carry_out(steps)
