"""`verifyhub mcp`: run the MCP server."""

import argparse
import logging.config
import sys

import anyio

from verifyhub.cli.verify_text import visible
from verifyhub.common import env
from verifyhub.common.logs import configure_structlog, json_logging
from verifyhub.mcp_server.http import serve
from verifyhub.mcp_server.hub import Hub
from verifyhub.mcp_server.server import HubServer
from verifyhub.mcp_server.settings import HttpSettings, HubAddress

DONE, BAD_SETTING = 0, 2


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the description and the options of the subcommand."""
    parser.description = (
        "Run the Model Context Protocol server of a VerifyHub server: over "
        "standard input and output with one API key, or with --http for many clients, "
        "each with its own key."
    )
    parser.epilog = (
        "Settings: VERIFYHUB_URL, and VERIFYHUB_API_KEY or"
        " VERIFYHUB_API_KEY_FILE; with --http VERIFYHUB_MCP_PORT, VERIFYHUB_BIND and"
        " VERIFYHUB_ALLOWED_HOSTS."
    )
    parser.add_argument(
        "--http", action="store_true", help="serve Streamable HTTP at /mcp"
    )
    parser.add_argument(
        "--fd",
        type=int,
        metavar="N",
        help="with --http: use the listening socket with file descriptor N",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until the caller disconnects or a signal arrives."""
    try:
        _configure_logs()
        address = HubAddress.from_environment()
        hub = _hub(address)
        if arguments.http:
            settings = HttpSettings.from_environment(address)
            anyio.run(serve, hub, settings, arguments.fd)
        else:
            anyio.run(_serve_one, hub, address, _key())
    except env.SettingError as error:
        print(f"verifyhub mcp: {visible(str(error))}", file=sys.stderr)
        return BAD_SETTING
    except KeyboardInterrupt:
        pass
    return DONE


def _configure_logs() -> None:
    """Write logs to stderr: over stdio, stdout belongs to the protocol."""
    configure_structlog()
    level = env.text("VERIFYHUB_LOG_LEVEL", "INFO").upper()
    try:
        logging.config.dictConfig(json_logging(level))
    except ValueError as error:
        raise env.SettingError("VERIFYHUB_LOG_LEVEL is not a log level") from error


def _hub(address: HubAddress) -> Hub:
    try:
        return Hub(address.url, host=address.host)
    except ValueError as error:
        raise env.SettingError(f"VERIFYHUB_URL {error}") from error


def _key() -> str:
    key = env.text("VERIFYHUB_API_KEY")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise env.SettingError(
            "VERIFYHUB_API_KEY must consist of printable characters without spaces"
        )
    return key


async def _serve_one(hub: Hub, address: HubAddress, key: str) -> None:
    try:
        await HubServer(hub, public_url=address.url, key=key).run_stdio_async()
    finally:
        await hub.close()
