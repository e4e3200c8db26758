"""The commands of the profiles `pgbouncer` and `replica`, run by Debian's programs."""

import os
import pwd
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

from tests.architecture.tree import CHECKOUT
from tests.cli.test_compose import SERVICES
from tests.scale.servers import program, stop, wait_for
from verifyhub.cli.ports import free_port

# With LZ4, as the image's have it.
PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
pytestmark = [
    pytest.mark.deep,
    pytest.mark.timeout(180),
    pytest.mark.skipif(not PROGRAMS, reason="no postgresql (apt-get install it)"),
]
PASSWORD = "of-this-test"


class Parts:
    """Services of the file as plain processes, their paths and names moved here."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ports = {name: free_port() for name in ("postgres", "replica", "6432")}
        self.account = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
        self.running: list[subprocess.Popen[bytes]] = []
        folder.chmod(0o711)
        self.own(folder / "data")
        self.own(folder / "tmp")
        shutil.copytree(CHECKOUT / "deploy", folder / "deploy", copy_function=self.copy)
        secrets = folder / "secrets"
        secrets.mkdir()
        (secrets / "database-password").write_text(f"{PASSWORD}\n")
        pooled = f"postgresql://verifyhub_app:{PASSWORD}@pgbouncer:6432/verifyhub\n"
        (secrets / "pooled-database-url").write_text(pooled)

    def own(self, folder: Path) -> None:
        folder.mkdir(mode=0o700)
        if self.account:
            os.chown(folder, self.account.pw_uid, self.account.pw_gid)

    def copy(self, source: str, target: str) -> str:
        Path(target).write_text(self.moved(Path(source).read_text()))
        return target

    def moved(self, text: str) -> str:
        """Fill in what Compose, its networks and its mounts would."""
        text = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text).replace("$$", "$")
        text = text.replace("host=postgres port=5432", self.place("postgres"))
        text = text.replace(
            "--host postgres --port 5432",
            f"--host 127.0.0.1 --port {self.ports['postgres']}",
        )
        text = text.replace("0.0.0.0", "127.0.0.1").replace("6432", self.pooled)  # noqa: S104
        for place, here in (
            # First: what follows may lie below it.
            ("/tmp/", "tmp/"),
            ("/run/secrets", "secrets"),
            ("/etc/verifyhub", "deploy"),
            ("/etc/pgbouncer", "deploy"),
            ("/var/lib/postgresql/data", "data"),
        ):
            text = text.replace(
                place, str(self.folder / here) + "/" * here.endswith("/")
            )
        return text

    @property
    def pooled(self) -> str:
        return str(self.ports["6432"])

    def place(self, name: str) -> str:
        return f"host=127.0.0.1 port={self.ports[name]}"

    def environment(self, service: str) -> dict[str, str]:
        given = SERVICES[service].get("environment", {})
        own = {name: self.moved(str(value)) for name, value in given.items()}
        programs = f"{PROGRAMS[-1]}:/usr/sbin:/usr/bin:/bin"
        return {"LC_ALL": "C", **own, "PATH": programs}

    def start(self, service: str, words: list[str], **environment: str) -> None:
        log = self.folder / f"{service}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                words,
                cwd=self.folder,
                env=self.environment(service) | environment,
                user=self.account.pw_uid if self.account else None,
                group=self.account.pw_gid if self.account else None,
                extra_groups=[] if self.account else None,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        self.running.append(process)
        wait_for(lambda: self.is_healthy(service), process, log)

    def run(self, service: str, *more: str) -> None:
        """Run the command of a service, with addresses of this machine added."""
        one = SERVICES[service]
        command = self.moved(one["command"][0]) + "".join(f" {word}" for word in more)
        self.start(service, [*one["entrypoint"], command])

    def is_healthy(self, service: str) -> bool:
        kind, *words = SERVICES[service]["healthcheck"]["test"]
        line = self.moved(words[0] if kind == "CMD-SHELL" else shlex.join(words))
        port = self.ports.get(service)
        here = {"PGHOST": "127.0.0.1", "PGPORT": str(port)} if port else {}
        env = self.environment(service) | here
        check = subprocess.run(["sh", "-c", line], env=env, capture_output=True)
        return check.returncode == 0

    def postgres(self) -> None:
        """Make the cluster as the image does, and start it by the file's command."""
        data, words = self.folder / "data/primary", SERVICES["postgres"]["command"]
        pwfile = self.folder / "secrets/database-password"
        subprocess.run(
            [
                "initdb",
                "-D",
                data,
                "-U",
                "verifyhub",
                "-E",
                "UTF8",
                f"--pwfile={pwfile}",
            ],
            cwd=self.folder,
            env=self.environment("postgres"),
            user=self.account.pw_uid if self.account else None,
            check=True,
            capture_output=True,
        )
        here = self.here("postgres")
        self.start(
            "postgres", [*shlex.split(self.moved(words)), *here], PGDATA=str(data)
        )

    def prepare(self) -> None:
        """Start PostgreSQL and make the application's role."""
        self.postgres()
        owner = f"{self.place('postgres')} user=verifyhub"
        with psycopg.connect(f"{owner} dbname=postgres", autocommit=True) as server:
            server.execute("CREATE DATABASE verifyhub")
            server.execute(f"CREATE ROLE verifyhub_app LOGIN PASSWORD '{PASSWORD}'")

    def here(self, service: str) -> list[str]:
        place = ["listen_addresses=127.0.0.1", "unix_socket_directories="]
        words = [*place, f"port={self.ports[service]}"]
        return [part for word in words for part in ("-c", word)]


@pytest.fixture
def parts() -> Iterator[Parts]:
    program("pgbouncer", "pgbouncer")
    # The programs refuse to be root, and others may not enter pytest's own folders.
    with TemporaryDirectory(prefix="verifyhub-profiles-") as folder:
        made = Parts(Path(folder))
        try:
            made.prepare()
            yield made
        finally:
            for process in reversed(made.running):
                stop(process)


def test_the_pooler_lets_the_applications_role_in_and_nobody_else(parts):
    parts.run("pgbouncer")

    address = f"host=127.0.0.1 port={parts.pooled} dbname=verifyhub"
    with psycopg.connect(f"{address} user=verifyhub_app password={PASSWORD}") as found:
        assert found.execute("SELECT current_user").fetchone() == ("verifyhub_app",)
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(f"{address} user=verifyhub_app password=other")
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(f"{address} user=verifyhub password={PASSWORD}")


def test_the_doctor_may_ask_the_pooler_for_its_version(parts):
    parts.run("pgbouncer")

    address = f"host=127.0.0.1 port={parts.pooled} dbname=pgbouncer"
    own = f"{address} user=verifyhub_app password={PASSWORD}"
    with psycopg.connect(own, autocommit=True) as console:
        (version,) = console.execute("SHOW VERSION").fetchone()
    assert version.startswith("PgBouncer 1.")


def test_the_replica_copies_the_first_server_and_follows_it(parts):
    parts.run("replica", *parts.here("replica"))

    owner = f"{parts.place('postgres')} user=verifyhub dbname=verifyhub"
    with psycopg.connect(owner) as first:
        first.execute("CREATE TABLE told AS SELECT 1 AS word")
        first.execute("GRANT SELECT ON told TO verifyhub_app")
    reader = f"user=verifyhub_app password={PASSWORD} dbname=verifyhub"

    def follows() -> bool:
        with psycopg.connect(f"{parts.place('replica')} {reader}") as second:
            found = second.execute("SELECT to_regclass('told') IS NOT NULL").fetchone()
            return found == (True,)

    wait_for(follows, parts.running[-1], parts.folder / "replica.log")
    with psycopg.connect(f"{parts.place('replica')} {reader}") as second:
        assert second.execute("SELECT word FROM told").fetchone() == (1,)
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
            second.execute("CREATE TEMP TABLE own (word int)")
