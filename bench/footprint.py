"""Start a fresh home, send it runs, and tell the memory of its processes.

    python -m bench.footprint [--runs 4500] [--rounds 2]

Memory is PSS: what a process has for itself, and its share of what it shares. It is
told at rest, and after each round, when every run has its verdict. Linux only.
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

# What stops growing within this time after the last verdict is what stays.
REST_SECONDS = 15


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.footprint")
    parser.add_argument("--runs", type=int, default=4500, help="of each round")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--kilobytes", type=int, default=20)
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="verifyhub-bench-") as folder:
        # PostgreSQL may run as another account here, which must reach its data.
        Path(folder).chmod(0o711)
        with fresh_home(Path(folder)) as (supervisor, server):
            time.sleep(REST_SECONDS)
            _tell("at rest", supervisor)
            for number in range(1, arguments.rounds + 1):
                started = time.perf_counter()
                send_runs(server, made_runs(arguments.runs, arguments.kilobytes))
                time.sleep(REST_SECONDS)
                seconds = time.perf_counter() - started
                _tell(f"{number * arguments.runs} runs, {seconds:.0f} s", supervisor)
    return 0


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
