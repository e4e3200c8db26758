"""Properties of endpoints that this process has learned; not stored."""

import threading
import time
from dataclasses import dataclass

from verifyhub.engine.llm.endpoint import ChatEndpoint, ReplyMode

# An endpoint that could not do it may have been mended or replaced.
FORGET_FAILURE_SECONDS = 600.0

Key = tuple[str, str, str, str]


@dataclass(slots=True)
class _Known:
    omitted: frozenset[str] = frozenset()
    mode: ReplyMode | None = None
    failed_at: float | None = None


_lock = threading.Lock()
_known: dict[Key, _Known] = {}


def omitted(endpoint: ChatEndpoint) -> frozenset[str]:
    """Return the parameters that the endpoint has refused."""
    with _lock:
        return _of(endpoint).omitted


def omit(endpoint: ChatEndpoint, name: str) -> None:
    """Remember that the endpoint refuses a parameter."""
    with _lock:
        _of(endpoint).omitted |= {name}


def reply_mode(endpoint: ChatEndpoint) -> ReplyMode | None:
    """Return how the endpoint gives structured replies; None if unknown."""
    with _lock:
        return _of(endpoint).mode


def is_known_to_fail(endpoint: ChatEndpoint) -> bool:
    """Return whether the endpoint lately gave no structured reply in any way."""
    with _lock:
        failed_at = _of(endpoint).failed_at
    return (
        failed_at is not None and time.monotonic() - failed_at < FORGET_FAILURE_SECONDS
    )


def learn(endpoint: ChatEndpoint, mode: ReplyMode | None) -> None:
    """Remember what a probe showed; None: that there is no way."""
    with _lock:
        known = _of(endpoint)
        known.mode = mode
        known.failed_at = time.monotonic() if mode is None else None


def forget() -> None:
    with _lock:
        _known.clear()


def _of(endpoint: ChatEndpoint) -> _Known:
    key = (
        endpoint.base_url,
        str(endpoint.dialect),
        endpoint.model,
        endpoint.api_version,
    )
    return _known.setdefault(key, _Known())
