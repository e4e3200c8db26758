"""A real hub with a worker, the MCP server as a process, and the SDK's own client."""

import http.client
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tests.client.conftest import (  # noqa: F401 - fixtures
    HONEST,
    INVENTED,
    LISTING,
    TASK,
    server,
)
from tests.conftest import API_SECRET
from verifyhub.cli.ports import free_port

RUN = {"task": TASK, "answer": INVENTED, "tool_calls": [LISTING]}
HONEST_RUN = {**RUN, "answer": HONEST}
COMMAND = [sys.executable, "-m", "verifyhub.cli.main", "mcp"]

Act = Callable[[Client], Awaitable[Any]]


def environment(url: str, **settings: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("VERIFYHUB_")}
    return {**kept, "VERIFYHUB_URL": url, **settings}


@dataclass
class Served:
    """A running `verifyhub mcp --http`."""

    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    def request(
        self, method: str, path: str = "/mcp", body: bytes = b"", **headers: str
    ) -> tuple[int, dict[str, str], str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(method, path, body or None, named)
            answer = connection.getresponse()
            text = answer.read().decode()
            return answer.status, dict(answer.getheaders()), text
        except OSError:
            return 0, {}, ""
        finally:
            connection.close()


@pytest.fixture(scope="session")
def served(live_server: Any) -> Iterator[Served]:
    """`verifyhub mcp --http` before the server of the tests."""
    running = Served(free_port())
    process = subprocess.Popen(
        [*COMMAND, "--http"],
        env=environment(
            str(live_server.url),
            VERIFYHUB_MCP_PORT=str(running.port),
            VERIFYHUB_ROOT_URL="https://hub.example",
            VERIFYHUB_MAX_BODY_BYTES="100000",
        ),
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while running.request("GET", "/healthz")[0] != 200:
        if process.poll() is not None or time.monotonic() > deadline:
            pytest.fail(f"the MCP server did not start: {process.communicate()[1]}")
        time.sleep(0.1)
    yield running
    process.terminate()
    process.communicate(timeout=60)


def over_http(url: str, act: Act, key: str = API_SECRET, mode: str = "auto") -> Any:
    """Let the SDK's client act over streamable HTTP."""

    async def run() -> Any:
        headers = {"Authorization": f"Bearer {key}"}
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http_client:
            transport = streamable_http_client(url, http_client=http_client)
            async with Client(transport, mode=mode) as client:
                return await act(client)

    return anyio.run(run)


def over_stdio(url: str, act: Act, **settings: str) -> Any:
    """Let the SDK's client start the server, and act over standard input and output."""
    given = settings or {"VERIFYHUB_API_KEY": API_SECRET}
    command = StdioServerParameters(
        command=COMMAND[0], args=COMMAND[1:], env=environment(url, **given)
    )

    async def run() -> Any:
        async with Client(command) as client:
            return await act(client)

    return anyio.run(run)


@pytest.fixture(params=["stdio", "http", "http-legacy"])
def ask(request: Any, server: str, served: Served) -> Callable[[Act], Any]:  # noqa: F811
    """Act as a client of the MCP server, over each transport and era in turn."""
    if request.param == "stdio":
        return lambda act: over_stdio(server, act)
    mode = "legacy" if request.param == "http-legacy" else "auto"
    return lambda act: over_http(served.url, act, mode=mode)


@pytest.fixture
def ask_http(server: str, served: Served) -> Callable[[Act], Any]:  # noqa: F811
    """Act as a client over HTTP alone, where the transport makes no difference."""
    return lambda act: over_http(served.url, act)
