"""`verifyhub up`: start and stop all processes on this machine."""

import os
import secrets
import select
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import FrameType
from typing import NoReturn
from urllib.parse import urlsplit

from verifyhub.cli.broker import Broker, BrokerError
from verifyhub.cli.home import Home, HomeInUseError, absolute
from verifyhub.cli.mcp_place import mcp_place
from verifyhub.cli.ports import holder, is_free, listener
from verifyhub.cli.postgres import Postgres, PostgresError
from verifyhub.cli.prepared import fingerprint, is_done, mark_done
from verifyhub.cli.processes import Child, Program, stop_leftovers, wait_until
from verifyhub.cli.ready import Readiness, readiness
from verifyhub.cli.restarts import Restarts
from verifyhub.cli.welcome import Login, login, welcome
from verifyhub.common import env

READY_SECONDS = 120
OWNER = "VERIFYHUB_OWNER_DATABASE_URL"
LOOPBACK = {"127.0.0.1", "::1", "localhost"}


class UpError(Exception):
    """The system cannot start or continue; the message says why, for people."""


class StopRequested(BaseException):
    """Ctrl-C or SIGTERM arrived."""


def run() -> int:
    """Start everything, stay until asked to stop, and return the exit code."""
    try:
        home = Home.from_environment()
        home.create()
        with home.locked():
            return Supervisor(home).run()
    except HomeInUseError as error:
        address = home.load_environment().get("VERIFYHUB_ROOT_URL", "")
        return _refuse(
            f"VerifyHub already runs from {home.path} (pid {error}) {address}"
        )
    except PermissionError as error:
        return _refuse(
            f"{error.filename} belongs to another user: start as that user, or set"
            " VERIFYHUB_HOME to a folder of your own"
        )
    except (env.SettingError, OSError) as error:
        return _refuse(str(error))


def _refuse(reason: str) -> int:
    print(reason, file=sys.stderr, flush=True)
    return 1


@dataclass(slots=True)
class Supervisor:
    """The programs of one home, from start to stop."""

    home: Home
    children: list[Child] = field(default_factory=list, init=False)
    started: float = field(default_factory=time.monotonic, init=False)
    _postgres: Postgres | None = field(default=None, init=False)
    _fingerprint: str = field(default="", init=False)
    _mcp: Child | None = field(default=None, init=False)
    _mcp_socket: socket.socket | None = field(default=None, init=False)
    _restarts: dict[str, Restarts] = field(default_factory=dict, init=False)
    _is_stopping: bool = field(default=False, init=False)
    _is_hurried: bool = field(default=False, init=False)

    def run(self) -> int:
        """Run until a signal or a failure ends it."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        try:
            self._start_all()
            self._watch()
        except StopRequested:
            self._say("Stopping …")
            return 0
        except (UpError, PostgresError, BrokerError, env.SettingError) as error:
            self._is_stopping = True
            self._say(str(error))
            return 1
        finally:
            self._stop_all()

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        """Stop at the first signal; at a second one, without waiting."""
        if self._is_stopping:
            self._is_hurried = True
            return
        self._is_stopping = True
        raise StopRequested

    def _say(self, text: str) -> None:
        # Output may fail with a full disk or a closed pipe; that is ignored.
        with suppress(OSError):
            print(f"[{time.monotonic() - self.started:6.1f} s] {text}", flush=True)

    def _start_all(self) -> None:
        port = env.integer("PORT", 8000, minimum=1)
        bind = env.text("VERIFYHUB_BIND", "127.0.0.1")
        for name in stop_leftovers(self.home):
            self._say(f"Stopped {name}, left over from an earlier start")
        _check_port(bind, port)
        settings = self._settings(bind, port)
        mcp = mcp_place(bind, port)
        if mcp.port:
            _check_port(bind, mcp.port, "VERIFYHUB_MCP_PORT")
        settings |= mcp.settings
        settings["DATABASE_URL"], owner = self._database()
        settings["BROKER_URL"] = self._broker()
        self.home.save_environment({**settings, **owner})
        first_login = login(self.home)
        # These need no database, so they start while it is prepared.
        beat = ["-m", "verifyhub.config.beat"]
        self._start(self._child("beat", beat, settings))
        if mcp.port:
            self._listen_for_mcp(bind, mcp.port, settings)
        self._take_fingerprint(first_login)
        if not self._is_done("prepare"):
            self._prepare({**settings, **owner}, first_login)
            self._take_fingerprint(first_login)
            self._mark_done("prepare")
        gunicorn = ["-m", "gunicorn", "--config", "python:verifyhub.config.gunicorn"]
        self._start(self._child("web", gunicorn, settings, grace_seconds=45))
        worker = ["-m", "verifyhub.config.worker"]
        self._start(self._child("worker", worker, settings, grace_seconds=45))
        self._await_ready(port, bind)
        self._say("Ready")
        with_demo = env.flag("VERIFYHUB_DEMO", True) and not self._is_done("demo")
        address = settings["VERIFYHUB_ROOT_URL"]
        text = welcome(
            address, mcp.address, first_login, self.home, with_demo=with_demo
        )
        print(text, flush=True)
        if with_demo:
            self._load_demo(settings, first_login)

    def _settings(self, bind: str, port: int) -> dict[str, str]:
        host = bind if bind not in {"0.0.0.0", "::"} else "127.0.0.1"  # noqa: S104
        host = f"[{host}]" if ":" in host else host
        if bind not in LOOPBACK and not os.environ.get("VERIFYHUB_ALLOWED_HOSTS"):
            self._say(
                "VERIFYHUB_ALLOWED_HOSTS is not set: only requests for local host "
                "names are answered"
            )
        key_file = self.home.path / "secret-key"
        if not os.environ.get("VERIFYHUB_SECRET_KEY_FILE"):
            self.home.secret("secret-key", lambda: secrets.token_urlsafe(50))
        return {
            "PORT": str(port),
            "VERIFYHUB_BIND": bind,
            "VERIFYHUB_HOME": str(self.home.path),
            "VERIFYHUB_ROOT_URL": env.text(
                "VERIFYHUB_ROOT_URL", f"http://{host}:{port}"
            ),
            "VERIFYHUB_SECRET_KEY": env.text(
                "VERIFYHUB_SECRET_KEY", key_file.read_text(encoding="utf-8").strip()
            ),
        }

    def _database(self) -> tuple[str, dict[str, str]]:
        """Start a database server unless one is configured.

        Returns:
            The servers' URL, and the setting with the owner's, which servers do not
            get.
        """
        address, owner = env.text("DATABASE_URL", ""), env.text(OWNER, "")
        if address:
            self._say(f"PostgreSQL: {_place(address)} (DATABASE_URL)")
            return address, {OWNER: owner} if owner else {}
        server = Postgres(self.home)
        if not server.data.exists():
            self._say("Creating a database …")
        self.children.append(server.start())
        self._say(f"PostgreSQL: 127.0.0.1:{server.port}")
        self._postgres = server
        return server.application_url, {OWNER: server.url}

    def _broker(self) -> str:
        address = env.text("BROKER_URL", "")
        if address:
            self._say(f"Broker: {_place(address)} (BROKER_URL)")
            return address
        server = Broker(self.home)
        self.children.append(server.start())
        self._say(f"Broker: 127.0.0.1:{server.port}")
        return server.url

    def _take_fingerprint(self, first_login: Login) -> None:
        """Compute the fingerprint of prepared steps.

        There is none for an external database, which may be another one each time.
        """
        migrated = self._postgres.migrated() if self._postgres else ""
        self._fingerprint = fingerprint(first_login, migrated) if migrated else ""

    def _is_done(self, step: str) -> bool:
        """Whether a step was done by an earlier start, without changes since."""
        return bool(self._fingerprint) and is_done(self.home, step, self._fingerprint)

    def _mark_done(self, step: str) -> None:
        if self._fingerprint:
            # Without a stamp the step is repeated.
            with suppress(OSError):
                mark_done(self.home, step, self._fingerprint)

    def _prepare(self, settings: dict[str, str], first_login: Login) -> None:
        """Run migrations, static files and first accounts in one process."""
        self._say("Preparing the database …")
        child = self._child("prepare", ["-m", "verifyhub.cli.prepare"], settings)
        child.program.env.update(
            first_login.as_environment(),
            VERIFYHUB_LOG_LEVEL="WARNING",
            VERIFYHUB_DEMO="0",
        )
        self.children.append(child)
        child.start()
        with child.log.open("rb") as output:
            output.seek(child.log_start)
            while child.is_running():
                self._repeat(output.read)
                time.sleep(0.1)
            self._repeat(output.read)
        self.children.remove(child)
        child.stop()
        if child.exit_code():
            raise UpError(f"The database could not be prepared; see {child.log}")

    def _load_demo(self, settings: dict[str, str], first_login: Login) -> None:
        """Start to load the demo, while the servers are running."""
        child = self._child("demo", ["-m", "django", "load_demo"], settings, ends=True)
        child.program.env.update(
            first_login.as_environment(),
            VERIFYHUB_LOG_LEVEL="WARNING",
            DJANGO_SETTINGS_MODULE="verifyhub.config.settings",
        )
        self.children.append(child)
        child.start()

    def _finish(self, child: Child) -> None:
        """Report a program that ended by itself."""
        self.children.remove(child)
        child.stop()
        if child.exit_code():
            last = f"last output ({child.log}):\n{child.last_output()}"
            self._say(f"{_ended(child)}; {last}")
            return
        self._mark_done(child.program.name)
        self._say(child.first_line())

    def _repeat(self, read: Callable[[], bytes]) -> None:
        for line in read().decode("utf-8", "replace").splitlines():
            self._say(f"  {line}")

    def _listen_for_mcp(self, bind: str, port: int, settings: dict[str, str]) -> None:
        """Listen for the MCP server, which most homes never use.

        It is started when the first client connects, and takes over the socket.
        """
        self._mcp_socket = listener(bind, port)
        number = self._mcp_socket.fileno()
        mcp = ["-m", "verifyhub.cli.main", "mcp", "--http", "--fd", str(number)]
        self._mcp = self._child("mcp", mcp, settings, grace_seconds=45, files=(number,))

    def _start_if_asked(self, seconds: float) -> None:
        """Wait; start the MCP server once a client has connected."""
        if self._mcp is None or self._mcp_socket is None:
            time.sleep(seconds)
        elif select.select([self._mcp_socket], [], [], seconds)[0]:
            self._restarts[self._mcp.program.name] = Restarts(due=0)
            self.children.append(self._mcp)
            self._mcp = None

    def _start(self, child: Child) -> None:
        self.children.append(child)
        child.start()
        self._say(f"Started {child.program.name}")

    def _child(
        self,
        name: str,
        arguments: list[str],
        settings: dict[str, str],
        grace_seconds: float = 10,
        *,
        files: Sequence[int] = (),
        ends: bool = False,
    ) -> Child:
        return Child(
            self.home,
            Program(
                name=name,
                # Gunicorn and Celery import from the working folder, as Python does
                # without -P, so it must be a folder of our own.
                command=[sys.executable, "-P", *arguments],
                # malloc never frees its arenas, by default eight per core.
                env={
                    "MALLOC_ARENA_MAX": "2",
                    **_inherited(),
                    **settings,
                    "PYTHONUNBUFFERED": "1",
                },
                cwd=self.home.run,
                grace_seconds=grace_seconds,
                files=files,
                ends=ends,
            ),
        )

    def _await_ready(self, port: int, bind: str) -> None:
        last = Readiness(is_ready=False, text="no response yet")

        def is_ready() -> bool:
            nonlocal last
            last = readiness(bind, port)
            return last.is_ready

        if not wait_until(is_ready, children=self.children, seconds=READY_SECONDS):
            ended = [child for child in self.children if not child.is_running()]
            if ended:
                self._give_up(ended[0])
            raise UpError(f"Not ready after {READY_SECONDS} s: {last.text}")

    def _watch(self) -> NoReturn:
        while True:
            for child in [
                candidate for candidate in self.children if not candidate.is_running()
            ]:
                if child.program.ends:
                    self._finish(child)
                else:
                    self._revive(child)
            for child in self.children:
                child.record()
            self._start_if_asked(0.25)

    def _revive(self, child: Child) -> None:
        """Restart an ended program, with increasing pauses."""
        name, now = child.program.name, time.monotonic()
        restarts = self._restarts.setdefault(name, Restarts(self.started))
        if restarts.due is None:
            pause = restarts.end(now)
            last = f"Last output:\n{child.last_output()}"
            self._say(f"{_ended(child)}; restarting it in {pause:.0f} s. {last}")
            child.stop(0)
        elif now >= restarts.due:
            restarts.start(now)
            try:
                child.start()
            except OSError as error:
                pause = restarts.end(now)
                self._say(
                    f"{name} cannot be started: {error}; retrying in {pause:.0f} s"
                )

    def _give_up(self, child: Child) -> NoReturn:
        raise UpError(
            f"{_ended(child)}; stopping everything. Last output "
            f"({child.log}):\n{child.last_output()}"
        )

    def _stop_all(self) -> None:
        """Stop all programs, database and broker last."""
        self._is_stopping = True
        if self._mcp_socket:
            self._mcp_socket.close()
        servers = [child for child in self.children if _is_server(child)]
        programs = [child for child in self.children if not _is_server(child)]
        for child in programs:
            child.ask_to_stop()
        for child in [*programs, *reversed(servers)]:
            self._stop(child)
        stop_leftovers(self.home)
        self._say("Stopped")

    def _stop(self, child: Child) -> None:
        deadline = time.monotonic() + child.program.grace_seconds
        child.ask_to_stop()
        while child.is_running() and time.monotonic() < deadline:
            if self._is_hurried and not _is_server(child):
                break
            time.sleep(0.05)
        if child.is_running():
            self._say(f"{child.program.name} had to be killed")
        child.stop(0)


def _check_port(bind: str, port: int, setting: str = "PORT") -> None:
    try:
        is_available = is_free(bind, port)
    except (OSError, OverflowError) as error:
        raise UpError(f"Cannot listen on {bind}, port {port}: {error}") from error
    if not is_available:
        raise UpError(
            f"Port {port} is taken by {holder(port)}: stop it, or choose another"
            f" port, such as {setting}={port + 1}"
        )


def _is_server(child: Child) -> bool:
    return child.program.name in {"postgres", "broker"}


def _ended(child: Child) -> str:
    code = child.exit_code()
    if code is not None and code < 0:
        return f"{child.program.name} was ended by {signal.Signals(-code).name}"
    return f"{child.program.name} ended (exit code {code})"


def _place(url: str) -> str:
    """Return host and path of a URL, without its password."""
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.hostname or 'local socket'}{port}{parts.path}"


def _inherited() -> dict[str, str]:
    """Return the caller's environment without the first login's secrets.

    Settings that `up` has read from files are included under their own name. Paths are
    made absolute, since children have another working folder.
    """
    read = {f"{name}_FILE" for name in ("DATABASE_URL", "BROKER_URL", "PORT")}
    own = ("HOME", "SECRET_KEY", "BIND", "ROOT_URL", "MCP_PORT", "URL", "URL_HOST")
    read |= {f"VERIFYHUB_{name}_FILE" for name in own} | {OWNER, f"{OWNER}_FILE"}
    return {
        name: value
        for name, value in absolute(os.environ).items()
        if not name.startswith("VERIFYHUB_INIT_") and name not in read
    }
