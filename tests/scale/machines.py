"""Machines that share PostgreSQL, a broker and the secret key, and nothing else."""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from verifyhub.cli.broker import server_program
from verifyhub.cli.ports import free_port

PATIENCE_SECONDS = 120


def eventually(question: Callable[[], Any], told: str) -> Any:
    """Ask until the answer is a true one, and return it."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not (answer := question()):
        assert time.monotonic() < until, f"It never came true: {told}"
        time.sleep(0.1)
    return answer


@dataclass
class Machine:
    """Parts of VerifyHub with a home of their own, started by settings alone."""

    home: Path
    settings: dict[str, str]
    port: int = field(default_factory=free_port)
    parts: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start(self, part: str, **more: str) -> subprocess.Popen[bytes]:
        self.home.mkdir(exist_ok=True)
        inherited = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("VERIFYHUB_", "DJANGO_"))
        }
        own = {
            "VERIFYHUB_HOME": str(self.home),
            "PORT": str(self.port),
            "VERIFYHUB_WEB_WORKERS": "1",
            "VERIFYHUB_WORKER_CONCURRENCY": "1",
            "VERIFYHUB_DEMO": "0",
            "TMPDIR": str(self.home),
        }
        name = f"{part}-{len(self.parts)}"
        with (self.home / f"{name}.out").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "verifyhub.cli.main", part],
                env={**inherited, **own, **self.settings, **more},
                cwd=self.home,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.parts[name] = process
        return process

    def said(self) -> str:
        """Return the last words of all parts."""
        return "\n".join(
            f"{file.name}: {file.read_text(errors='replace')[-2000:]}"
            for file in sorted(self.home.glob("*.out"))
        )

    def ask(
        self, method: str, path: str, body: object = None, key: str = ""
    ) -> tuple[int, bytes]:
        """Send one request to this machine's web server; status 0: no answer."""
        headers = {"Content-Type": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        asking = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        with closing(asking):
            try:
                text = None if body is None else json.dumps(body)
                asking.request(method, path, text, headers)
                answer = asking.getresponse()
                return answer.status, answer.read()
            except OSError:
                return 0, b""

    def stop(self) -> None:
        for process in self.parts.values():
            if process.poll() is None:
                process.terminate()
        for process in self.parts.values():
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


@contextmanager
def a_broker(folder: Path) -> Iterator[str]:
    """Run a Valkey of the test's own; yield its address."""
    port = free_port()
    folder.mkdir(exist_ok=True)
    process = subprocess.Popen(
        [server_program(), "--bind", "127.0.0.1", "--port", str(port), "--save", ""],
        cwd=folder,
        stdout=subprocess.DEVNULL,
    )
    try:
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        process.terminate()
        process.wait()
