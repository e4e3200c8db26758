"""Arize Phoenix and MLflow on this machine, for `bench.ingest` (the extra `peers`).

Each is started with its defaults: SQLite in a new folder. Runs are sent as OTLP over
HTTP, and counted through the product's own interface.
"""

import http.client
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import psutil

from verifyhub.cli.ports import free_port

START_SECONDS = 180
PAGE = 1000


class Skipped(Exception):  # noqa: N818 - nothing went wrong
    """The product is not available; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class Peer:
    """How a product is started, called and counted."""

    module: str
    command: Callable[[int, str], list[str]]
    environment: Callable[[int, str], dict[str, str]]
    health: str
    headers: Mapping[str, str]
    count: Callable[["Running"], int]


@dataclass(slots=True)
class Running:
    """A running product."""

    peer: Peer
    port: int

    def connected(self) -> Callable[[bytes], int]:
        """Return a function that posts spans over one persistent connection."""
        kept = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        headers = {"Content-Type": "application/x-protobuf", **self.peer.headers}

        def post(body: bytes) -> int:
            kept.request("POST", "/v1/traces", body, headers)
            reply = kept.getresponse()
            reply.read()
            return reply.status

        return post

    def count(self) -> int:
        """Return how many runs can be listed."""
        return self.peer.count(self)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Request JSON."""
        one = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        data = json.dumps(body).encode() if body is not None else None
        one.request(method, path, data, {"Content-Type": "application/json"})
        reply = one.getresponse()
        told = reply.read()
        return json.loads(told) if reply.status == 200 else {}


def _phoenix_count(peer: Running) -> int:
    """Count roots among all spans, page by page."""
    roots, cursor = 0, ""
    while True:
        told = peer.ask(
            "GET", f"/v1/projects/default/spans?limit={PAGE}&cursor={cursor}"
        )
        roots += sum(not one.get("parent_id") for one in told.get("data", []))
        cursor = told.get("next_cursor") or ""
        if not cursor:
            return roots


def _mlflow_count(peer: Running) -> int:
    count, token = 0, ""
    where = {"type": "MLFLOW_EXPERIMENT", "mlflow_experiment": {"experiment_id": "0"}}
    while True:
        body = {"locations": [where], "max_results": 500, "page_token": token}
        told = peer.ask("POST", "/api/3.0/mlflow/traces/search", body)
        count += len(told.get("traces", []))
        token = told.get("next_page_token") or ""
        if not token:
            return count


PEERS: Mapping[str, Peer] = {
    "phoenix": Peer(
        module="phoenix",
        command=lambda _port, _folder: ["-m", "phoenix.server.main", "serve"],
        environment=lambda port, folder: {
            "PHOENIX_PORT": str(port),
            "PHOENIX_GRPC_PORT": str(free_port()),
            "PHOENIX_HOST": "127.0.0.1",
            "PHOENIX_WORKING_DIR": folder,
            "PHOENIX_TELEMETRY_ENABLED": "false",
        },
        health="/healthz",
        headers={},
        count=_phoenix_count,
    ),
    "mlflow": Peer(
        module="mlflow",
        command=lambda port, folder: [
            *("-m", "mlflow", "server", "--host", "127.0.0.1", "--port", str(port)),
            *("--backend-store-uri", f"sqlite:///{folder}/mlflow.db"),
            *("--artifacts-destination", f"{folder}/artifacts"),
        ],
        environment=lambda _port, _folder: {"MLFLOW_DISABLE_TELEMETRY": "true"},
        health="/health",
        headers={"x-mlflow-experiment-id": "0"},
        count=_mlflow_count,
    ),
}


@contextmanager
def running(peer: Peer, python: str) -> Iterator[Running]:
    """Start a product with its own interpreter, and stop it afterwards.

    Raises:
        Skipped: If it is not installed there, or does not respond in time.
    """
    looked = [
        python,
        "-c",
        f"import importlib.util as u; u.find_spec('{peer.module}') or 1/0",
    ]
    if subprocess.run(looked, capture_output=True, check=False).returncode:
        raise Skipped(f"{python} has no {peer.module}; install the extra `peers`")
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [python, *peer.command(port, folder)],
            env={**os.environ, **peer.environment(port, folder)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=folder,
        )
        try:
            _wait_for(peer, port, process)
            yield Running(peer, port)
        finally:
            _stop(process)


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """End a product and the processes it started."""
    family: list[psutil.Process] = []
    with suppress(psutil.NoSuchProcess):
        family = psutil.Process(process.pid).children(recursive=True)
    process.terminate()
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for one in family:
        with suppress(psutil.NoSuchProcess):
            one.kill()


def _wait_for(peer: Peer, port: int, process: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        try:
            one = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
            one.request("GET", peer.health)
            if one.getresponse().status == 200:
                return
        except OSError:
            time.sleep(0.5)
    raise Skipped(f"{peer.module} did not start")
