"""A whole VerifyHub of its own: `verifyhub up` in a folder, started and stopped."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from tests.chaos.network import Network
from verifyhub.cli.home import CHECKOUT, Home
from verifyhub.cli.ports import free_port
from verifyhub.cli.postgres import Postgres

READY_SECONDS = 300
NOT_INHERITED = {"DATABASE_URL", "BROKER_URL", "PORT", "DJANGO_SETTINGS_MODULE"}


class ChaosError(Exception):
    """The system under test does not start or answer; the message says why."""


@dataclass
class System:
    """One running VerifyHub, and the network that leads to it.

    Attributes:
        home: Its folder.
        environment: What its programs get beside their settings.
        database: A database server beside it that it reaches over `database_network`;
            None where it runs one of its own.
        checkout: Whose program runs: this tree's, or that of another version.
    """

    home: Path
    environment: dict[str, str] = field(default_factory=dict)
    database: Postgres | None = None
    database_network: Network | None = None
    port: int = field(default_factory=free_port)
    mcp_port: int = field(default_factory=free_port)
    supervisor: subprocess.Popen[bytes] | None = None
    checkout: Path = CHECKOUT

    @property
    def log(self) -> Path:
        return self.home / "up.log"

    def start(self) -> None:
        """Start it, and wait until it is ready.

        Raises:
            ChaosError: If it does not get ready.
        """
        began = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            self.supervisor = subprocess.Popen(
                [sys.executable, "-m", "verifyhub.cli.main", "up"],
                cwd=self.checkout,
                env=self._environment(),
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
            )
        until = time.monotonic() + READY_SECONDS
        while b" Ready" not in self.log.read_bytes()[began:]:
            if self.supervisor.poll() is not None or time.monotonic() > until:
                last = self.log.read_text(errors="replace")[-2000:]
                raise ChaosError(f"VerifyHub does not get ready:\n{last}")
            time.sleep(0.2)

    def stop(self) -> None:
        if self.supervisor and self.supervisor.poll() is None:
            self.supervisor.send_signal(signal.SIGTERM)
            self.supervisor.wait(180)

    def process(self, name: str) -> psutil.Process | None:
        """Return a program that the supervisor runs, None while it does not."""
        try:
            path = self.home / "run" / f"{name}.pid"
            record = json.loads(path.read_text(encoding="utf-8"))
            process = psutil.Process(record["pid"])
            if abs(process.create_time() - record["started"]) < 0.05:
                return process
        except (OSError, ValueError, psutil.Error):
            pass
        return None

    def database_process(self) -> psutil.Process | None:
        if self.database is None:
            return self.process("postgres")
        pid = self.database.child.pid if self.database.child else None
        with suppress(psutil.Error):
            return psutil.Process(pid)
        return None

    def command(self, *words: str) -> str:
        """Run `verifyhub` for this home and return what it prints.

        Raises:
            ChaosError: If it fails.
        """
        result = subprocess.run(
            [sys.executable, "-m", "verifyhub.cli.main", *words],
            cwd=self.checkout,
            env=self._environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        if result.returncode:
            raise ChaosError(f"verifyhub {' '.join(words)}: {result.stderr}")
        return result.stdout.strip()

    def owner_url(self) -> str:
        """Return the address of the tables' owner, past any network."""
        if self.database:
            return self.database.url
        named = "export VERIFYHUB_OWNER_DATABASE_URL="
        text = (self.home / "run" / "environment.sh").read_text(encoding="utf-8")
        return next(
            line.removeprefix(named)
            for line in text.splitlines()
            if line.startswith(named)
        )

    def _environment(self) -> dict[str, str]:
        inherited = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("VERIFYHUB_") and name not in NOT_INHERITED
        }
        made = {
            **inherited,
            "PYTHONPATH": f"{self.checkout}:{self.checkout / 'client'}",
            "VERIFYHUB_HOME": str(self.home),
            # A worker that is killed leaves files behind.
            "TMPDIR": str(self.home),
            "PORT": str(self.port),
            "VERIFYHUB_MCP_PORT": str(self.mcp_port),
            "VERIFYHUB_DEMO": "0",
            **self.environment,
        }
        if self.database and self.database_network:
            there = f":{self.database.port}/"
            here = f":{self.database_network.port}/"
            made["DATABASE_URL"] = self.database.application_url.replace(there, here)
            made["VERIFYHUB_OWNER_DATABASE_URL"] = self.database.url
        return made


@contextmanager
def a_system(
    folder: Path, environment: dict[str, str], *, database_apart: bool = False
) -> Iterator[System]:
    """Run one in a folder until the block ends."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    # PostgreSQL may run as another account here, which must reach its data.
    for one in (folder, home):
        one.chmod(0o711)
    if not database_apart:
        system = System(home, environment)
        try:
            system.start()
            yield system
        finally:
            system.stop()
        return
    beside = Home(folder / "database")
    beside.create()
    database = Postgres(beside)
    database.start()
    with Network(database.port).running() as network:
        system = System(home, environment, database, network)
        try:
            system.start()
            yield system
        finally:
            network.mend()
            system.stop()
            if database.child:
                database.child.stop()
