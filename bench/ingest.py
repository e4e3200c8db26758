"""Post every run of a file to a running server and time it.

    python -m bench.ingest RUNS.jsonl --url http://127.0.0.1:8000 --key vh_…

Each run is sent once by one of several clients over real HTTP, then all verdicts are
waited for. Only the fields of the native format are sent, labels stay here.
"""

import argparse
import http.client
import json
import sys
import time
import uuid
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty, Queue
from statistics import quantiles
from typing import Any
from urllib.parse import quote, urlsplit

from verifyhub.ingest.formats.native import FIELDS

PATH = "/api/v1/interactions/"


class Server:
    """One kept connection to the server under test."""

    def __init__(self, url: str, key: str) -> None:
        parts = urlsplit(url)
        self.connection = http.client.HTTPConnection(parts.netloc, timeout=60)
        self.headers = {
            "Authorization": f"Bearer {key}",
            "Content-Type": "application/json",
        }

    def ask(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, Any]:
        self.connection.request(method, path, body, {**self.headers, **headers})
        reply = self.connection.getresponse()
        return reply.status, json.loads(reply.read())


def main(argv: Sequence[str] | None = None) -> int:
    arguments = _arguments(argv)
    runs = _runs(arguments.data, arguments.repeat)
    started = time.perf_counter()
    posted = _post_all(runs, arguments)
    acknowledged = time.perf_counter() - started
    verdicts = _verdicts([name for name, _ in runs], arguments)
    finished = time.perf_counter() - started
    _report(runs, posted, verdicts, acknowledged, finished)
    return 0 if set(posted["status"]) == {202} and None not in verdicts else 1


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.ingest")
    parser.add_argument("data", type=Path)
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--key", required=True)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--repeat", type=int, default=1)
    return parser.parse_args(argv)


def _runs(data: Path, repeat: int) -> list[tuple[str, bytes]]:
    """Name and body of each run; names are fresh, so that every run is new."""
    mark = uuid.uuid4().hex[:8]
    runs = []
    for turn in range(repeat):
        for line in data.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            name = f"{record.get('id', len(runs))}-{mark}-{turn}"
            run = {key: record[key] for key in record if key in FIELDS}
            runs.append((name, json.dumps({**run, "id": name}).encode()))
    return runs


def _post_all(
    runs: list[tuple[str, bytes]], arguments: argparse.Namespace
) -> dict[str, list[Any]]:
    waiting: Queue[tuple[str, bytes]] = Queue()
    for run in runs:
        waiting.put(run)
    seen: dict[str, list[Any]] = {"status": [], "ms": []}

    def client(_: int) -> None:
        server = Server(arguments.url, arguments.key)
        while True:
            try:
                _, body = waiting.get_nowait()
            except Empty:
                return
            started = time.perf_counter()
            status, reply = server.ask("POST", PATH, body)
            seen["ms"].append((time.perf_counter() - started) * 1000)
            seen["status"].append(status)
            if status != 202:
                print(status, reply, file=sys.stderr)

    with ThreadPoolExecutor(arguments.clients) as pool:
        list(pool.map(client, range(arguments.clients)))
    return seen


def _verdicts(names: list[str], arguments: argparse.Namespace) -> list[str | None]:
    server = Server(arguments.url, arguments.key)

    def verdict(name: str) -> str | None:
        path = f"{PATH}{quote(name, safe='')}/verdict/"
        for _ in range(10):
            status, body = server.ask("GET", path, Prefer="wait=30")
            if status == 200:
                return str(body["verdict"])
        print(status, body, file=sys.stderr)
        return None

    return [verdict(name) for name in names]


def _report(
    runs: list[tuple[str, bytes]],
    posted: dict[str, list[Any]],
    verdicts: list[str | None],
    acknowledged: float,
    finished: float,
) -> None:
    megabytes = sum(len(body) for _, body in runs) / 1e6
    cuts = quantiles(posted["ms"], n=100)
    print(f"runs          {len(runs)} ({megabytes:.1f} MB)")
    print(f"replies       {dict(Counter(posted['status']))}")
    print(f"post, ms      p50 {cuts[49]:.0f}  p95 {cuts[94]:.0f}  p99 {cuts[98]:.0f}")
    print(f"acknowledged  {acknowledged:.1f} s, {len(runs) / acknowledged:.1f} runs/s")
    print(f"all verdicts  {finished:.1f} s, {len(runs) / finished:.1f} runs/s")
    print(f"verdicts      {dict(Counter(map(str, verdicts)))}")


if __name__ == "__main__":
    sys.exit(main())
