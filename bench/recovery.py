"""Kill workers during their work, and measure when it continues.

    python -m bench.recovery [--kills 20] [--runs 64] [--kilobytes 200]

In each round runs are sent at once. As soon as some are being verified, the processes
of the worker's pool, or in every second round the whole worker, get SIGKILL. Prints how
long their claimed rows waited until other processes had claimed all of them.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
import psycopg

from bench.fresh_home import address_of, fresh_home
from bench.ingest import BULK_PATH, Server
from bench.ingest_runs import made_runs

LOOK_SECONDS = 0.02
HELD = (
    "SELECT id, token FROM verification_verification"
    " WHERE state = 'running' AND lease_until > now()"
)
LEFT = """
SELECT count(*) FROM verification_verification AS row
JOIN unnest(%s::uuid[], %s::bigint[]) AS held (id, token) USING (id)
WHERE row.token = held.token AND row.state IN ('pending', 'running')
"""
OPEN = """
SELECT count(*) FROM verification_verification WHERE state IN ('pending', 'running')
"""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.recovery")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--runs", type=int, default=64, help="sent for each kill")
    parser.add_argument("--kilobytes", type=int, default=200, help="of each run")
    arguments = parser.parse_args(argv)
    waits: dict[str, list[float]] = {"pool": [], "worker": []}
    with tempfile.TemporaryDirectory(prefix="verifyhub-bench-") as folder:
        # PostgreSQL may run as another account here, which must access its data.
        Path(folder).chmod(0o711)
        with (
            fresh_home(Path(folder)) as (supervisor, server),
            psycopg.connect(address_of(supervisor), autocommit=True) as connection,
        ):
            for number in range(arguments.kills):
                which = ("pool", "worker")[number % 2]
                _send(server, arguments.runs, arguments.kilobytes)
                waited = _kill(Path(folder), connection, which)
                waits[which].append(waited)
                print(f"{number + 1:3}  {which:6}  {waited:5.1f} s", flush=True)
                while _count(connection, OPEN):
                    time.sleep(0.5)
    for which, seconds in waits.items():
        # With so few values, the 99th percentile is the longest.
        middle, longest = statistics.median(seconds), max(seconds)
        print(
            f"{which:6} {len(seconds)} kills: p50 {middle:.1f} s, p99 {longest:.1f} s"
        )
    return 0


def _send(server: Server, runs: int, kilobytes: int) -> None:
    lines = b"\n".join(run.as_native() for run in made_runs(runs, kilobytes, calls=8))
    server.connection.close()
    kind = {"Content-Type": "application/jsonl"}
    _, reply = server.send("POST", f"{BULK_PATH}?results=problems", lines, kind)
    summary = json.loads(reply.splitlines()[-1]).get("summary", {})
    assert summary.get("status") == 200, reply[:500]


def _kill(home: Path, connection: psycopg.Connection, which: str) -> float:
    """Kill while rows are claimed; return the seconds until none of them waits."""
    record = json.loads((home / "run" / "worker.pid").read_text(encoding="utf-8"))
    worker = psutil.Process(record["pid"])
    while not connection.execute(HELD).fetchall():
        time.sleep(LOOK_SECONDS)
    pool = worker.children(recursive=True)
    for process in [worker, *pool] if which == "worker" else pool:
        process.kill()
    killed = time.monotonic()
    held = connection.execute(HELD).fetchall()
    ids, tokens = [row[0] for row in held], [row[1] for row in held]
    while _count(connection, LEFT, ids, tokens):
        time.sleep(LOOK_SECONDS)
    return time.monotonic() - killed


def _count(connection: psycopg.Connection, statement: str, *values: object) -> int:
    row = connection.execute(statement, values).fetchone()
    assert row
    return int(row[0])


if __name__ == "__main__":
    sys.exit(main())
