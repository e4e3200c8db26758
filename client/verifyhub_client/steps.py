"""Generators of steps, so that threads and asyncio share one implementation.

A generator yields a step and receives its result. Two small drivers carry out the
steps: one blocks its thread, the other one uses asyncio. The logic is tested without a
network.
"""

import inspect
import time
from asyncio import sleep, to_thread
from collections.abc import Awaitable, Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One HTTP request to the hub; the sender adds address and key.

    Attributes:
        path: The path, which begins with a slash, without the hub's address.
        timeout_seconds: The total time, from connecting to the last byte.
    """

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = field(default=None, repr=False)
    timeout_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """A complete reply; names of `headers` are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait for some seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Call:
    """Call a plain or async function of the program."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()


Step: TypeAlias = Request | Pause | Call
Steps: TypeAlias = Generator[Step, Any, T]
Send: TypeAlias = Callable[[Request], Response]
AsyncSend: TypeAlias = Callable[[Request], Awaitable[Response]]


def run(steps: Steps[T], send: Send) -> T:
    """Carry out steps in this thread and return their result.

    Raises:
        TypeError: If a function of the program is async.
    """

    def act(step: Step) -> Any:
        match step:
            case Request():
                return send(step)
            case Pause(seconds):
                return time.sleep(seconds)
            case Call(function, arguments):
                result = function(*arguments)
                if inspect.iscoroutine(result):
                    result.close()
                    name = getattr(function, "__name__", "the function")
                    raise TypeError(f"{name} is async: use the asynchronous hub")
                return result

    outcome, error = None, None
    try:
        while True:
            step = steps.throw(error) if error else steps.send(outcome)
            outcome, error = None, None
            try:
                outcome = act(step)
            except Exception as problem:  # noqa: BLE001 - the steps decide what it means
                error = problem
    except StopIteration as done:
        result: T = done.value
        return result
    finally:
        steps.close()


async def run_async(steps: Steps[T], send: AsyncSend) -> T:
    """Carry out steps without blocking the event loop.

    Plain functions are called in another thread, since they may take long.
    """

    async def act(step: Step) -> Any:
        match step:
            case Request():
                return await send(step)
            case Pause(seconds):
                return await sleep(seconds)
            case Call(function, arguments):
                return await _called(function, arguments)

    outcome, error = None, None
    try:
        while True:
            step = steps.throw(error) if error else steps.send(outcome)
            outcome, error = None, None
            try:
                outcome = await act(step)
            except Exception as problem:  # noqa: BLE001 - the steps decide what it means
                error = problem
    except StopIteration as done:
        result: T = done.value
        return result
    finally:
        steps.close()


async def _called(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    if inspect.iscoroutinefunction(function):
        return await function(*arguments)
    call = getattr(function, "__call__", None)  # noqa: B004 - its kind, not whether
    if inspect.iscoroutinefunction(call):
        return await function(*arguments)
    result = await to_thread(function, *arguments)
    return await result if inspect.isawaitable(result) else result
