"""What is done to a running system: a schedule of faults, drawn by a seed."""

import os
import random
import shutil
import signal
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from tests.chaos.clock import Clock
from tests.chaos.network import Network
from tests.chaos.system import System
from verifyhub.cli.restarts import STEADY_SECONDS

# How many of each for 500 kills of worker processes.
SHARES = {
    "kill worker": 500,
    "kill broker": 20,
    "kill web": 20,
    "kill database": 10,
    "kill supervisor": 5,
    "kill mcp": 5,
    "kill beat": 5,
    "stop": 40,
    "disk full": 4,
    "clock": 10,
    "network": 30,
    "database network": 30,
}
# A worker that goes on after that has lost what it held.
MOST_STOP_SECONDS = 15.0
VICTIM_SECONDS = 60
WORKED_SECONDS = 5
DISK_SECONDS, CUT_SECONDS, CLOCK_SECONDS = 4.0, 2.0, 3.0
DAY = 86_400
STOPPED = ("worker", "worker child", "web child", "broker", "database", "beat", "mcp")
FILL_BLOCK = 4 * 1024 * 1024


@dataclass
class Faults:
    """Does faults to a system; `done` counts those that found something to break."""

    system: System
    network: Network
    dice: random.Random
    clock: Clock | None = None
    disk: Path | None = None
    """A file system of the home's own, that may be filled."""
    done: Counter[str] = field(default_factory=Counter)

    def do(self, kind: str) -> None:
        """Do one fault, and undo it where that is not the system's to do."""
        act = getattr(self, f"_{kind.replace(' ', '_')}")
        until = time.monotonic() + VICTIM_SECONDS
        while time.monotonic() < until:
            if act():
                self.done[kind] += 1
                return
            # It died of an earlier fault and is not back yet, or has just come back:
            # who is killed before it works tells nothing.
            time.sleep(WORKED_SECONDS)

    def _kill_worker(self) -> bool:
        # Of three, two hit one process of the pool, and one the whole worker.
        worker = self.system.process("worker")
        pool = children(worker)
        if self.dice.random() < 2 / 3 and pool:
            return kill([self.dice.choice(pool)])
        # One that ends sooner is held back by the supervisor, longer each time.
        return _is_steady(worker) and kill([worker, *pool])

    def _kill_broker(self) -> bool:
        was_killed = kill([self.system.process("broker")])
        # Every second time its messages are gone, too.
        if was_killed and self.dice.random() < 0.5:
            shutil.rmtree(
                self.system.home / "broker" / "appendonlydir", ignore_errors=True
            )
        return was_killed

    def _kill_web(self) -> bool:
        web = self.system.process("web")
        processes = children(web)
        if self.dice.random() < 0.5 and processes:
            return kill([self.dice.choice(processes)])
        return kill([web, *processes])

    def _kill_mcp(self) -> bool:
        return kill([self.system.process("mcp")])

    def _kill_beat(self) -> bool:
        return kill([self.system.process("beat")])

    def _kill_database(self) -> bool:
        server = self.system.database_process()
        backends = children(server)
        # A killed backend makes the server end all others and recover by itself.
        if self.dice.random() < 0.3 and backends:
            return kill([self.dice.choice(backends)])
        was_killed = kill([server, *backends])
        database = self.system.database
        if was_killed and database and database.child:
            database.child.stop()
            time.sleep(self.dice.uniform(0, 3))
            database.start()
        return was_killed

    def _kill_supervisor(self) -> bool:
        supervisor = self.system.supervisor
        if not supervisor:
            return False
        supervisor.kill()
        supervisor.wait()
        self.system.start()
        return True

    def _stop(self) -> bool:
        name = self.dice.choice(STOPPED)
        process = (
            self.system.database_process()
            if name == "database"
            else self.system.process(name.split()[0])
        )
        if process and name.endswith("child"):
            process = self.dice.choice(children(process) or [process])
        if not process:
            return False
        group = [process, *children(process)] if name == "database" else [process]
        for one in group:
            with suppress(psutil.Error):
                one.suspend()
        time.sleep(self.dice.uniform(1, MOST_STOP_SECONDS))
        for one in group:
            with suppress(psutil.Error):
                one.resume()
        return True

    def _disk_full(self) -> bool:
        assert self.disk
        filler = self.disk / "filler"
        try:
            with suppress(OSError), filler.open("wb", buffering=0) as file:
                while True:
                    file.write(b"\0" * FILL_BLOCK)
            time.sleep(DISK_SECONDS)
        finally:
            filler.unlink(missing_ok=True)
        return True

    def _clock(self) -> bool:
        assert self.clock
        step = self.dice.choice([-DAY, -3600, -30, 30, 3600, DAY])
        self.clock.set(step)
        time.sleep(CLOCK_SECONDS)
        self.clock.set(0)
        return True

    def _network(self) -> bool:
        return self._break(self.network)

    def _database_network(self) -> bool:
        assert self.system.database_network
        return self._break(self.system.database_network)

    def _break(self, network: Network) -> bool:
        way = self.dice.choice(["slow", "cut", "in replies"])
        if way == "slow":
            network.slow()
        elif way == "cut":
            network.cut()
        else:
            network.cut_in_replies(self.dice.randrange(2000))
        time.sleep(self.dice.uniform(0.5, CUT_SECONDS))
        network.mend()
        return True


def schedule(
    kills: int, dice: random.Random, *, without: Sequence[str], only: str = ""
) -> list[str]:
    """Draw the order of as many faults as belong to so many kills of workers.

    Args:
        kills: Of workers; of each other kind there is one at least.
        dice: What draws.
        without: Kinds that cannot be done here.
        only: Kinds to do, with commas; else all.
    """
    kept = {word.strip() for word in only.split(",") if word.strip()} or set(SHARES)
    drawn = [
        kind
        for kind, share in SHARES.items()
        if kind in kept and kind not in without and kills
        for _ in range(max(1, round(share * kills / SHARES["kill worker"])))
    ]
    dice.shuffle(drawn)
    return drawn


def children(process: psutil.Process | None) -> list[psutil.Process]:
    """Return all below a process; none where it has ended."""
    try:
        return process.children(recursive=True) if process else []
    except psutil.Error:
        return []


def _is_steady(process: psutil.Process | None) -> bool:
    with suppress(psutil.Error):
        return bool(process and time.time() - process.create_time() > STEADY_SECONDS)
    return False


def kill(processes: Sequence[psutil.Process | None]) -> bool:
    """Send SIGKILL to processes; return whether one of them was there."""
    was_there = False
    for process in processes:
        with suppress(psutil.Error, ProcessLookupError):
            if process:
                os.kill(process.pid, signal.SIGKILL)
                was_there = True
    return was_there
