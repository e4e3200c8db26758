"""Sessions: the tool calls and answers of a conversation, and its context."""

import logging
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar, overload

from verifyhub_client.checked import Checked
from verifyhub_client.errors import HubError
from verifyhub_client.protocol import Guarded
from verifyhub_client.recording import F, Recording, as_text, recorded
from verifyhub_client.runs import Agent, AgentAnswer, new_id

if TYPE_CHECKING:
    from verifyhub_client.hubs import AsyncHub, SyncHub

log = logging.getLogger("verifyhub_client")
_NO_OUTPUT: Any = object()
A = TypeVar("A", bound="str | AgentAnswer")


class SessionBase(Recording):
    """The base class of sessions; see `Session`."""

    def __init__(self, name: str | None, agent: Agent, *, raise_errors: bool) -> None:
        super().__init__()
        self.name, self.agent = name, agent
        self.raise_errors = raise_errors
        self._entered: list[AbstractContextManager[None]] = []

    @overload
    def tool(self, tool: F, /) -> F: ...

    @overload
    def tool(self, tool: str, /) -> Callable[[F], F]: ...

    @overload
    def tool(
        self,
        tool: str,
        /,
        input: Mapping[str, Any] | None = None,
        output: Any = ...,
        *,
        status: str = "ok",
        duration_ms: int | None = None,
    ) -> None: ...

    def tool(
        self,
        tool: Any,
        /,
        input: Mapping[str, Any] | None = None,  # noqa: A002 - the API's own word
        output: Any = _NO_OUTPUT,
        *,
        status: str = "ok",
        duration_ms: int | None = None,
    ) -> Any:
        """Mark a function as a tool, or record one call.

        `@session.tool` and `@session.tool("name")` record each call of a plain or async
        function: input, output, duration and exception.
        `session.tool("grep", {"pattern": "price"}, output)` records one call.
        """
        if callable(tool):
            return recorded(tool, lambda: self)
        if input is None and output is _NO_OUTPUT:
            return lambda function: recorded(function, lambda: self, tool)
        text = "" if output is _NO_OUTPUT else output
        self.record(tool, input, text, status=status, duration_ms=duration_ms)
        return None

    def answered(self, answer: str | AgentAnswer) -> AgentAnswer:
        """Return an answer with the session's tool calls, followed by its own."""
        if isinstance(answer, str):
            answer = AgentAnswer(answer=as_text(answer))
        calls, noted = self.evidence()
        if not calls:
            return answer
        return replace(
            answer,
            tool_calls=[*calls, *answer.tool_calls],
            metadata={**noted, **answer.metadata},
        )

    def _enter(self) -> None:
        active = self.active()
        active.__enter__()
        self._entered.append(active)

    def _exit(self) -> None:
        self._entered.pop().__exit__(None, None, None)

    def _without(self, error: HubError) -> None:
        """Raise an error of the hub if the session raises errors; else log it."""
        if self.raise_errors:
            raise error
        log.warning("VerifyHub gave no reply: %s", type(error).__name__)


class Session(SessionBase):
    """A session of a hub; `hub.session(name)` returns one.

    In its block, functions marked with `tool` record their calls here, and `@verified`
    functions belong to it. Errors of the hub do not reach the agent, unless the session
    or its hub has `raise_errors=True`.
    """

    def __init__(
        self, hub: "SyncHub", name: str | None, agent: Agent, *, raise_errors: bool
    ) -> None:
        super().__init__(name, agent, raise_errors=raise_errors)
        self.hub = hub

    def context(self, task: str = "", *, budget: int = 1000) -> str:
        """Return the context for the next prompt; empty if the hub is unavailable."""
        if self.name is None:
            return ""
        try:
            return self.hub.context(self.name, task=task, budget=budget)
        except HubError as error:
            self._without(error)
            return ""

    def check(
        self,
        task: str,
        answer: A,
        *,
        id: str | None = None,  # noqa: A002
    ) -> Checked[A]:
        """Verify an answer against the session's tool calls; wait for the verdict."""
        own_id = id or new_id()
        try:
            verdict = self.hub.check(
                task,
                self.answered(answer),
                id=own_id,
                session=self.name,
                agent=self.agent,
            )
        except HubError as error:
            self._without(error)
            return Checked(value=answer, id=own_id, error=error)
        return Checked(value=answer, id=own_id, verdict=verdict)

    def observe(
        self,
        task: str,
        answer: str | AgentAnswer,
        *,
        id: str | None = None,  # noqa: A002
    ) -> str:
        """Send an answer with the session's tool calls in the background.

        Returns:
            Its id at the server.
        """
        return self.hub.observe(
            task, self.answered(answer), id=id, session=self.name, agent=self.agent
        )

    def guard(self, text: str) -> Guarded | None:
        """Check a draft with the project's names; None if the hub is unavailable."""
        try:
            return self.hub.guard(text)
        except HubError as error:
            self._without(error)
            return None

    def __enter__(self) -> Self:
        self._enter()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._exit()


class AsyncSession(SessionBase):
    """A session of an asynchronous hub; see `Session`."""

    def __init__(
        self, hub: "AsyncHub", name: str | None, agent: Agent, *, raise_errors: bool
    ) -> None:
        super().__init__(name, agent, raise_errors=raise_errors)
        self.hub = hub

    async def context(self, task: str = "", *, budget: int = 1000) -> str:
        """Return the context for the next prompt; empty if the hub is unavailable."""
        if self.name is None:
            return ""
        try:
            return await self.hub.context(self.name, task=task, budget=budget)
        except HubError as error:
            self._without(error)
            return ""

    async def check(
        self,
        task: str,
        answer: A,
        *,
        id: str | None = None,  # noqa: A002
    ) -> Checked[A]:
        """Verify an answer against the session's tool calls; see `Session.check`."""
        own_id = id or new_id()
        try:
            verdict = await self.hub.check(
                task,
                self.answered(answer),
                id=own_id,
                session=self.name,
                agent=self.agent,
            )
        except HubError as error:
            self._without(error)
            return Checked(value=answer, id=own_id, error=error)
        return Checked(value=answer, id=own_id, verdict=verdict)

    def observe(
        self,
        task: str,
        answer: str | AgentAnswer,
        *,
        id: str | None = None,  # noqa: A002
    ) -> str:
        """Send an answer in the background, without waiting; see `Session.observe`."""
        return self.hub.observe(
            task, self.answered(answer), id=id, session=self.name, agent=self.agent
        )

    async def guard(self, text: str) -> Guarded | None:
        """Check a draft with the project's names; None if the hub is unavailable."""
        try:
            return await self.hub.guard(text)
        except HubError as error:
            self._without(error)
            return None

    async def __aenter__(self) -> Self:
        self._enter()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._exit()
