"""Start a fresh home, send it runs, and print the memory of its processes.

    python -m bench.footprint [--runs 4500] [--rounds 2] [--minutes 10]

Memory is PSS: a process's own memory, and its share of shared memory. It is printed at
rest, and after each round, when every run has its verdict. The exit status is 1 if
memory after the last round is over 10 % larger than after the first: `--runs 20000`
shows in some ten minutes whether memory grows. Linux only.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import psutil

from bench.fresh_home import fresh_home, send_runs
from bench.ingest_runs import made_runs

# Memory is measured so long after the last verdict, when it no longer grows.
REST_SECONDS = 15
MOST_GROWTH = 0.10


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.footprint")
    parser.add_argument("--runs", type=int, default=4500, help="of each round")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=10, help="for each round")
    parser.add_argument("--kilobytes", type=int, default=20)
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="verifyhub-bench-") as folder:
        # PostgreSQL may run as another account here, which must access its data.
        Path(folder).chmod(0o711)
        with fresh_home(Path(folder)) as (supervisor, server):
            time.sleep(REST_SECONDS)
            _tell("at rest", supervisor)
            sizes = []
            for number in range(1, arguments.rounds + 1):
                runs = made_runs(arguments.runs, arguments.kilobytes)
                started = time.perf_counter()
                send_runs(server, runs, seconds=60 * arguments.minutes)
                seconds = time.perf_counter() - started
                time.sleep(REST_SECONDS)
                done = f"{number * arguments.runs} runs, {seconds:.0f} s"
                sizes.append(_tell(done, supervisor))
    growth = sizes[-1] / sizes[0] - 1
    print(f"grew by {growth:.1%} after the first round (at most {MOST_GROWTH:.0%})")
    return int(growth > MOST_GROWTH)


def _tell(when: str, supervisor: psutil.Process) -> float:
    """Print the PSS of each program with its children, in MB; return the sum."""
    found = {"supervisor": _pss(supervisor)}
    home = Path(supervisor.environ()["VERIFYHUB_HOME"])
    for file in sorted((home / "run").glob("*.pid")):
        leader = psutil.Process(json.loads(file.read_text(encoding="utf-8"))["pid"])
        processes = (leader, *leader.children(recursive=True))
        each = [size for one in processes if (size := _pss(one))]
        found[f"{file.stem} x {len(each)}"] = sum(each)
    parts = ", ".join(f"{name} {size:.0f}" for name, size in found.items())
    total = sum(found.values())
    print(f"{when}: {total:.0f} MB ({parts})", flush=True)
    return total


def _pss(process: psutil.Process) -> float:
    """Return megabytes; 0 if the process has ended."""
    try:
        text = Path(f"/proc/{process.pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0.0
    sizes = dict(line.split(":", 1) for line in text.splitlines()[1:])
    return int(sizes["Pss"].split()[0]) / 1024


if __name__ == "__main__":
    sys.exit(main())
