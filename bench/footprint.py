"""Start a fresh home, send it runs, and tell the memory of its processes.

    python -m bench.footprint [--runs 4500] [--rounds 2]

Memory is PSS: what a process has for itself, and its share of what it shares. It is
told at rest, and after each round, when every run has its verdict. Linux only.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil

from bench.ingest import BULK_PATH, Server
from bench.ingest_runs import made_runs
from verifyhub.cli.ports import free_port

# What stops growing within this time after the last verdict is what stays.
REST_SECONDS = 15
BATCH = 500


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.footprint")
    parser.add_argument("--runs", type=int, default=4500, help="of each round")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--kilobytes", type=int, default=20)
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="verifyhub-bench-") as folder:
        # PostgreSQL may run as another account here, which must reach its data.
        Path(folder).chmod(0o711)
        with _running(Path(folder)) as (supervisor, server):
            time.sleep(REST_SECONDS)
            _tell("at rest", supervisor)
            for number in range(1, arguments.rounds + 1):
                started = time.perf_counter()
                _send(server, arguments.runs, arguments.kilobytes)
                seconds = time.perf_counter() - started
                _tell(f"{number * arguments.runs} runs, {seconds:.0f} s", supervisor)
    return 0


@contextmanager
def _running(home: Path) -> Iterator[tuple[psutil.Process, Server]]:
    """Run `verifyhub up` in a home of its own until it has loaded its demo."""
    port = free_port()
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("VERIFYHUB_")
        and name not in {"DATABASE_URL", "BROKER_URL"}
    }
    up = subprocess.Popen(
        [sys.executable, "-m", "verifyhub.cli.main", "up"],
        env={**inherited, "VERIFYHUB_HOME": str(home), "PORT": str(port)},
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


def _send(server: Server, count: int, kilobytes: int) -> None:
    """Send runs in bulk, and wait until all have a verdict."""
    runs = made_runs(count, kilobytes)
    for start in range(0, count, BATCH):
        lines = b"\n".join(run.as_native() for run in runs[start : start + BATCH])
        kind = {"Content-Type": "application/jsonl"}
        # The server closes a connection that was idle while it judged.
        server.connection.close()
        _, reply = server.send("POST", f"{BULK_PATH}?results=problems", lines, kind)
        summary = json.loads(reply.splitlines()[-1]).get("summary", {})
        assert summary.get("status") == 200, reply[:500]
    while server.ask("GET", "/readyz")[1]["checks"]["queue"]["oldest_seconds"]:
        time.sleep(1)
    time.sleep(REST_SECONDS)


def _tell(when: str, supervisor: psutil.Process) -> None:
    """Print the PSS of each program with its children, in MB."""
    found = {"supervisor": _pss(supervisor)}
    home = Path(supervisor.environ()["VERIFYHUB_HOME"])
    for file in sorted((home / "run").glob("*.pid")):
        leader = psutil.Process(json.loads(file.read_text(encoding="utf-8"))["pid"])
        processes = (leader, *leader.children(recursive=True))
        each = [size for one in processes if (size := _pss(one))]
        found[f"{file.stem} x {len(each)}"] = sum(each)
    parts = ", ".join(f"{name} {size:.0f}" for name, size in found.items())
    print(f"{when}: {sum(found.values()):.0f} MB ({parts})", flush=True)


def _pss(process: psutil.Process) -> float:
    """Return megabytes; 0 of a process that has ended meanwhile."""
    try:
        text = Path(f"/proc/{process.pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0.0
    sizes = dict(line.split(":", 1) for line in text.splitlines()[1:])
    return int(sizes["Pss"].split()[0]) / 1024


if __name__ == "__main__":
    sys.exit(main())
