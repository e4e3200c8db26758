"""Upgrade former versions to this one and back while runs come in: is any lost?

    python -m tests.upgrade [--runs 300] [--seed 1] [--from COMMIT]

Former versions are those before the last two commits that changed the tables, checked
out of git. Each starts in a home of its own and takes runs by all doors. Then it is
stopped, this version starts on the same home and migrates; then this one undoes its
migrations and the former starts again, and clients go on sending through all of it. At
the end each acknowledged run must be there once, with one verdict, and what was there
before must be as it was.
"""

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.chaos.doors import Doors, Journal
from tests.chaos.ledger import Balance, Ledger
from tests.chaos.runs import runs_of, sendings
from tests.chaos.system import System
from verifyhub.cli.home import CHECKOUT, Home
from verifyhub.cli.postgres import Postgres

MIGRATIONS = "verifyhub/*/migrations/*.py"
KEYS, SETTLE_SECONDS, STILL_SECONDS = 3, 600.0, 3.0
# Which share of the runs may be sent until the upgrade has begun, and the way back.
BEFORE, BETWEEN = 0.3, 0.65
# In which clients begin what they may send more.
SPREAD_SECONDS = 30.0
SHOWN = 10


def main(argv: Sequence[str] | None = None) -> int:
    """Run it; return 1 where anything is lost, doubled, stuck or changed."""
    parser = argparse.ArgumentParser(prog="python -m tests.upgrade")
    add = parser.add_argument
    add("--runs", type=int, default=300, help="of each upgrade")
    add("--seed", type=int, default=1)
    add("--from", dest="former", default="", help="a commit; else the last two")
    given = parser.parse_args(argv)
    versions = [given.former] if given.former else former_versions()
    if not versions:
        print("left out: the history that holds former versions is not here")
        return 0
    wrong = 0
    for version in versions:
        with checked_out(version) as tree, tempfile.TemporaryDirectory() as folder:
            wrong += _Course(tree, Path(folder), given.runs, given.seed).run(version)
    return int(bool(wrong))


def former_versions() -> list[str]:
    """Return the commits before the last two that changed the tables, newest first."""
    found = _git("log", "-2", "--format=%h", "--", MIGRATIONS).split()
    return [f"{one}^" for one in found if _git("rev-parse", "--verify", f"{one}^")]


class _Course:
    """One upgrade, and the way back."""

    def __init__(self, tree: Path, folder: Path, runs: int, seed: int) -> None:
        folder.chmod(0o711)
        home = folder / "home"
        home.mkdir(mode=0o711)
        self._former, self._seed = tree, seed
        self._system = System(home, checkout=tree)
        self._runs = runs_of(seed, runs, KEYS)
        self._may = _Rising(BEFORE)

    def run(self, version: str) -> int:
        """Go there and back, tell what was found, and return how much is wrong."""
        system, journal = self._system, Journal()
        try:
            system.start()
            system.command("project", "add", "kept")
            keys = [
                system.command("key", "add", "kept", f"client {number}")
                for number in range(KEYS)
            ]
            ledger = Ledger(system.owner_url())
            project = ledger.project("kept")
            sender = threading.Thread(
                daemon=True,
                target=Doors(system.port, system.mcp_port, keys, journal).send_all,
                args=(list(sendings(self._runs)),),
                kwargs={
                    "seed": self._seed,
                    "may_send": lambda share: share <= self._may.now(),
                    "patience_seconds": SETTLE_SECONDS,
                },
            )
            sender.start()
            _settle(ledger, project, journal)
            first = ledger.answers(project)
            there = self._move(CHECKOUT, BETWEEN)
            _settle(ledger, project, journal)
            second = ledger.answers(project)
            back = self._move(self._former, 1.0)
            sender.join()
            ledger.wait(project, len(self._runs), SETTLE_SECONDS)
            balance = ledger.balance(project, len(self._runs), journal.acknowledged)
            last = ledger.answers(project)
            told = system.command("audit", "verify").splitlines()[0]
        finally:
            self._may.rise(1.0, seconds=0)
            system.stop()
        print(
            f"{version} and back, {len(self._runs)} runs, seed {self._seed}: away for"
            f" {there:.0f} s and {back:.0f} s; {told}"
        )
        changed = [*(first - second), *(second - last)]
        return _told(balance, journal, changed)

    def _move(self, checkout: Path, share: float) -> float:
        """Start another version on the home, with clients going on; return seconds."""
        system = self._system
        self._may.rise(share, seconds=SPREAD_SECONDS)
        began = time.monotonic()
        system.stop()
        if checkout == self._former:
            _undo_migrations(self._former, system.home)
        system.checkout = checkout
        system.start()
        return time.monotonic() - began


class _Rising:
    """A share that rises evenly, so that clients send before, in and after a change."""

    def __init__(self, share: float) -> None:
        self._begun, self._from, self._to, self._seconds = 0.0, share, share, 0.0

    def now(self) -> float:
        gone = time.monotonic() - self._begun
        part = min(1.0, gone / self._seconds) if self._seconds else 1.0
        return self._from + (self._to - self._from) * part

    def rise(self, share: float, *, seconds: float) -> None:
        self._from, self._to = self.now(), share
        self._begun, self._seconds = time.monotonic(), seconds


def _settle(ledger: Ledger, project: object, journal: Journal) -> None:
    """Wait until clients send no more for now, and all they sent has its verdict."""
    until = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < until:
        seen = len(journal.acknowledged)
        time.sleep(STILL_SECONDS)
        if seen and seen == len(journal.acknowledged):
            break
    ledger.wait(project, len(journal.acknowledged), until - time.monotonic())


def _told(balance: Balance, journal: Journal, changed: Sequence[object]) -> int:
    wrong = {
        "lost": balance.lost,
        "doubled": balance.doubled,
        "stuck": balance.stuck,
        "changed": changed,
        "not to be answered": journal.breaches,
    }
    counts = ", ".join(f"{len(found)} {word}" for word, found in wrong.items())
    print(
        f"  {len(journal.acknowledged)} acknowledged, {journal.repeated} repeated;"
        f" {counts}",
        flush=True,
    )
    for word, found in wrong.items():
        for one in found[:SHOWN]:
            print(f"  {word}: {one}")
    return sum(len(found) for found in wrong.values())


def _undo_migrations(former: Path, home: Path) -> None:
    """Undo what the former version does not know, as its operator would."""
    targets = {}
    for folder in sorted(CHECKOUT.glob("verifyhub/*/migrations")):
        kept = "zero"
        for path in sorted(folder.glob("0*.py")):
            there = former / path.relative_to(CHECKOUT)
            if not there.exists() and "replaces = [" not in path.read_text():
                targets[folder.parent.name] = kept
                break
            kept = path.stem
    database = Postgres(Home(home))
    child = database.start()
    try:
        for app, name in targets.items():
            subprocess.run(
                [sys.executable, "manage.py", "migrate", app, name, "-v0"],
                cwd=CHECKOUT,
                env={
                    "PATH": "/usr/local/bin:/usr/bin:/bin",
                    "VERIFYHUB_HOME": str(home),
                    "VERIFYHUB_SECRET_KEY": "of this way back alone",
                    "DATABASE_URL": database.url,
                },
                check=True,
            )
    finally:
        child.stop()


@contextmanager
def checked_out(version: str) -> Iterator[Path]:
    """Hold the files of a commit, without touching this tree."""
    with tempfile.TemporaryDirectory(prefix="verifyhub-former-") as folder:
        Path(folder).chmod(0o755)
        packed = subprocess.run(
            ["git", "archive", version], cwd=CHECKOUT, capture_output=True, check=True
        )
        subprocess.run(["tar", "-x", "-C", folder], input=packed.stdout, check=True)
        yield Path(folder)


def _git(*words: str) -> str:
    """Return what git says, nothing where it or the history is missing."""
    try:
        said = subprocess.run(
            ["git", *words], cwd=CHECKOUT, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        return ""
    return "" if said.returncode else said.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
