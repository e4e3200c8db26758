"""The web server as it is configured, as a process of its own."""

import http.client
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.verification.test_worker import CHECKOUT, Processes, eventually
from verifyhub.cli.ports import free_port


@dataclass
class WebServer:
    """One that answers on loopback."""

    process: subprocess.Popen[bytes]
    port: int

    @property
    def address(self) -> tuple[str, int]:
        return "127.0.0.1", self.port

    def answers(self) -> bool:
        asking = http.client.HTTPConnection(*self.address, timeout=10)
        with closing(asking):
            try:
                asking.request("GET", "/healthz")
                return asking.getresponse().status == 200
            except OSError:
                return False


@contextmanager
def a_web_server(folder: Path, *arguments: str) -> Iterator[WebServer]:
    """Start it on the test's database; arguments are gunicorn's."""
    port = free_port()
    environment = {**os.environ, **Processes(folder)._environment(), "PORT": str(port)}
    with (folder / "web.log").open("wb") as log:
        process = subprocess.Popen(
            [
                *[sys.executable, "-m", "gunicorn"],
                *["--config", "python:verifyhub.config.gunicorn", *arguments],
            ],
            env=environment,
            cwd=CHECKOUT,
            stdout=log,
            stderr=log,
        )
    server = WebServer(process, port)
    try:
        eventually(server.answers)
        yield server
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()
