"""Record tool calls: input, output and duration.

Recording raises no errors in the agent; exceptions of tools are passed on.
"""

import functools
import inspect
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from inspect import Parameter
from typing import Any, TypeAlias, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])
ToolCall: TypeAlias = dict[str, Any]
MAX_NAME = 200
# Like at the server: the earlier calls on which an answer may rest.
MAX_EARLIER_CALLS = 200
MAX_EARLIER_CHARACTERS = 400_000
_PLAIN = (str, int, bool, type(None))


class OpenCall:
    """A call in progress; set `output` to its result.

    Attributes:
        output: A text, or a JSON value.
        status: `ok`, `error`, `refused` or `unknown`; an exception makes it `error`.
    """

    def __init__(self) -> None:
        self.output: Any = ""
        self.status = "ok"


class Recording:
    """The recorded tool calls in order; several threads may add to it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: list[ToolCall] = []
        # The number of calls before the last answer, and of dropped older ones.
        self._answered = self._let_go = 0

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The calls since the last answer, and the latest earlier ones."""
        with self._lock:
            return tuple(self._calls)

    def record(
        self,
        tool: str,
        input: Mapping[str, Any] | None = None,  # noqa: A002 - the API's own word
        output: Any = "",
        *,
        status: str = "ok",
        started_at: datetime | None = None,
        duration_ms: int | None = None,
    ) -> None:
        """Record a call.

        Args:
            tool: The name of the tool.
            input: The input.
            output: The complete output, which is the evidence.
            status: `ok`, `error`, `refused` or `unknown`.
            started_at: The start, with a time zone.
            duration_ms: The duration.
        """
        call: ToolCall = {
            "tool": as_text(tool)[:MAX_NAME] or "tool",
            "input": as_input(input or {}),
            "output": as_text(output),
            "status": status,
        }
        if started_at is not None:
            call["started_at"] = started_at.isoformat()
        if duration_ms is not None:
            call["duration_ms"] = duration_ms
        with self._lock:
            self._calls.append(call)

    @contextmanager
    def call(
        self,
        tool: str,
        input: Mapping[str, Any] | None = None,  # noqa: A002 - the API's own word
    ) -> Iterator[OpenCall]:
        """Record the call in the block, with its duration.

        An exception is passed on, and the call is recorded as an error.
        """
        made = OpenCall()
        began, started_at = time.perf_counter(), datetime.now(UTC)
        # A copy, since the tool may change its input.
        given = as_input(input or {})
        try:
            yield made
        except BaseException as error:
            made.output, made.status = _told(error), "error"
            raise
        finally:
            self.record(
                tool,
                given,
                made.output,
                status=made.status,
                started_at=started_at,
                duration_ms=round((time.perf_counter() - began) * 1000),
            )

    @contextmanager
    def active(self) -> Iterator[None]:
        """Record calls of functions marked with `tool` here, inside the block."""
        token = _current.set(self)
        try:
            yield
        finally:
            _current.reset(token)

    def evidence(self) -> tuple[list[ToolCall], dict[str, Any]]:
        """Return the calls for the current answer, and metadata about earlier ones.

        They are all calls since the last answer, and the latest earlier ones, with the
        same limit as at the server (docs/adr/0042).
        """
        with self._lock:
            earlier, own = self._calls[: self._answered], self._calls[self._answered :]
            count = self._let_go + len(earlier)
            # Since a session may last for months, only the latest calls are kept.
            self._let_go += len(self._calls[:-MAX_EARLIER_CALLS])
            self._calls = self._calls[-MAX_EARLIER_CALLS:]
            self._answered = len(self._calls)
        kept: list[ToolCall] = []
        size = 0
        for call in reversed(earlier[-MAX_EARLIER_CALLS:]):
            size += len(call["output"]) + len(str(call["input"]))
            if size > MAX_EARLIER_CHARACTERS:
                break
            kept.append(call)
        noted: dict[str, Any] = {}
        if count:
            noted["earlier_calls"] = len(kept)
        if len(kept) < count:
            noted["earlier_calls_left_out"] = count - len(kept)
        return [*reversed(kept), *own], noted


_current: ContextVar[Recording | None] = ContextVar("verifyhub_recording", default=None)


def current_recording() -> Recording | None:
    """Return the current recording, of a session or a `@verified` function."""
    return _current.get()


def tool(function: F) -> F:
    """Mark a plain or async function as a tool, whose calls are recorded.

    Outside of sessions and `@verified` functions nothing is recorded. In threads that
    the agent starts, use `session.tool`.
    """
    return recorded(function, current_recording)


def recorded(
    function: F, where: Callable[[], Recording | None], name: str | None = None
) -> F:
    """Wrap a function so that its calls are recorded in the result of `where`.

    Raises:
        TypeError: If it is a generator; record its calls with `session.call`.
    """
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise TypeError("a tool must return what it found: a generator does not")
    called = name or str(getattr(function, "__name__", "tool"))
    names = _parameters(function)

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def noted_async(*args: Any, **kwargs: Any) -> Any:
            recording = where()
            if recording is None:
                return await function(*args, **kwargs)
            with recording.call(called, _given(names, args, kwargs)) as made:
                made.output = result = await function(*args, **kwargs)
            return result

        return cast(F, noted_async)

    @functools.wraps(function)
    def noted(*args: Any, **kwargs: Any) -> Any:
        recording = where()
        if recording is None:
            return function(*args, **kwargs)
        with recording.call(called, _given(names, args, kwargs)) as made:
            made.output = result = function(*args, **kwargs)
        return result

    return cast(F, noted)


def as_text(value: Any) -> str:
    """Return the output of a tool as a text.

    Texts do not change, except that NUL and lone surrogates become U+FFFD.
    """
    if isinstance(value, str):
        text = value
    elif value is None:
        text = ""
    elif isinstance(value, bytes):
        text = value.decode(errors="replace")
    else:
        text = _as_json(value)
    if not text.isascii():
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.replace("\x00", "\ufffd")


def as_input(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of a tool's input as JSON values."""
    if all(type(name) is str for name in value) and all(
        isinstance(part, _PLAIN) for part in value.values()
    ):
        return {
            as_text(name): as_text(part) if isinstance(part, str) else part
            for name, part in value.items()
        }
    try:
        copied = json.loads(as_text(_as_json(dict(value))))
    except ValueError:
        copied = None
    return copied if isinstance(copied, dict) else {"input": as_text(_shown(value))}


def _as_json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, default=_shown)
    except (TypeError, ValueError, RecursionError):
        return _shown(value)


def _shown(value: Any) -> str:
    try:
        return str(value)
    except Exception:  # noqa: BLE001 - somebody's __str__
        return f"<{type(value).__name__}>"


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {_shown(error)}"


def _parameters(function: Callable[..., Any]) -> list[str]:
    """Return the names of positional parameters in order."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    by_place = {Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD}
    return [one.name for one in parameters if one.kind in by_place]


def _given(
    names: list[str], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the arguments of a call by name, without `self` and `cls`."""
    given = dict(zip(names, args, strict=False))
    if names and names[0] in {"self", "cls"}:
        given.pop(names[0], None)
    for place, value in enumerate(args[len(names) :], start=len(names)):
        given[str(place)] = value
    return {**given, **kwargs}
