"""Read the API key of the current request.

Over HTTP each request brings its own key; over stdio there is one caller, whose key is
in the environment.
"""

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

_KEY: ContextVar[str] = ContextVar("verifyhub_mcp_key")


def key() -> str:
    """The caller's API key; only while a request is served."""
    return _KEY.get()


def bearer(headers: Mapping[str, str]) -> str:
    """The secret of `Authorization: Bearer …`; empty where there is none."""
    scheme, _, secret = headers.get("authorization", "").partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else ""


class CallerKey:
    """Middleware that keeps the caller's key for as long as its request is served.

    Args:
        fixed: The key of every request; empty where each brings its own.
    """

    def __init__(self, fixed: str = "") -> None:
        self._fixed = fixed

    async def __call__(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        headers = getattr(ctx.request, "headers", None) or {}
        token = _KEY.set(self._fixed or bearer(headers))
        try:
            return await call_next(ctx)
        finally:
            _KEY.reset(token)
