"""One piece of logic for both worlds: generators that say what to do next.

A generator yields a step and is sent what came of it; two small drivers carry steps
out, one with threads' waiting and one with asyncio's. Nothing is written twice, and
the logic is tested without a network.
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
    """One HTTP request below the hub's address; the sender adds the key.

    Attributes:
        path: Begins with a slash, without the hub's address.
        timeout_seconds: For all of it, from connecting to the last byte.
    """

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = field(default=None, repr=False)
    timeout_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """A complete reply; `headers` by lower-case name."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait this many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Call:
    """Call a function of the caller, plain or async."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()


Step: TypeAlias = Request | Pause | Call
Steps: TypeAlias = Generator[Step, Any, T]
Send: TypeAlias = Callable[[Request], Response]
AsyncSend: TypeAlias = Callable[[Request], Awaitable[Response]]


def run(steps: Steps[T], send: Send) -> T:
    """Carry out steps one by one in this thread and return what they come to.

    Raises:
        TypeError: If one of the caller's functions is async.
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
    """Carry out steps one by one without holding up the event loop.

    A plain function is called in a thread of its own, since it may take long.
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
