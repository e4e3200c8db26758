"""`@verified`: have a hub check the answers of a function."""

import asyncio
import functools
import inspect
import logging
from collections.abc import Callable, Collection, Coroutine
from dataclasses import dataclass
from typing import (
    Any,
    Literal,
    ParamSpec,
    Protocol,
    TypeAlias,
    TypedDict,
    TypeVar,
    cast,
    overload,
)

from verifyhub_client.checked import Checked
from verifyhub_client.hubs import AsyncHub, SyncHub
from verifyhub_client.recording import F, as_text, current_recording
from verifyhub_client.runs import Agent, AgentAnswer, Attempt, new_id
from verifyhub_client.sessions import AsyncSession, Session

P = ParamSpec("P")
R = TypeVar("R")
log = logging.getLogger("verifyhub_client")
AnySession: TypeAlias = Session | AsyncSession
Mode: TypeAlias = Literal["observe", "check", "enforce"]
TaskFrom: TypeAlias = str | Callable[..., str]
AnswerFrom: TypeAlias = Callable[[Any], str | AgentAnswer]
SessionFrom: TypeAlias = str | Session | AsyncSession | Callable[..., str | None]


class Unchanged(Protocol):
    """A decorator that does not change the type of a function."""

    def __call__(self, function: F, /) -> F:
        """Wrap an agent."""


class Checking(Protocol):
    """A decorator that makes a function return `Checked`."""

    @overload
    def __call__(  # type: ignore[overload-overlap]
        self, function: Callable[P, Coroutine[Any, Any, R]], /
    ) -> Callable[P, Coroutine[Any, Any, Checked[R]]]: ...

    @overload
    def __call__(self, function: Callable[P, R], /) -> Callable[P, Checked[R]]: ...


@overload
def verified(
    hub: SyncHub | AsyncHub,
    *,
    mode: Literal["check"],
    task: TaskFrom | None = None,
    answer: AnswerFrom | None = None,
    session: SessionFrom | None = None,
    agent: Agent | None = None,
    refuse: Collection[str] = ...,
    raise_errors: bool | None = None,
) -> Checking: ...


@overload
def verified(
    hub: SyncHub | AsyncHub,
    *,
    mode: Literal["observe", "enforce"] = "observe",
    task: TaskFrom | None = None,
    answer: AnswerFrom | None = None,
    session: SessionFrom | None = None,
    agent: Agent | None = None,
    refuse: Collection[str] = ...,
    raise_errors: bool | None = None,
) -> Unchanged: ...


def verified(
    hub: SyncHub | AsyncHub,
    *,
    mode: Mode = "observe",
    task: TaskFrom | None = None,
    answer: AnswerFrom | None = None,
    session: SessionFrom | None = None,
    agent: Agent | None = None,
    refuse: Collection[str] = ("reject",),
    raise_errors: bool | None = None,
) -> Any:
    """Verify what a function returns, against the tool calls made during the call.

    Supports plain and async functions; with `observe`, also generators, whose pieces
    are passed on at once. Calls of tools that are marked with `tool` or `session.tool`
    are recorded.

    Args:
        hub: The hub.
        mode: `observe` sends the answer in the background and returns the function's
            value. `check` waits for the verdict and returns both as a `Checked`.
            `enforce` waits too, returns the function's value, and raises if the verdict
            is one of `refuse`.
        task: The parameter with the task, or a function of the same arguments that
            returns the task; by default the parameter `task`, or else the first one.
        answer: Converts the function's value (for a generator, the list of its pieces)
            to a text or an `AgentAnswer`; required if it is neither.
        session: The session, its name, or a function of the same arguments that returns
            a name; by default the session in whose block the call is made.
        agent: The agent; by default named after the function.
        refuse: The verdicts for which `enforce` raises.
        raise_errors: Whether errors of the hub are raised; by default the hub's
            setting. If not, the function's value is returned without a verdict.

    Raises:
        ValueError: If the mode is unknown.
        TypeError: If a function cannot be used in this mode or with this hub.
    """
    if mode not in {"observe", "check", "enforce"}:
        raise ValueError("mode must be observe, check or enforce")
    if mode == "observe" and not hub.has_background:
        raise TypeError("this hub has no server to send to: use check or enforce")

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        verifier = _Verifier(
            hub=hub,
            mode=mode,
            task=_task_from(function, task),
            answer=answer,
            session=session,
            agent=agent or _agent(session, function),
            refuse=refuse,
            raise_errors=hub.raise_errors if raise_errors is None else raise_errors,
        )
        return _wrapped(function, verifier)

    return wrap


def _wrapped(function: Callable[..., Any], verifier: "_Verifier") -> Callable[..., Any]:
    is_streaming = inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(
        function
    )
    if is_streaming and verifier.mode != "observe":
        raise TypeError("the pieces of a generator can only be observed")
    if inspect.isasyncgenfunction(function):
        return _async_stream(function, verifier)
    if inspect.isgeneratorfunction(function):
        return _stream(function, verifier)
    if inspect.iscoroutinefunction(function):
        return _async_call(function, verifier)
    if verifier.mode != "observe" and isinstance(verifier.hub, AsyncHub):
        raise TypeError("a plain function needs a hub that waits: VerifyHub")
    return _call(function, verifier)


def _call(function: Callable[..., Any], verifier: "_Verifier") -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        one = verifier.begin(args, kwargs)
        with one.session.active():
            value = function(*args, **kwargs)
        return one.ended(value)

    return wrapper


def _async_call(
    function: Callable[..., Any], verifier: "_Verifier"
) -> Callable[..., Any]:
    @functools.wraps(function)
    async def wrapper(*args: Any, **kwargs: Any) -> Any:
        one = verifier.begin(args, kwargs)
        with one.session.active():
            value = await function(*args, **kwargs)
        return await one.ended_async(value)

    return wrapper


def _stream(function: Callable[..., Any], verifier: "_Verifier") -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        one, pieces = verifier.begin(args, kwargs), Pieces()
        source = function(*args, **kwargs)
        step, given = source.send, None
        try:
            while True:
                with one.session.active():
                    piece = step(given)
                pieces.append(piece)
                step, given = source.send, None
                try:
                    given = yield piece
                except GeneratorExit:
                    source.close()
                    raise
                except BaseException as error:  # noqa: BLE001 - it goes on into the agent
                    step, given = source.throw, error
        except StopIteration as end:
            return end.value
        finally:
            # Pieces that were shown are an answer, even if the reader stopped.
            one.observed(pieces)

    return wrapper


def _async_stream(
    function: Callable[..., Any], verifier: "_Verifier"
) -> Callable[..., Any]:
    @functools.wraps(function)
    async def wrapper(*args: Any, **kwargs: Any) -> Any:
        one, pieces = verifier.begin(args, kwargs), Pieces()
        source = function(*args, **kwargs)
        step, given = source.asend, None
        try:
            while True:
                with one.session.active():
                    piece = await step(given)
                pieces.append(piece)
                step, given = source.asend, None
                try:
                    given = yield piece
                except GeneratorExit:
                    await source.aclose()
                    raise
                except BaseException as error:  # noqa: BLE001 - it goes on into the agent
                    step, given = source.athrow, error
        except StopAsyncIteration:
            return
        finally:
            one.observed(pieces)

    return wrapper


@dataclass(frozen=True, slots=True, kw_only=True)
class _Verifier:
    """The settings of one verified function."""

    hub: SyncHub | AsyncHub
    mode: Mode
    task: Callable[..., str]
    answer: AnswerFrom | None
    session: SessionFrom | None
    agent: Agent
    refuse: Collection[str]
    raise_errors: bool

    def begin(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> "_One":
        """Start one call of the function."""
        try:
            task = self.task(*args, **kwargs)
            session = self._session(args, kwargs)
        except Exception as error:  # noqa: BLE001 - the agent goes on without
            return _One(self, "", self.hub.session(None), error)
        return _One(self, task, session)

    def _session(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> AnySession:
        given = self.session
        if isinstance(given, Session | AsyncSession):
            return given
        if callable(given):
            given = given(*args, **kwargs)
        current = current_recording()
        if given is None and isinstance(current, Session | AsyncSession):
            return current if current.name else self.hub.session(None)
        return self.hub.session(given)


@dataclass(frozen=True, slots=True)
class _One:
    """One call of a verified function; `problem` if it cannot be verified."""

    verifier: _Verifier
    task: str
    session: AnySession
    problem: Exception | None = None

    def ended(self, value: Any) -> Any:
        """Verify the value according to the mode; return the caller's value."""
        if self.verifier.mode == "observe":
            return self.observed(value)
        return self._passed(self._checked(value))

    async def ended_async(self, value: Any) -> Any:
        """Do the same as `ended` without blocking the event loop."""
        if self.verifier.mode == "observe":
            return self.observed(value)
        if isinstance(self.verifier.hub, SyncHub):
            checked = await asyncio.to_thread(self._checked, value)
        else:
            checked = await self._checked_async(self.verifier.hub, value)
        return self._passed(checked)

    def observed(self, value: Any) -> Any:
        """Send the value in the background, and return it."""
        hub = self.verifier.hub
        try:
            hub.observe(self.task, self._answer(value), **self._names())
        except Exception as error:  # noqa: BLE001 - see _unverified
            self._unverified(error)
        return value

    def _checked(self, value: Any) -> Checked[Any]:
        hub, own_id = cast(SyncHub, self.verifier.hub), new_id()
        try:
            answer = self._answer(value)
            verdict = hub.check(self.task, answer, id=own_id, **self._names())
        except Exception as error:  # noqa: BLE001 - see _unverified
            self._unverified(error)
            return Checked(value=value, id=own_id, error=error)
        return Checked(value=value, id=own_id, verdict=verdict)

    async def _checked_async(self, hub: AsyncHub, value: Any) -> Checked[Any]:
        own_id = new_id()
        try:
            answer = self._answer(value)
            verdict = await hub.check(self.task, answer, id=own_id, **self._names())
        except Exception as error:  # noqa: BLE001 - see _unverified
            self._unverified(error)
            return Checked(value=value, id=own_id, error=error)
        return Checked(value=value, id=own_id, verdict=verdict)

    def _passed(self, checked: Checked[Any]) -> Any:
        if self.verifier.mode == "check":
            return checked
        return checked.require(self.verifier.refuse)

    def _names(self) -> "_Names":
        return {"session": self.session.name, "agent": self.verifier.agent}

    def _answer(self, value: Any) -> AgentAnswer:
        if self.problem:
            raise self.problem
        if self.verifier.answer:
            value = self.verifier.answer(value)
        elif isinstance(value, Pieces):
            value = "".join(value)
        if not isinstance(value, str | AgentAnswer):
            raise TypeError("the answer is neither a text nor an AgentAnswer")
        return self.session.answered(value)

    def _unverified(self, error: Exception) -> None:
        """Raise the error if errors are raised; else log it."""
        if self.verifier.raise_errors:
            raise error
        log.warning("An answer is not verified: %s", type(error).__name__)


class Pieces(list[Any]):
    """The pieces of a generator."""


class _Names(TypedDict):
    session: str | None
    agent: Agent


def _agent(session: SessionFrom | None, function: Callable[..., Any]) -> Agent:
    if isinstance(session, Session | AsyncSession) and session.agent.name:
        return session.agent
    return Agent(name=getattr(function, "__name__", ""))


def _task_from(
    function: Callable[..., Any], given: TaskFrom | None
) -> Callable[..., str]:
    """Return a function of the agent's arguments that returns the task.

    Raises:
        TypeError: If the function has no such parameter.
    """
    if callable(given):
        return given
    parameters = inspect.signature(function).parameters
    names = [name for name in parameters if name not in {"self", "cls"}]
    name = given or ("task" if "task" in names or not names else names[0])
    if name not in parameters:
        raise TypeError(f"{function.__name__} has no parameter {name} for the task")
    place = list(parameters).index(name)

    def task(*args: Any, **kwargs: Any) -> str:
        if name in kwargs:
            value = kwargs[name]
        elif place < len(args):
            value = args[place]
        else:
            value = parameters[name].default
        return value.task if isinstance(value, Attempt) else as_text(value)

    return task
