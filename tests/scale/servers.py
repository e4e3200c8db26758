"""The real programs that a system may stand on, from Debian's packages and wheels."""

import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

import psycopg
import pytest

from verifyhub.cli.home import Home
from verifyhub.cli.ports import free_port
from verifyhub.cli.postgres import Postgres, _account, _reachable_binaries

SECONDS_TO_START = 120
# RabbitMQ is an Erlang node; it and its port mapper are to be seen by nobody else.
RABBITMQ = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
RABBITMQ_USER = "verifyhub:of-these-tests"


def program(name: str, package: str) -> str:
    """Return where a program is; skip the test where it is not installed."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
    if found is None:
        pytest.skip(f"no {name} (apt-get install {package})")
    return found


def wait_for(answers, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + SECONDS_TO_START
    while not answers():
        ended = process.poll() is not None or time.monotonic() > until
        assert not ended, log.read_text(errors="replace")[-3000:]
        time.sleep(0.2)


def stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@contextmanager
def a_pgbouncer(folder: Path, database_url: str, *, sessions: int) -> Iterator[str]:
    """Run PgBouncer in transaction mode before a database; yield its address.

    Args:
        folder: An empty one.
        database_url: With name and password, which clients use as well.
        sessions: How many the clients of the database have together, in turns.
    """
    command = program("pgbouncer", "pgbouncer")
    parts, port = urlsplit(database_url), free_port()
    folder.mkdir()
    folder.chmod(0o755)
    users, ini, log = folder / "users.txt", folder / "pgbouncer.ini", folder / "log"
    users.write_text(f'"{unquote(parts.username)}" "{unquote(parts.password)}"\n')
    ini.write_text(f"""
[databases]
* = host={parts.hostname} port={parts.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = plain
auth_file = {users.name}
pool_mode = transaction
default_pool_size = {sessions}
min_pool_size = {sessions}
server_round_robin = 1
max_client_conn = 200
""")
    # It refuses to be root.
    account = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
    with log.open("wb") as output:
        process = subprocess.Popen(
            # By its own folder: it may not enter those above.
            [command, ini.name],
            cwd=folder,
            user=account.pw_uid if account else None,
            group=account.pw_gid if account else None,
            extra_groups=[] if account else None,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    name = parts.path.lstrip("/")
    url = f"postgresql://{parts.username}:{parts.password}@127.0.0.1:{port}/{name}"
    try:
        wait_for(lambda: _is_there(url), process, log)
        yield url
    finally:
        stop(process)


def _is_there(url: str) -> bool:
    try:
        with psycopg.connect(url, connect_timeout=2):
            return True
    except psycopg.OperationalError:
        return False


class RabbitMQ:
    """A node of the test's own on loopback, which keeps its data between starts."""

    def __init__(self, folder: Path) -> None:
        program("rabbitmq-server", "rabbitmq-server")
        if not RABBITMQ.exists():
            pytest.skip(f"no {RABBITMQ}, which Debian's package has")
        folder.mkdir()
        self._folder, port = folder, free_port()
        self._settings = rabbitmq_settings(folder, "127.0.0.1", port)
        self.url = f"amqp://{RABBITMQ_USER}@127.0.0.1:{port}//"

    def start(self) -> subprocess.Popen[bytes]:
        log = self._folder / "log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [str(RABBITMQ)],
                cwd=self._folder,
                env=self._settings,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        is_started = lambda: b"Server startup complete" in log.read_bytes()  # noqa: E731
        wait_for(is_started, process, log)
        return process

    def end(self) -> None:
        """End its port mapper, which outlives it."""
        subprocess.run(
            ["epmd", "-port", self._settings["ERL_EPMD_PORT"], "-kill"],
            env={"PATH": "/usr/bin:/bin", "ERL_EPMD_RELAXED_COMMAND_CHECK": "1"},
            capture_output=True,
            check=False,
        )


@contextmanager
def a_rabbitmq(folder: Path) -> Iterator[str]:
    """Run RabbitMQ on loopback; yield its address."""
    node = RabbitMQ(folder)
    process = node.start()
    try:
        yield node.url
    finally:
        stop(process)
        node.end()


def rabbitmq_settings(folder: Path, address: str, port: int) -> dict[str, str]:
    """Write what a node needs into a folder, and return its environment."""
    name, _, password = RABBITMQ_USER.partition(":")
    (folder / "plugins").write_text("[].\n")
    # Its own "guest" may come in by loopback alone.
    (folder / "rabbitmq.conf").write_text(
        f"default_user = {name}\ndefault_pass = {password}\n"
    )
    # Names and numbers of its own: another node of this machine is left alone.
    return {
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME": str(folder),
        "RABBITMQ_NODENAME": f"verifyhub-{port}@localhost",
        "RABBITMQ_NODE_IP_ADDRESS": address,
        "RABBITMQ_NODE_PORT": str(port),
        "RABBITMQ_DIST_PORT": str(free_port()),
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": (
            "-kernel inet_dist_use_interface {127,0,0,1}"
        ),
        "ERL_EPMD_ADDRESS": "127.0.0.1",
        "ERL_EPMD_PORT": str(free_port()),
        "RABBITMQ_MNESIA_BASE": str(folder / "data"),
        "RABBITMQ_LOG_BASE": str(folder / "logs"),
        "RABBITMQ_LOGS": "-",
        "RABBITMQ_CONFIG_FILE": str(folder / "rabbitmq.conf"),
        "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
        "RABBITMQ_CONF_ENV_FILE": str(folder / "none"),
        "RABBITMQ_PID_FILE": str(folder / "pid"),
    }


@contextmanager
def a_primary_and_a_replica(folder: Path) -> Iterator[tuple[str, str]]:
    """Run two PostgreSQL servers, the second one following the first.

    Yields:
        Both addresses, as the owner.
    """
    folder.mkdir()
    homes = [Home(folder / name) for name in ("primary", "replica")]
    for home in homes:
        home.create()
        home.path.chmod(0o711)
    folder.chmod(0o711)
    primary, replica = (Postgres(home) for home in homes)
    started = [primary.start()]
    try:
        copy_to_replica(primary, replica)
        started.append(replica.start())
        yield primary.url, _as_replica(primary, replica)
    finally:
        for child in reversed(started):
            child.stop()


def _as_replica(primary: Postgres, replica: Postgres) -> str:
    return primary.url.replace(f":{primary.port}/", f":{replica.port}/")


def copy_to_replica(primary: Postgres, replica: Postgres) -> None:
    """Make the data of one that follows another, which runs."""
    account = _account(replica.data)
    replica.data.mkdir(mode=0o700)
    if account:
        os.chown(replica.data, account.uid, account.gid)
    (replica.home.path / "database-password").write_text(primary.password)
    subprocess.run(
        [
            str(_reachable_binaries() / "pg_basebackup"),
            *["--pgdata", ".", "--write-recovery-conf", "--checkpoint=fast"],
            *["--dbname", primary.url.rsplit("/", 1)[0]],
        ],
        cwd=replica.data,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"},
        user=account.uid if account else None,
        group=account.gid if account else None,
        extra_groups=[] if account else None,
        check=True,
        capture_output=True,
    )
