"""Run VerifyHub on machines of their own and take these away while runs come in.

    python -m tests.cluster [--runs 20000] [--faults 60] [--seed 1] [--broker rabbitmq]

The machines are network namespaces on a bridge of this one: a balancer, three web
servers, four groups of workers by queue, two beats, an MCP server, PgBouncer,
PostgreSQL and a replica, a broker, an S3-compatible store. Runs come in by all doors
while processes are killed, cables pulled, and whole machines lost, in an order that the
seed XX"""

import argparse
import os
import random
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import psycopg

from tests.chaos.doors import Doors, Journal
from tests.chaos.ledger import Balance, Ledger
from tests.chaos.runs import runs_of, sendings
from tests.cluster.faults import Faults, schedule
from tests.cluster.machines import a_switch, why_not
from tests.cluster.pages import Readers
from tests.cluster.system import KEY, MCP_PORT, PASSWORD, PROJECT, WEB_PORT, Cluster
from verifyhub.cli.home import CHECKOUT

LOGS = CHECKOUT / ".verifyhub-chaos" / "cluster-logs"
PATH = f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin"
SHOWN = 10
OUTPUTS_READ = 30
STORED = "SELECT count(*) FROM ingest_toolcall WHERE output_sha256 IS NOT NULL"


def main(argv: Sequence[str] | None = None) -> int:
    """Run it, print a table, and return 1 where anything is lost, doubled or stuck."""
    given = _arguments(argv)
    if reason := lacking(given.broker):
        print(f"left out: {reason}")
        return 0
    with ExitStack() as stack:
        folder = Path(
            stack.enter_context(
                tempfile.TemporaryDirectory(prefix="verifyhub-cluster-")
            )
        )
        folder.chmod(0o711)
        switch = stack.enter_context(a_switch())
        cluster = Cluster(switch, folder, given.broker)
        print(
            f"seed {given.seed}, {given.runs} runs, {given.faults} faults,"
            f" {given.broker}, {len(cluster.machines)} machines",
            flush=True,
        )
        try:
            wrong = _Course(given, cluster).run()
        finally:
            shutil.rmtree(LOGS, ignore_errors=True)
            LOGS.mkdir(parents=True)
            for log in folder.glob("*.log"):
                shutil.copy(log, LOGS)
        if wrong:
            print(f"what its programs wrote: {LOGS}")
        return int(wrong)


def lacking(broker: str) -> str:
    """Return what this machine lacks for it; empty where it has everything."""
    needed = ["ip", "nsenter", "pgbouncer"]
    needed += ["rabbitmq-server"] if broker == "rabbitmq" else []
    lacks = [one for one in needed if not shutil.which(one, path=PATH)]
    return f"no {', '.join(lacks)}" if lacks else why_not()


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.cluster")
    add = parser.add_argument
    add("--runs", type=int, default=20_000)
    add("--faults", type=int, default=60)
    add("--seed", type=int, default=1)
    add("--broker", choices=["valkey", "rabbitmq"], default="valkey")
    add("--pause", type=float, default=2.0, help="between faults, mean, seconds")
    add("--cut", type=float, nargs=2, default=[5.0, 25.0], help="seconds, from and to")
    add("--settle", type=float, default=600, help="seconds after the last fault")
    return parser.parse_args(argv)


class _Course:
    """One run of everything, from the first machine to the table."""

    def __init__(self, given: argparse.Namespace, cluster: Cluster) -> None:
        self.given, self.cluster = given, cluster
        self.drawn = schedule(given.faults, random.Random(given.seed))
        self.runs = [
            # Some are large enough for the object store.
            replace(run, output=run.output * (1 if run.number % 20 else 60))
            for run in runs_of(given.seed, given.runs, 1)
        ]
        self.faults = Faults(cluster, random.Random(given.seed + 1), tuple(given.cut))
        self.readers = Readers(
            cluster.address, PROJECT, PASSWORD, lambda: self.faults.is_balancer_away
        )
        self.journal = Journal()
        self.begun = 0.0

    def run(self) -> bool:
        """Return whether anything is wrong."""
        began = time.monotonic()
        self.cluster.start()
        print(f"started in {time.monotonic() - began:.0f} s", flush=True)
        began = time.monotonic()
        ledger = Ledger(self.cluster.owner_url)
        with self.cluster.kept():
            with self.readers.reading():
                self._send()
                seconds = time.monotonic() - began
                project = ledger.project(PROJECT)
                took = ledger.wait(project, len(self.runs), self.given.settle)
            balance = ledger.balance(project, len(self.runs), self.journal.acknowledged)
            balance.caught_up_seconds = took
            unread = self._unread_outputs()
        return self._tell(balance, unread, seconds)

    def _send(self) -> None:
        breaking = threading.Thread(target=self._break_things)
        breaking.start()
        doors = Doors(
            WEB_PORT, MCP_PORT, [KEY], self.journal, host=self.cluster.address
        )
        doors.send_all(
            list(sendings(self.runs)),
            seed=self.given.seed,
            may_send=lambda share: share <= self.begun,
            patience_seconds=self.given.settle,
        )
        breaking.join()

    def _break_things(self) -> None:
        dice = random.Random(self.given.seed + 2)
        try:
            for number, fault in enumerate(self.drawn, 1):
                self.begun = number / (len(self.drawn) + 1)
                time.sleep(dice.expovariate(1 / self.given.pause))
                took = self.faults.do(fault)
                print(
                    f"{number:4}/{len(self.drawn)} {fault:16}"
                    f" a new run verified {took:.1f} s after",
                    flush=True,
                )
        finally:
            self.begun = 1.0

    def _unread_outputs(self) -> list[str]:
        """Read what some tools returned, wherever it lies by now."""
        dice = random.Random(self.given.seed + 3)
        some = [run for run in self.runs if run.door in {"single", "bulk", "mcp"}]
        return [
            run.id
            for run in dice.sample(some, min(OUTPUTS_READ, len(some)))
            if run.output.splitlines()[-1].encode()
            not in self.cluster.ask("GET", f"/api/v1/interactions/{run.id}/", key=KEY)[
                1
            ]
        ]

    def _tell(self, balance: Balance, unread: list[str], seconds: float) -> bool:
        faults, journal, readers = self.faults, self.journal, self.readers
        acts: Counter[str] = Counter()
        for fault, count in faults.done.items():
            acts[fault.split()[0]] += count
        with psycopg.connect(self.cluster.owner_url) as connection:
            ((stored,),) = connection.execute(STORED).fetchall()
        slowest, which = max(faults.recoveries, default=(0.0, "none"))
        took = sorted(seconds for seconds, _ in faults.recoveries)
        median = took[len(took) // 2] if took else 0.0
        waited = balance.caught_up_seconds
        caught_up = "never" if waited is None else f"{waited:.0f} s"
        deaths = {one.name: one.deaths for one in self.cluster.services if one.deaths}
        missing = len(self.runs) - len(journal.acknowledged)
        rows = {
            "faults": f"{sum(acts.values())} in {seconds:.0f} s: {dict(acts)}",
            "acknowledged": f"{len(journal.acknowledged)} of {len(self.runs)}",
            "lost": len(balance.lost),
            "doubled": len(balance.doubled),
            "stuck": len(balance.stuck),
            "sent again": journal.repeated,
            "all verified after": caught_up,
            "a new run after a fault": (
                f"median {median:.1f} s, slowest {slowest:.1f} s ({which})"
            ),
            "another beat after": [f"{took:.0f} s" for took in faults.takeovers],
            "pages": (
                f"{dict(readers.statuses)}, longest {readers.longest_seconds:.1f} s"
            ),
            "answers to clients": dict(journal.statuses),
            "outputs in the store": f"{stored}; {len(unread)} unreadable",
            "ended by themselves": deaths or "none",
        }
        print()
        for name, value in rows.items():
            print(f"{name:26}{value}")
        wrong = [
            *balance.lost,
            *balance.doubled,
            *balance.stuck,
            *journal.breaches,
            *readers.breaches,
            *faults.breaches,
            *unread,
        ]
        for line in wrong[:SHOWN]:
            print(f"  wrong: {line}")
        return bool(wrong) or missing > 0 or waited is None


if __name__ == "__main__":
    sys.exit(main())
