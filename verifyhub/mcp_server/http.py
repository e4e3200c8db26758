"""Serve over streamable HTTP, statelessly."""

import hashlib
import socket
import time
from collections import OrderedDict
from collections.abc import Sequence
from http import HTTPStatus
from urllib.parse import urlsplit

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from verifyhub.mcp_server.caller import bearer
from verifyhub.mcp_server.hub import Hub, HubProblem
from verifyhub.mcp_server.server import HubServer
from verifyhub.mcp_server.settings import MCP_PATH, HttpSettings

# The most concurrent requests; further ones get a 503 immediately.
MAX_AT_ONCE = 200
GRACE_SECONDS = 40


def application(hub: Hub, settings: HttpSettings) -> ASGIApp:
    """Return the whole application: the protocol at `/mcp`, and two health checks."""

    async def healthz(_request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def readyz(_request: Request) -> Response:
        is_ready = await hub.is_ready()
        status = "ok" if is_ready else "unavailable"
        return JSONResponse({"status": status}, 200 if is_ready else 503)

    app = HubServer(hub, public_url=settings.public_url).streamable_http_app(
        streamable_http_path=MCP_PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=settings.max_body_bytes,
        # `Doors` checks Host and Origin, with names in the hub's own syntax.
        transport_security=TransportSecuritySettings(
            enable_dns_rebinding_protection=False
        ),
    )
    app.add_route("/healthz", healthz, methods=["GET"])
    app.add_route("/readyz", readyz, methods=["GET"])
    names = HostNames(settings.allowed_hosts)
    app.add_middleware(Doors, hub=hub, names=names, path=MCP_PATH)
    return app


async def serve(hub: Hub, settings: HttpSettings, fd: int | None = None) -> None:
    """Serve until asked to stop; requests in progress are completed first.

    Args:
        hub: The hub that requests are sent to.
        settings: The address to listen on, and the allowed callers.
        fd: The file descriptor of a listening socket, instead of `bind` and `port`.
    """
    sockets = None if fd is None else [socket.socket(fileno=fd)]
    config = uvicorn.Config(
        application(hub, settings),
        host=settings.bind,
        port=settings.port,
        log_config=None,
        access_log=False,
        server_header=False,
        # `Doors` enforces the limits; forwarded addresses are not used.
        proxy_headers=False,
        limit_concurrency=MAX_AT_ONCE,
        timeout_graceful_shutdown=GRACE_SECONDS,
        ws="none",
    )
    try:
        await uvicorn.Server(config).serve(sockets)
    finally:
        await hub.close()


# Conditions on a request over HTTP, checked before the server reads it.
#
# In this order: its host is a name of this server and its page, if any, too (against
# DNS rebinding), its method is POST (there are no streams and no sessions), and its API
# key is known to the hub.
KNOWN_SECONDS = 30.0
MAX_KNOWN_KEYS = 10_000
# Reading one constraint is cheap for the hub, and shows whether it knows a key.
PROBE = "/constraints/"


class HostNames:
    """The host names of this server: `hub.org`, `.hub.org` or `*`."""

    def __init__(self, allowed: Sequence[str]) -> None:
        self._allowed = [name.lower().strip("[]") for name in allowed]

    def has(self, host: str) -> bool:
        """Return whether a `Host` header names this server, with any port."""
        try:
            name = (urlsplit(f"//{host}").hostname or "").lower().rstrip(".")
        except ValueError:
            return False
        return bool(name) and any(
            allowed in {"*", name}
            or (allowed.startswith(".") and f".{name}".endswith(allowed))
            for allowed in self._allowed
        )

    def has_origin(self, origin: str) -> bool:
        """Return whether a page of this origin may call: one with such a host."""
        scheme, _, host = origin.partition("://")
        return scheme in {"http", "https"} and self.has(host)


class Doors:
    """Middleware that refuses unknown hosts and origins, and requests without a key.

    Args:
        app: The application.
        hub: Checks keys.
        names: The host names of this server.
        path: The path of the protocol; other paths need no key.
    """

    def __init__(self, app: ASGIApp, *, hub: Hub, names: HostNames, path: str) -> None:
        self._app, self._hub, self._names, self._path = app, hub, names, path
        self._known: OrderedDict[bytes, float] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            refused = await self._refusal(scope)
            if refused is not None:
                await refused(scope, receive, send)
                return
        await self._app(scope, receive, send)

    async def _refusal(self, scope: Scope) -> JSONResponse | None:
        if scope["path"].rstrip("/") != self._path:
            return None
        headers = Headers(scope=scope)
        if not self._names.has(headers.get("host", "")):
            return _refused(421, "This host name is not allowed.")
        origin = headers.get("origin")
        if origin is not None and not self._names.has_origin(origin):
            return _refused(403, "This origin is not allowed.")
        if scope["method"] != "POST":
            return _refused(405, "Only POST is supported.", Allow="POST")
        return await self._without_key(bearer(headers))

    async def _without_key(self, key: str) -> JSONResponse | None:
        if not key or not key.isascii() or not key.isprintable() or " " in key:
            return _refused(401, "Send Authorization: Bearer with an API key.", **ASK)
        digest = hashlib.sha256(key.encode()).digest()
        if self._known.get(digest, 0.0) > time.monotonic():
            return None
        try:
            await self._hub.get(key, PROBE, query={"limit": "1"})
        except HubProblem as problem:
            # A key without the scope to read is valid; scopes are checked later.
            if problem.status == HTTPStatus.UNAUTHORIZED:
                return _refused(401, problem.detail, **ASK)
            if problem.status not in {403, 429}:
                return _refused(503, problem.detail, **{"Retry-After": "5"})
        self._known[digest] = time.monotonic() + KNOWN_SECONDS
        self._known.move_to_end(digest)
        while len(self._known) > MAX_KNOWN_KEYS:
            self._known.popitem(last=False)
        return None


ASK = {"WWW-Authenticate": 'Bearer realm="VerifyHub"'}


def _refused(status: int, why: str, **headers: str) -> JSONResponse:
    """Return a refusal as the protocol's error without a request."""
    error = {"code": -32600, "message": why}
    return JSONResponse(
        {"jsonrpc": "2.0", "id": None, "error": error}, status, headers=headers
    )
