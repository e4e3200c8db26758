"""Break a running VerifyHub while runs come in, and look whether anything was lost.

    python -m tests.chaos [--runs 10000] [--kills 500] [--seed 1] [--database apart]

The same runs are sent twice to one system, to a project without faults and then to one
with them: single, in bulk, as OpenTelemetry spans, as transcripts and over MCP. Faults
come in an order that the seed draws: SIGKILL of workers, broker, web server, database,
MCP server, beat and supervisor, SIGSTOP, a full disk, a clock that jumps, networks that
are slow or cut. At the end every acknowledged run must be there once with one verdict,
and memory, constraints, review items and events of both projects must be equal.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.chaos.clock import Clock
from tests.chaos.doors import Doors, Journal
from tests.chaos.faults import SHARES, Faults, schedule
from tests.chaos.ledger import Balance, Ledger, unequal
from tests.chaos.network import Network
from tests.chaos.runs import runs_of, sendings
from tests.chaos.system import System, a_system
from verifyhub.cli.home import CHECKOUT

KEYS = 3
LOGS = CHECKOUT / ".verifyhub-chaos" / "logs"
DISK_SIZE = "1500m"
SHOWN = 10


def main(argv: Sequence[str] | None = None) -> int:
    """Run it, print a table, and return 1 where anything is lost, doubled or stuck."""
    given = _arguments(argv)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(_folder()))
        without, disk = {}, stack.enter_context(_small_disk(folder))
        if disk is None:
            without["disk full"] = "needs root, for a file system of its own"
        clock: Clock | None = None
        try:
            clock = Clock(folder)
        except OSError as error:
            without["clock"] = str(error)
        if given.database == "bundled":
            without["database network"] = "with --database apart alone"
        print(
            f"seed {given.seed}, {given.runs} runs, database {given.database}",
            flush=True,
        )
        for kind, reason in without.items():
            print(f"left out: {kind} ({reason})")
        system = stack.enter_context(
            a_system(
                disk or folder,
                clock.environment if clock else {},
                database_apart=given.database == "apart",
            )
        )
        network = stack.enter_context(Network(system.port).running())
        faults = Faults(system, network, random.Random(given.seed), clock, disk)
        drawn = schedule(
            given.kills,
            random.Random(given.seed + 1),
            without=list(without),
            only=given.only,
        )
        return _Course(given, system, network, faults, drawn).run()


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos")
    add = parser.add_argument
    add("--runs", type=int, default=10_000)
    add("--kills", type=int, default=500, help="of workers; others in proportion")
    add("--only", default="", help=f"kinds with commas, of: {', '.join(SHARES)}")
    add("--seed", type=int, default=1)
    add("--pause", type=float, default=1.0, help="between faults, mean, seconds")
    add("--database", choices=["bundled", "apart"], default="bundled")
    add("--settle", type=float, default=600, help="seconds after the last fault")
    return parser.parse_args(argv)


class _Course:
    """One run of everything, from two new projects to the table."""

    def __init__(
        self,
        given: argparse.Namespace,
        system: System,
        network: Network,
        faults: Faults,
        drawn: Sequence[str],
    ) -> None:
        self.given, self.system, self.network = given, system, network
        self.faults, self.drawn = faults, drawn
        self.begun = 0.0
        self.runs = runs_of(given.seed, given.runs, KEYS)
        self.ledger = Ledger(system.owner_url())

    def run(self) -> int:
        calm, _ = self._send_to("calm")
        quiet = self.ledger.project("calm")
        before = self.ledger.wait(quiet, len(self.runs), self.given.settle)
        if before is None:
            print("Without a fault not all runs got a verdict")
        balances = {"without faults": self._balance("calm", calm, before)}
        journal, began = self._send_to("broken")
        broken = self.ledger.project("broken")
        after = self.ledger.wait(broken, len(self.runs), self.given.settle)
        balances["with faults"] = self._balance("broken", journal, after)
        differences = unequal(self.ledger.told(quiet), self.ledger.told(broken))
        print(self.system.command("audit", "verify"))
        self._tell(balances, differences, calm, journal, began)
        wrong = [
            *calm.breaches,
            *journal.breaches,
            *differences,
            *(one for b in balances.values() for one in (b.lost, b.doubled, b.stuck)),
        ]
        missing = len(self.runs) - len(journal.acknowledged)
        if any(wrong) or missing:
            shutil.copytree(self.system.home / "logs", LOGS, dirs_exist_ok=True)
            print(f"what its programs wrote: {LOGS}")
            return 1
        return 0

    def _send_to(self, slug: str) -> tuple[Journal, float]:
        """Send all runs to a new project; all but the first meet faults."""
        with_faults = slug == "broken"
        self.system.command("project", "add", slug)
        keys = [
            self.system.command("key", "add", slug, f"client {number}")
            for number in range(KEYS)
        ]
        journal, began = Journal(), time.monotonic()
        # Without faults nothing is between the clients and the server, either.
        port = self.network.port if with_faults else self.system.port
        doors = Doors(port, self.system.mcp_port, keys, journal)
        with ThreadPoolExecutor(max_workers=1) as beside:
            sending = beside.submit(
                doors.send_all,
                list(sendings(self.runs)),
                seed=self.given.seed,
                may_send=lambda share: not with_faults or share <= self.begun,
                patience_seconds=self.given.settle,
            )
            if with_faults:
                # Here: what a thread starts the kernel stops with that thread.
                self._break_things()
            sending.result()
        return journal, time.monotonic() - began

    def _break_things(self) -> None:
        dice = random.Random(self.given.seed + 2)
        try:
            for number, kind in enumerate(self.drawn, 1):
                self.begun = number / (len(self.drawn) + 1)
                time.sleep(dice.expovariate(1 / self.given.pause))
                began = time.monotonic()
                self.faults.do(kind)
                took = time.monotonic() - began
                print(f"{number:4}/{len(self.drawn)} {kind} ({took:.1f} s)", flush=True)
        finally:
            self.begun = 1.0

    def _balance(self, slug: str, journal: Journal, caught_up: float | None) -> Balance:
        project = self.ledger.project(slug)
        found = self.ledger.balance(project, len(self.runs), journal.acknowledged)
        found.caught_up_seconds = caught_up
        return found

    def _tell(
        self,
        balances: dict[str, Balance],
        differences: dict[str, list[str]],
        calm: Journal,
        journal: Journal,
        seconds: float,
    ) -> None:
        print(f"\nfaults done in {seconds:.0f} s:")
        for kind, count in sorted(self.faults.done.items()):
            print(f"  {kind:18}{count:5}")
        head = ("acknowledged", "lost", "doubled", "stuck", "repeated", "caught up, s")
        print(f"\n{'':16}" + "".join(f"{word:>14}" for word in head))
        for (name, one), told in zip(balances.items(), (calm, journal), strict=True):
            took = one.caught_up_seconds
            cells = (
                len(told.acknowledged),
                len(one.lost),
                len(one.doubled),
                len(one.stuck),
                told.repeated,
                "never" if took is None else f"{took:.0f}",
            )
            print(f"{name:16}" + "".join(f"{cell:>14}" for cell in cells))
            for word in ("lost", "doubled", "stuck"):
                for line in getattr(one, word)[:SHOWN]:
                    print(f"  {word}: {line}")
        print(f"answers to clients: {dict(journal.statuses)}")
        for line in [*calm.breaches, *journal.breaches][:SHOWN]:
            print(f"  not to be answered: {line}")
        print(f"unequal to a run without faults: {', '.join(differences) or 'nothing'}")
        for name, lines in differences.items():
            for line in lines[:SHOWN]:
                print(f"  {name}: {line}")


@contextmanager
def _folder() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="verifyhub-chaos-") as folder:
        Path(folder).chmod(0o711)
        yield folder


@contextmanager
def _small_disk(folder: Path) -> Iterator[Path | None]:
    """Mount a file system that can be filled; None where that is not allowed."""
    place = folder / "disk"
    place.mkdir()
    options = f"size={DISK_SIZE},mode=0711"
    command = ["mount", "-t", "tmpfs", "-o", options, "verifyhub-chaos", str(place)]
    mounted = (
        os.geteuid() == 0
        and not subprocess.run(command, capture_output=True, check=False).returncode
    )
    try:
        yield place if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(place)], check=False)


if __name__ == "__main__":
    sys.exit(main())
