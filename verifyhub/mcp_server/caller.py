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
    """Return the caller's API key; only valid while a request is served."""
    return _KEY.get()


def bearer(headers: Mapping[str, str]) -> str:
    """Return the secret of `Authorization: Bearer …`; empty if there is none."""
    scheme, _, secret = headers.get("authorization", "").partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else ""


class CallerKey:
    """Middleware that provides the caller's key while a request is served.

    Args:
        fixed: The key of every request; empty if each request has its own.
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
