"""Throughput by number of worker processes: `python -m bench.workers [1 2 4]`.

For each number, a fresh home with that many worker processes gets the same runs in
bulk. The workers are stopped until the last run is stored, so that nothing else uses
the cores. Prints verified runs per second, the processor time of workers and database
per run, the database's transactions, and the share of samples in which a backend waited
for another one's lock. More workers than cores show nothing further.
"""

import argparse
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg

from bench.fresh_home import address_of, fresh_home
from bench.ingest import BULK_PATH, Server
from bench.ingest_runs import made_runs

LOOK_SECONDS = 0.05
LOCKED = """
SELECT count(*) FROM pg_stat_activity
WHERE wait_event_type = 'Lock' AND backend_type = 'client backend'
"""
COMMITS = "SELECT sum(xact_commit)::bigint FROM pg_stat_database"
UNFINISHED = """
SELECT count(*) FROM verification_verification WHERE state IN ('pending', 'running')
"""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.workers")
    parser.add_argument("workers", type=int, nargs="*", default=[1, 2, 4])
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--kilobytes", type=int, default=20)
    arguments = parser.parse_args(argv)
    print(f"cores: {psutil.cpu_count()}, load: {psutil.getloadavg()[0]:.1f}")
    print("workers  runs/s  workers' ms  database's ms  commits a run  locked looks")
    for count in arguments.workers:
        with tempfile.TemporaryDirectory(prefix="verifyhub-bench-") as folder:
            # PostgreSQL may run as another account here, which must access its data.
            Path(folder).chmod(0o711)
            own = {"VERIFYHUB_WORKER_CONCURRENCY": str(count)}
            with fresh_home(Path(folder), **own) as (supervisor, server):
                print(f"{count:7} {_measured(supervisor, server, arguments)}")
    return 0


def _measured(
    supervisor: psutil.Process, server: Server, arguments: argparse.Namespace
) -> str:
    runs, home = arguments.runs, Path(supervisor.environ()["VERIFYHUB_HOME"])
    workers, database = _family(home, "worker"), _family(home, "postgres")
    with psycopg.connect(address_of(supervisor), autocommit=True) as connection:
        with _stopped(workers):
            lines = b"\n".join(
                run.as_native() for run in made_runs(runs, arguments.kilobytes)
            )
            kind = {"Content-Type": "application/jsonl"}
            path = f"{BULK_PATH}?results=problems"
            _, reply = server.send("POST", path, lines, kind)
            summary = json.loads(reply.splitlines()[-1]).get("summary", {})
            assert summary.get("status") == 200, reply[:500]
            before = _seconds(workers), _seconds(database), _one(connection, COMMITS)
        began, looks, locked = time.monotonic(), 0, 0
        while _one(connection, UNFINISHED):
            looks += 1
            locked += _one(connection, LOCKED) > 0
            time.sleep(LOOK_SECONDS)
        took = time.monotonic() - began
        commits = _one(connection, COMMITS) - before[2] - 2 * looks
        spent = [
            (_seconds(group) - had) * 1000 / runs
            for group, had in ((workers, before[0]), (database, before[1]))
        ]
    return (
        f"{runs / took:7.1f} {spent[0]:12.1f} {spent[1]:14.1f}"
        f" {commits / runs:14.2f} {locked / max(1, looks):13.0%}"
    )


def _family(home: Path, name: str) -> list[psutil.Process]:
    pid = json.loads((home / "run" / f"{name}.pid").read_text(encoding="utf-8"))["pid"]
    leader = psutil.Process(pid)
    return [leader, *leader.children(recursive=True)]


@contextmanager
def _stopped(processes: Sequence[psutil.Process]) -> Iterator[None]:
    for one in processes:
        os.kill(one.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for one in processes:
            os.kill(one.pid, signal.SIGCONT)


def _seconds(processes: Sequence[psutil.Process]) -> float:
    total = 0.0
    for one in processes:
        try:
            times = one.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system
    return total


def _one(connection: psycopg.Connection, statement: str) -> int:
    row = connection.execute(statement).fetchone()  # type: ignore[call-overload]
    assert row
    return int(row[0])


if __name__ == "__main__":
    sys.exit(main())
