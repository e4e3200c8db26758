import http.client
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from verifyhub.cli.ports import free_port
from verifyhub.cli.processes import MARK

SECONDS_TO_START = 100


@dataclass
class Up:
    """`verifyhub up` as a process of its own, in a home of its own."""

    home: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[str] | None = None
    command: Sequence[str] = (sys.executable, "-m", "verifyhub.cli.main", "up")
    cwd: Path | None = None

    def start(self, **settings: str) -> subprocess.Popen[str]:
        inherited = {
            name: value
            for name, value in os.environ.items()
            if name not in {"DATABASE_URL", "BROKER_URL"}
            and not name.startswith(("VERIFYHUB_", "DJANGO_"))
        }
        own = {
            "VERIFYHUB_HOME": str(self.home),
            "VERIFYHUB_DEMO": "0",
            "VERIFYHUB_WEB_WORKERS": "1",
            "PORT": str(self.port),
        }
        self.process = subprocess.Popen(
            self.command,
            cwd=self.cwd,
            env={**inherited, **own, **settings},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        return self.process

    def read_until(self, words: str) -> str:
        """Return the output up to the line that holds `words`, or up to its end."""
        output = ""
        while line := self.process.stdout.readline():
            output += line
            if words in line:
                return output
        return output

    def start_and_wait(self, **settings: str) -> str:
        self.start(**settings)
        output = self.read_until("Press Ctrl-C")
        assert "VerifyHub is ready" in output, output
        return output

    def refusal(self, **settings: str) -> str:
        process = self.start(**settings)
        output, _ = process.communicate(timeout=SECONDS_TO_START)
        assert process.returncode == 1, output
        return output

    def stop(self, number: int = signal.SIGINT) -> tuple[int, str]:
        self.process.send_signal(number)
        output, _ = self.process.communicate(timeout=SECONDS_TO_START)
        return self.process.returncode, output

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=SECONDS_TO_START)

    def get(
        self, path: str, method: str = "GET", body: str = "", **headers: str
    ) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, body or None, headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def living(self) -> list[str]:
        """Return the commands of processes that belong to this home."""
        found = []
        for process in psutil.process_iter():
            try:
                own = process.environ().get(MARK) == str(self.home)
                inside = process.cwd().startswith(str(self.home))
                if (own or inside) and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(" ".join(process.cmdline()))
            except (psutil.Error, OSError):
                continue
        return found

    def wait_until_none_lives(self) -> list[str]:
        deadline = time.monotonic() + 60
        while self.living() and time.monotonic() < deadline:
            time.sleep(0.2)
        return self.living()


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def up(home: Path) -> Iterator[Up]:
    system = Up(home)
    yield system
    if system.process and system.process.poll() is None:
        system.stop()
    system.wait_until_none_lives()
