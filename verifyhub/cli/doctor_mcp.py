"""What `verifyhub doctor` finds out about the server of agents' tools."""

import http.client
import json
from http import HTTPStatus

from verifyhub.cli.findings import DoctorFinding
from verifyhub.cli.ready import local_address, readiness
from verifyhub.common import env
from verifyhub.mcp_server.settings import MCP_PATH

DEFAULT_PORT = 8001
# `verifyhub up` starts the server when it is asked for the first time.
TIMEOUT_SECONDS = 15
# `verifyhub up` answers this name whatever address it listens on.
HEADERS = {"Host": "localhost", "Content-Type": "application/json"}
QUESTION = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})


def mcp_server() -> DoctorFinding:
    """Ask the MCP server of this machine whether it speaks, and whether its hub does.

    Without a key it must answer that it wants one: anything else is another server.
    """
    if not env.flag("VERIFYHUB_MCP", True):
        return DoctorFinding(outcome="ok", text="switched off by VERIFYHUB_MCP")
    bind = env.text("VERIFYHUB_BIND", "127.0.0.1")
    port = env.integer("VERIFYHUB_MCP_PORT", DEFAULT_PORT, minimum=1)
    address = f"port {port} of {bind}"
    status = _status_without_key(bind, port)
    if status is None:
        text = f"nothing answers at {address}: agents get no tools over HTTP"
        return DoctorFinding(outcome="warning", text=text)
    if status != HTTPStatus.UNAUTHORIZED:
        text = (
            f"what answers at {address} is no MCP server (HTTP {status} at {MCP_PATH})"
        )
        return DoctorFinding(outcome="warning", text=text)
    if not readiness(bind, port, TIMEOUT_SECONDS).is_ready:
        return DoctorFinding(outcome="failed", text=f"{address} cannot reach its hub")
    return DoctorFinding(outcome="ok", text=f"{address} answers at {MCP_PATH}")


def _status_without_key(bind: str, port: int) -> int | None:
    """Return what a question without a key is answered; None if by nobody."""
    connection = http.client.HTTPConnection(
        local_address(bind), port, timeout=TIMEOUT_SECONDS
    )
    try:
        connection.request("POST", MCP_PATH, QUESTION, HEADERS)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
