"""A server in a new home, for benchmarks that need an empty database."""

import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil

from bench.ingest import BULK_PATH, Server
from bench.ingest_runs import BenchRun
from verifyhub.cli.ports import free_port

BATCH = 500


@contextmanager
def fresh_home(home: Path, **settings: str) -> Iterator[tuple[psutil.Process, Server]]:
    """Run `verifyhub up` in a new home until it has loaded its demo.

    Args:
        home: An empty folder.
        settings: Variables of the environment.
    """
    port = free_port()
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("VERIFYHUB_")
        and name not in {"DATABASE_URL", "BROKER_URL"}
    }
    up = subprocess.Popen(
        [sys.executable, "-m", "verifyhub.cli.main", "up"],
        env={
            **inherited,
            **settings,
            # Workers too run this checkout, whichever one is installed.
            "PYTHONPATH": str(Path(__file__).parents[1]),
            "VERIFYHUB_HOME": str(home),
            "PORT": str(port),
        },
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert up.stdout
        for line in up.stdout:
            if "Demo loaded" in line:
                break
            if " Ready" in line:
                print(line.strip(), flush=True)
        key = (home / "first-api-key").read_text(encoding="utf-8").strip()
        yield psutil.Process(up.pid), Server(f"http://127.0.0.1:{port}", key)
    finally:
        up.terminate()
        up.communicate()


def address_of(supervisor: psutil.Process, name: str = "DATABASE_URL") -> str:
    """Return the address of the home's database."""
    home = Path(supervisor.environ()["VERIFYHUB_HOME"])
    lines = (home / "run" / "environment.sh").read_text(encoding="utf-8").splitlines()
    named = f"export {name}="
    return next(line.removeprefix(named) for line in lines if line.startswith(named))


def send_runs(
    server: Server, runs: Sequence[BenchRun], *, seconds: float = math.inf
) -> None:
    """Send runs in bulk, and wait until all have a verdict.

    Raises:
        TimeoutError: If they have none after so many seconds.
    """
    until = time.monotonic() + seconds
    for start in range(0, len(runs), BATCH):
        lines = b"\n".join(run.as_native() for run in runs[start : start + BATCH])
        kind = {"Content-Type": "application/jsonl"}
        # The server closes a connection that is idle while it verifies.
        server.connection.close()
        _, reply = server.send("POST", f"{BULK_PATH}?results=problems", lines, kind)
        summary = json.loads(reply.splitlines()[-1]).get("summary", {})
        assert summary.get("status") == 200, reply[:500]
        _in_time(until)
    while server.ask("GET", "/readyz")[1]["checks"]["queue"]["oldest_seconds"]:
        _in_time(until)
        time.sleep(1)


def _in_time(until: float) -> None:
    if time.monotonic() > until:
        raise TimeoutError("not all runs have a verdict yet")
