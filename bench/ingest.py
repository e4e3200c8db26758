"""Send runs to a running server, measure it, and compare it with Phoenix and MLflow.

    python -m bench.ingest --url http://127.0.0.1:8000 --key vh_… [RUNS.jsonl]

Each way of sending gets its own runs: single requests by several clients over
persistent connections, one bulk stream, and spans over OTLP. Prints three times for
each: when the last run was acknowledged, when all were found by listing them, and when
all had a verdict. The other products get the same runs as OTLP spans; those that are
not installed are skipped.
"""

import argparse
import http.client
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, Queue
from statistics import quantiles
from typing import Any
from urllib.parse import urlsplit

from bench.ingest_peers import PEERS, Skipped, running
from bench.ingest_runs import BenchRun, made_runs, runs_of

PATH = "/api/v1/interactions/"
BULK_PATH = "/api/v1/bulk/"
OTLP_PATH = "/v1/traces"
PROTOBUF = "application/x-protobuf"
PATIENCE_SECONDS = 600
PAUSE_SECONDS = 0.2
WAYS = ("singles", "bulk", "otlp")


@dataclass(slots=True)
class Measured:
    """The figures of one way; seconds since the first byte sent, ms of each request."""

    way: str
    runs: int
    acknowledged: float = 0.0
    queryable: float | None = None
    verified: float | None = None
    ms: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)

    def told(self) -> str:
        """Return one line of a table."""
        cuts = quantiles(self.ms, n=100) if len(self.ms) > 1 else [0.0] * 99
        rates = [
            f"{self.runs / seconds:8.1f}" if seconds else "       –"
            for seconds in (self.acknowledged, self.queryable, self.verified)
        ]
        times = f"{cuts[49]:6.0f} {cuts[94]:6.0f} {cuts[98]:6.0f}"
        head = f"{self.way:16} {self.runs:6} {' '.join(rates)} {times}"
        return f"{head}  {dict(self.statuses)}"


class Server:
    """One persistent connection to the server."""

    def __init__(self, url: str, key: str) -> None:
        parts = urlsplit(url)
        self.connection = http.client.HTTPConnection(parts.netloc, timeout=120)
        self.headers = {
            "Authorization": f"Bearer {key}",
            "Content-Type": "application/json",
        }

    def connected_again(self) -> "Server":
        """Return a new connection to the same server, for another thread."""
        own = Server(f"http://{self.connection.host}:{self.connection.port}", "")
        own.headers = dict(self.headers)
        return own

    def ask(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, Any]:
        status, data = self.send(method, path, body, headers)
        return status, json.loads(data)

    def send(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> tuple[int, bytes]:
        self.connection.request(method, path, body, {**self.headers, **headers})
        reply = self.connection.getresponse()
        return reply.status, reply.read()


def main(argv: Sequence[str] | None = None) -> int:
    arguments = _arguments(argv)
    print(
        f"{'':16} {'runs':>6} {'acked/s':>8} {'found/s':>8} {'judged/s':>8}"
        f" {'p50':>6} {'p95':>6} {'p99':>6} ms"
    )
    found = [_ours(way, arguments) for way in arguments.ways]
    found += [one for name in arguments.peers if (one := _peer(name, arguments))]
    _ratios(found)
    missing = [one for one in found if one.queryable is None]
    return 1 if missing else 0


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.ingest")
    add = parser.add_argument
    add("data", type=Path, nargs="?", help="runs to send; else made ones")
    add("--url", default="http://127.0.0.1:8000")
    add("--key", required=True)
    add("--clients", type=int, default=4)
    add("--repeat", type=int, default=1)
    add("--runs", type=int, default=400, help="made runs for singles")
    add("--bulk-runs", type=int, default=2000)
    add("--judged-within", type=float, default=600, metavar="SECONDS")
    add("--peer-runs", type=int, default=200)
    add("--kilobytes", type=int, default=20)
    add("--ways", nargs="*", choices=WAYS, default=list(WAYS))
    add("--peers", nargs="*", choices=sorted(PEERS), default=[])
    add("--peers-python", default=sys.executable, help="where peers are installed")
    return parser.parse_args(argv)


def _ours(way: str, arguments: argparse.Namespace) -> Measured:
    count = arguments.bulk_runs if way == "bulk" else arguments.runs
    runs = made_runs(count, arguments.kilobytes)
    bodies = [(run.name, run.as_native()) for run in runs]
    if arguments.data and way != "otlp":
        bodies = runs_of(arguments.data, arguments.repeat)
    measured = Measured(way, len(bodies))
    began = time.perf_counter()
    names = {name for name, _ in bodies}
    if way == "singles":
        _post_all([body for _, body in bodies], PATH, arguments, measured)
    elif way == "bulk":
        _bulk([body for _, body in bodies], arguments, measured)
    else:
        _post_all([run.as_otlp() for run in runs], OTLP_PATH, arguments, measured)
        names = {f"otel-{run.trace_id}" for run in runs}
    measured.acknowledged = time.perf_counter() - began
    _wait_for(names, began, arguments, measured)
    print(measured.told(), flush=True)
    return measured


def _post_all(
    bodies: list[bytes], path: str, arguments: argparse.Namespace, measured: Measured
) -> None:
    kind = PROTOBUF if path == OTLP_PATH else "application/json"

    def connected() -> Callable[[bytes], int]:
        server = Server(arguments.url, arguments.key)
        return lambda body: server.send("POST", path, body, {"Content-Type": kind})[0]

    clients(bodies, connected, arguments.clients, measured)


def clients(
    bodies: list[bytes],
    connected: Callable[[], Callable[[bytes], int]],
    count: int,
    measured: Measured,
) -> None:
    """Let several clients post bodies until none is left."""
    waiting: Queue[bytes] = Queue()
    for body in bodies:
        waiting.put(body)

    def client(_: int) -> None:
        post = connected()
        while True:
            try:
                body = waiting.get_nowait()
            except Empty:
                return
            started = time.perf_counter()
            status = post(body)
            measured.ms.append((time.perf_counter() - started) * 1000)
            measured.statuses[status] += 1

    with ThreadPoolExecutor(count) as pool:
        list(pool.map(client, range(count)))


def _bulk(
    bodies: list[bytes], arguments: argparse.Namespace, measured: Measured
) -> None:
    """Send as many streams as there are clients, each answered line by line."""
    share = -(-len(bodies) // arguments.clients)

    def stream(start: int) -> None:
        server = Server(arguments.url, arguments.key)
        data = b"\n".join(bodies[start : start + share])
        kind = {"Content-Type": "application/jsonl"}
        status, reply = server.send("POST", f"{BULK_PATH}?results=problems", data, kind)
        *problems, last = reply.splitlines()
        told = json.loads(last).get("summary", {})
        measured.statuses[status] += 1
        if problems or told.get("status") != 200:
            print(problems[:3], told, file=sys.stderr)

    with ThreadPoolExecutor(arguments.clients) as pool:
        list(pool.map(stream, range(0, len(bodies), share)))


def _wait_for(
    names: set[str],
    began: float,
    arguments: argparse.Namespace,
    measured: Measured,
) -> None:
    """List interactions until all are there, then until all have a verdict.

    While some are waiting, `/readyz` is requested instead of the list: for the web
    server, 200 rows of the list take as long as several verdicts take a worker.
    """
    server = Server(arguments.url, arguments.key)
    until = time.perf_counter() + arguments.judged_within
    while time.perf_counter() < until or measured.queryable is None:
        if measured.queryable is not None and _waits(server):
            time.sleep(PAUSE_SECONDS)
            continue
        now = time.perf_counter() - began
        states = _states(server, names)
        if len(states) == len(names) and measured.queryable is None:
            measured.queryable = time.perf_counter() - began
        if len(states) == len(names) and set(states.values()) == {"finished"}:
            measured.verified = now
            return
        time.sleep(PAUSE_SECONDS)


def _waits(server: Server) -> bool:
    """Return whether the server has an unfinished verification."""
    queue = server.ask("GET", "/readyz")[1]["checks"]["queue"]
    return bool(queue["oldest_seconds"])


def _states(server: Server, names: set[str]) -> dict[str, str]:
    """Return the state of each run on the newest pages of the list."""
    states: dict[str, str] = {}
    path = f"{PATH}?limit=200"
    for _ in range(len(names) // 200 + 2):
        _, page = server.ask("GET", path)
        states |= {
            one["id"]: one["state"] for one in page["results"] if one["id"] in names
        }
        if not page["next"] or len(states) == len(names):
            break
        parts = urlsplit(page["next"])
        path = f"{parts.path}?{parts.query}"
    return states


def _peer(name: str, arguments: argparse.Namespace) -> Measured | None:
    runs: list[BenchRun] = made_runs(arguments.peer_runs, arguments.kilobytes)
    measured = Measured(name, len(runs))
    try:
        with running(PEERS[name], arguments.peers_python) as peer:
            began = time.perf_counter()
            clients(
                [run.as_otlp() for run in runs],
                peer.connected,
                arguments.clients,
                measured,
            )
            measured.acknowledged = time.perf_counter() - began
            until = time.perf_counter() + PATIENCE_SECONDS
            while time.perf_counter() < until:
                if peer.count() >= len(runs):
                    measured.queryable = time.perf_counter() - began
                    break
                time.sleep(PAUSE_SECONDS)
    except Skipped as reason:
        print(f"{name:16} skipped: {reason}")
        return None
    print(measured.told(), flush=True)
    return measured


def _ratios(found: list[Measured]) -> None:
    """Compare the rates of listed runs with those of each other product."""
    for peer in (one for one in found if one.way in PEERS and one.queryable):
        for ours in (one for one in found if one.way in WAYS and one.queryable):
            assert peer.queryable
            assert ours.queryable
            ratio = (ours.runs / ours.queryable) / (peer.runs / peer.queryable)
            print(f"{ours.way} beside {peer.way}: {ratio:.1f} times as many a second")


if __name__ == "__main__":
    sys.exit(main())
