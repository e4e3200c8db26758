"""VerifyHub on many machines: what runs where, and how each part finds the others."""

import http.client
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import boto3
import psycopg

from tests.cluster.machines import ClusterError, Machine, Service, Switch
from tests.object_store import KEYS
from tests.scale.servers import (
    RABBITMQ,
    RABBITMQ_USER,
    copy_to_replica,
    program,
    rabbitmq_settings,
)
from verifyhub.cli.broker import server_program
from verifyhub.cli.home import CHECKOUT, Home
from verifyhub.cli.postgres import Postgres, _account, _reachable_binaries

WEBS, BEATS = 3, 2
# Each group of workers on a machine of its own, with what it hears.
GROUPS = (
    "verification",
    "models",
    "exports,embeddings,counting",
    "deliveries,general",
)
KEY = "vh_cluster_0123456789abcdef0123456789abcdef"
PROJECT = "cluster"
PASSWORD = "of-this-cluster-alone"
BUCKET = "system"
WATCH_SECONDS, ASK_SECONDS = 0.5, 60.0
POSTGRES_PORT, POOLER_PORT, STORE_PORT, WEB_PORT, MCP_PORT = 5432, 6432, 9000, 80, 81


class Cluster:
    """All machines of one system, and what leads to them."""

    def __init__(self, switch: Switch, folder: Path, broker: str) -> None:
        self.switch, self.folder, self.kind_of_broker = switch, folder, broker
        names = ["balancer", "database", "replica", "pgbouncer", "broker", "store"]
        names += [f"web{number}" for number in range(1, WEBS + 1)]
        names += [f"worker{number}" for number in range(1, len(GROUPS) + 1)]
        names += [f"beat{number}" for number in range(1, BEATS + 1)]
        self.machines = {name: switch.machine(name) for name in [*names, "mcp"]}
        self.probe_key = ""
        self._primary = Postgres(self._home("database"))
        self._replica = Postgres(self._home("replica"))

    @property
    def address(self) -> str:
        """Where clients go."""
        return self.machines["balancer"].address

    @property
    def owner_url(self) -> str:
        """The primary's address for the tables' owner, past the pooler."""
        return self._url(self._primary.url, "database", POSTGRES_PORT)

    @property
    def services(self) -> list[Service]:
        return [one for each in self.machines.values() for one in each.services]

    def of(self, kind: str) -> list[Machine]:
        """Return the machines of a kind, such as `web`."""
        return [one for name, one in self.machines.items() if name.startswith(kind)]

    def ask(
        self, method: str, path: str, body: bytes | None = None, key: str = ""
    ) -> tuple[int, bytes]:
        """Send one request to the balancer; status 0: nothing came back."""
        asking = http.client.HTTPConnection(self.address, WEB_PORT, timeout=ASK_SECONDS)
        headers = {
            "Authorization": f"Bearer {key or self.probe_key}",
            "Content-Type": "application/json",
        }
        with closing(asking):
            try:
                asking.request(method, path, body, headers)
                reply = asking.getresponse()
                return reply.status, reply.read()
            except (OSError, http.client.HTTPException):
                return 0, b""

    def start(self) -> None:
        """Make everything, from the empty database to the last server."""
        self._make_databases()
        for name in ("database", "replica"):
            self._postgres(name)
        self._broker()
        self._store()
        self._start(self.services)
        self._prepare()
        self._pgbouncer()
        for number in range(1, WEBS + 1):
            self._part(f"web{number}", "web")
        for number, queues in enumerate(GROUPS, 1):
            self._part(f"worker{number}", "worker", VERIFYHUB_WORKER_QUEUES=queues)
        for number in range(1, BEATS + 1):
            self._part(f"beat{number}", "beat")
        self._balancer()
        self._part("mcp", "mcp", "--http")
        self._start([one for one in self.services if one.process is None])

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Start again whatever ends, until the block ends."""
        over = threading.Event()

        def keep() -> None:
            while not over.wait(WATCH_SECONDS):
                for service in self.services:
                    service.keep()

        thread = threading.Thread(target=keep)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def _start(self, services: Sequence[Service]) -> None:
        for service in services:
            service.start()
        for service in services:
            service.wait()

    def _home(self, name: str) -> Home:
        home = Home(self.folder / name)
        home.create()
        # PostgreSQL may run as another account, which must reach its data.
        home.path.chmod(0o711)
        return home

    def _url(self, url: str, machine: str, port: int) -> str:
        user = urlsplit(url)
        where = f"{self.machines[machine].address}:{port}"
        return f"postgresql://{user.username}:{user.password}@{where}{user.path}"

    def _make_databases(self) -> None:
        """Make the primary and its copy on loopback, and stop the primary again."""
        child = self._primary.start()
        try:
            copy_to_replica(self._primary, self._replica)
        finally:
            child.stop()
        name = urlsplit(self._primary.url).username
        for one in (self._primary, self._replica):
            with (one.data / "pg_hba.conf").open("a", encoding="utf-8") as file:
                for database in ("all", "replication"):
                    whom = f"{database} {name if database != 'all' else 'all'}"
                    file.write(f"host {whom} {self.switch.network} scram-sha-256\n")

    def _postgres(self, name: str) -> None:
        machine, made = self.machines[name], Postgres(self._home(name))
        settings = {
            "listen_addresses": machine.address,
            "port": str(POSTGRES_PORT),
            "unix_socket_directories": "",
            "wal_compression": "on",
            "timezone": "UTC",
            # On one disk with all others, and no machine of the test loses its memory.
            "fsync": "off",
        }
        if name == "replica":
            primary = urlsplit(self.owner_url)
            settings["primary_conninfo"] = (
                f"host={primary.hostname} port={primary.port} user={primary.username}"
                f" password={primary.password} keepalives_idle=5 keepalives_interval=2"
                " keepalives_count=3"
            )
        options = [part for pair in settings.items() for part in ("-c", "=".join(pair))]
        Service(
            machine,
            name,
            [str(_reachable_binaries() / "postgres"), "-D", ".", *options],
            made.data,
            self._database_answers(self._url(self._primary.url, name, POSTGRES_PORT)),
            {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"},
            _account_of(made.data),
        )

    @staticmethod
    def _database_answers(url: str) -> Callable[[], bool]:
        def answers() -> bool:
            try:
                with psycopg.connect(url, connect_timeout=2):
                    return True
            except psycopg.OperationalError:
                return False

        return answers

    def _pgbouncer(self) -> None:
        """By the settings that the project gives away, but for addresses."""
        machine, folder = self.machines["pgbouncer"], self._home("pgbouncer").path
        given = (CHECKOUT / "deploy" / "pgbouncer.ini").read_text(encoding="utf-8")
        database = self.machines["database"].address
        for from_, to in (
            ("host=postgres port=5432", f"host={database} port={POSTGRES_PORT}"),
            ("listen_addr = 0.0.0.0", f"listen_addr = {machine.address}"),
            ("auth_file = /tmp/users.txt", "auth_file = users.txt"),
        ):
            if from_ not in given:
                raise ClusterError(f"no {from_!r} in deploy/pgbouncer.ini")
            given = given.replace(from_, to)
        (folder / "pgbouncer.ini").write_text(given, encoding="utf-8")
        user = urlsplit(self._primary.application_url)
        (folder / "users.txt").write_text(
            f'"{user.username}" "{user.password}"\n', encoding="utf-8"
        )
        account = _account_of(folder)
        if account:
            for file in (folder, *folder.iterdir()):
                os.chown(file, *account)
        Service(
            machine,
            "pgbouncer",
            [program("pgbouncer", "pgbouncer"), "pgbouncer.ini"],
            folder,
            self._database_answers(self._pooled_url),
            {"PATH": "/usr/bin:/bin"},
            account,
        )

    @property
    def _pooled_url(self) -> str:
        return self._url(self._primary.application_url, "pgbouncer", POOLER_PORT)

    @property
    def broker_url(self) -> str:
        address = self.machines["broker"].address
        if self.kind_of_broker == "rabbitmq":
            return f"amqp://{RABBITMQ_USER}@{address}:5672//"
        return f"redis://:{PASSWORD}@{address}:6379/0"

    def _broker(self) -> None:
        machine, folder = self.machines["broker"], self._home("broker").path
        is_rabbitmq = self.kind_of_broker == "rabbitmq"
        port = urlsplit(self.broker_url).port or 0
        if is_rabbitmq:
            program("rabbitmq-server", "rabbitmq-server")
            command = [str(RABBITMQ)]
            settings = rabbitmq_settings(folder, machine.address, port)
        else:
            # It forgets its messages whenever it is killed.
            where = ["--bind", machine.address, "--port", f"{port}"]
            rest = ["--save", "", "--requirepass", PASSWORD]
            command, settings = [str(server_program()), *where, *rest], {}
        Service(machine, "broker", command, folder, _listens(machine, port), settings)

    def _store(self) -> None:
        machine, folder = self.machines["store"], self._home("store").path
        command = [sys.executable, "-m", "moto.server", "-H", machine.address]
        Service(
            machine,
            "store",
            [*command, "-p", f"{STORE_PORT}"],
            folder,
            _listens(machine, STORE_PORT),
            {"PATH": "/usr/bin:/bin", "HOME": str(folder)},
        )

    def _prepare(self) -> None:
        boto3.client(
            "s3",
            endpoint_url=f"http://{self.machines['store'].address}:{STORE_PORT}",
            region_name="us-east-1",
            **KEYS,
        ).create_bucket(Bucket=BUCKET)
        settings = {
            **self.settings("web1"),
            "DATABASE_URL": self._url(
                self._primary.application_url, "database", POSTGRES_PORT
            ),
            "VERIFYHUB_PGBOUNCER": "0",
            "VERIFYHUB_OWNER_DATABASE_URL": self.owner_url,
            "VERIFYHUB_INIT_PROJECT": PROJECT,
            "VERIFYHUB_INIT_API_KEY": KEY,
            "VERIFYHUB_INIT_USER": "admin",
            "VERIFYHUB_INIT_PASSWORD": PASSWORD,
        }
        self._command(settings, "prepare")
        self._command(settings, "project", "add", "probes")
        self.probe_key = self._command(settings, "key", "add", "probes", "probes")

    def _command(self, settings: dict[str, str], *words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "verifyhub.cli.main", *words],
            cwd=self.folder,
            env=settings,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise ClusterError(f"verifyhub {' '.join(words)}: {done.stderr}")
        return done.stdout.strip()

    def settings(self, machine: str) -> dict[str, str]:
        """Return the environment of VerifyHub's own parts."""
        address = self.machines[machine].address
        inherited = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("VERIFYHUB_", "DJANGO_", "DATABASE_"))
        }
        return {
            **inherited,
            "PYTHONPATH": f"{CHECKOUT}:{CHECKOUT / 'client'}",
            "TMPDIR": str(self.folder / machine),
            "VERIFYHUB_HOME": str(self.folder / machine),
            "VERIFYHUB_SECRET_KEY": "of-this-cluster-" * 4,
            "DATABASE_URL": self._pooled_url,
            "VERIFYHUB_PGBOUNCER": "1",
            "DATABASE_REPLICA_URL": self._url(
                self._primary.application_url, "replica", POSTGRES_PORT
            ),
            "BROKER_URL": self.broker_url,
            "VERIFYHUB_STORE_URL": f"s3://{BUCKET}/hub",
            "VERIFYHUB_STORE_ENDPOINT": (
                f"http://{self.machines['store'].address}:{STORE_PORT}"
            ),
            "VERIFYHUB_STORE_KEY_ID": "key",
            "VERIFYHUB_STORE_SECRET": "secret",
            "VERIFYHUB_STORE_OUTPUT_CHARACTERS": "65536",
            "VERIFYHUB_BIND": address,
            "PORT": str(WEB_PORT),
            "VERIFYHUB_ALLOWED_HOSTS": f"{self.address},{address}",
            "VERIFYHUB_ROOT_URL": f"http://{self.address}",
            "VERIFYHUB_URL": f"http://{self.address}:{WEB_PORT}",
            "VERIFYHUB_MCP_PORT": str(MCP_PORT),
            "VERIFYHUB_WEB_WORKERS": "1",
            "VERIFYHUB_WORKER_CONCURRENCY": "1",
            "VERIFYHUB_DEMO": "0",
        }

    def _part(self, name: str, part: str, *words: str, **more: str) -> None:
        machine, folder = self.machines[name], self._home(name).path
        port = {"web": WEB_PORT, "mcp": MCP_PORT}.get(part)
        log = self.folder / f"{name}.log"
        ready = {
            "worker": lambda: b" ready" in log.read_bytes(),
            "beat": lambda: (folder / "beat-alive").exists(),
        }
        Service(
            machine,
            name,
            [sys.executable, "-m", "verifyhub.cli.main", part, *words],
            folder,
            ready.get(part) or _listens(machine, port or 0),
            {**self.settings(name), **more},
        )

    def _balancer(self) -> None:
        machine, folder = self.machines["balancer"], self._home("balancer").path
        webs = ",".join(f"{one.address}:{WEB_PORT}" for one in self.of("web"))
        mcp = f"{self.machines['mcp'].address}:{MCP_PORT}"
        Service(
            machine,
            "balancer",
            [
                *[sys.executable, "-m", "tests.cluster.balancer"],
                f"{machine.address}:{WEB_PORT}={webs}",
                f"{machine.address}:{MCP_PORT}={mcp}",
            ],
            folder,
            lambda: self.ask("GET", "/readyz")[0] == 200,
            {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(CHECKOUT)},
        )


def _account_of(folder: Path) -> tuple[int, int] | None:
    account = _account(folder)
    return (account.uid, account.gid) if account else None


def _listens(machine: Machine, port: int) -> Callable[[], bool]:
    def listens() -> bool:
        try:
            with socket.create_connection((machine.address, port), 2):
                return True
        except OSError:
            return False

    return listens
