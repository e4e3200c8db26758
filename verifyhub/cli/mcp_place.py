"""The address and port at which `verifyhub up` serves the MCP server."""

from dataclasses import dataclass, field

from verifyhub.cli.ports import free_port, is_free
from verifyhub.cli.ready import local_address
from verifyhub.common import env
from verifyhub.mcp_server.settings import MCP_PATH

# How many ports after the hub's own are tried first.
NEAR = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class McpPlace:
    """The port and settings of the MCP server; port 0 if it is disabled."""

    port: int
    address: str
    settings: dict[str, str] = field(default_factory=dict)


def mcp_place(bind: str, hub_port: int) -> McpPlace:
    """Return the configured place, or else the next free port after the hub's.

    Raises:
        SettingError: If `VERIFYHUB_MCP` or `VERIFYHUB_MCP_PORT` is invalid.
    """
    if not env.flag("VERIFYHUB_MCP", True):
        return McpPlace(port=0, address="")
    port = env.integer("VERIFYHUB_MCP_PORT", 0) or _near(bind, hub_port)
    local = local_address(bind)
    host = f"[{local}]" if ":" in local else local
    return McpPlace(
        port=port,
        address=f"http://{host}:{port}{MCP_PATH}",
        settings={
            "VERIFYHUB_MCP_PORT": str(port),
            "VERIFYHUB_URL": f"http://{host}:{hub_port}",
            # The hub accepts this name whatever address it listens on.
            "VERIFYHUB_URL_HOST": "localhost",
        },
    )


def _near(bind: str, hub_port: int) -> int:
    for port in range(hub_port + 1, min(hub_port + 1 + NEAR, 65_536)):
        if is_free(bind, port):
            return port
    return free_port()
