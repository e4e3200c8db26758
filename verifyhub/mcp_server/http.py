"""The server over streamable HTTP: one answer a request, nothing kept in between."""

import socket

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp

from verifyhub.mcp_server.doors import Doors, HostNames
from verifyhub.mcp_server.hub import Hub
from verifyhub.mcp_server.server import HubServer
from verifyhub.mcp_server.settings import MCP_PATH, HttpSettings

# Requests in hand at a time; those beyond are answered 503 at once.
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
        # The doors look at Host and Origin; they know the names in the hub's own form.
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
    """Serve until asked to stop; requests in hand are answered first.

    Args:
        hub: Who is asked.
        settings: Where to listen, and to whom.
        fd: The file number of a socket that listens already, in the place of `bind`
            and `port`.
    """
    sockets = None if fd is None else [socket.socket(fileno=fd)]
    config = uvicorn.Config(
        application(hub, settings),
        host=settings.bind,
        port=settings.port,
        log_config=None,
        access_log=False,
        server_header=False,
        # Its own limits stand at the doors; addresses of proxies mean nothing here.
        proxy_headers=False,
        limit_concurrency=MAX_AT_ONCE,
        timeout_graceful_shutdown=GRACE_SECONDS,
        ws="none",
    )
    try:
        await uvicorn.Server(config).serve(sockets)
    finally:
        await hub.close()
