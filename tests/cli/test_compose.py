"""Runs the commands of docker-compose.yml as they stand, without Docker."""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml
from psycopg import sql

from tests.architecture.tree import CHECKOUT
from verifyhub.cli.broker import server_program
from verifyhub.cli.compose_secrets import write_secrets
from verifyhub.cli.ports import free_port
from verifyhub.cli.ready import readiness
from verifyhub.config.queues import WorkQueue

DATABASE = "verifyhub_compose"
COMPOSE = yaml.safe_load((CHECKOUT / "docker-compose.yml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]


class Containers:
    """The services of the file as plain processes, with their paths moved here."""

    def __init__(self, folder: Path, database_url: str) -> None:
        self.folder = folder
        self.secrets = folder / "secrets"
        self.port = free_port()
        self.mcp_port = free_port()
        self.broker_port = free_port()
        self.running: list[subprocess.Popen[bytes]] = []
        write_secrets(self.secrets)
        password = (self.secrets / "broker-password").read_text().strip()
        broker_url = f"redis://:{password}@127.0.0.1:{self.broker_port}/0"
        (self.secrets / "database-url").write_text(database_url)
        place = database_url.rpartition("@")[2]
        own = f"postgresql://compose_app:of-this-test@{place}"
        (self.secrets / "application-database-url").write_text(own)
        (self.secrets / "broker-url").write_text(broker_url)

    def moved(self, text: str) -> str:
        """Fill in what Compose and the image would: variables and mounted paths."""
        text = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text).replace("$$", "$")
        text = text.replace("/run/secrets", str(self.secrets))
        text = text.replace("0.0.0.0", "127.0.0.1")  # noqa: S104
        text = text.replace("//web:8000", f"//127.0.0.1:{self.port}")
        text = re.sub(r"\b8001\b", str(self.mcp_port), text)
        return text.replace("/var/lib/verifyhub", str(self.folder))

    def environment(self, service: str) -> dict[str, str]:
        given = SERVICES[service].get("environment", {})
        settings = {name: self.moved(str(value)) for name, value in given.items()}
        programs = f"{Path(sys.executable).parent}:{server_program().parent}"
        return {
            "PATH": f"{programs}:{os.environ['PATH']}",
            **settings,
            "PORT": str(self.port),
        }

    def command(self, service: str) -> list[str]:
        return [self.moved(word) for word in SERVICES[service]["command"]]

    def run(self, service: str) -> None:
        cwd = CHECKOUT if service != "broker" else self.folder
        with (self.folder / f"{service}.log").open("wb") as log:
            self.running.append(
                subprocess.Popen(
                    self.command(service),
                    cwd=cwd,
                    env=self.environment(service),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
            )

    def is_healthy(self, service: str) -> bool:
        kind, *words = SERVICES[service]["healthcheck"]["test"]
        line = words[0] if kind == "CMD-SHELL" else shlex.join(words)
        check = subprocess.run(
            ["sh", "-c", self.moved(line)],
            cwd=CHECKOUT,
            env=self.environment(service),
            capture_output=True,
        )
        return check.returncode == 0

    def wait_for(self, service: str) -> None:
        deadline = time.monotonic() + 90
        while not self.is_healthy(service):
            log = (self.folder / f"{service}.log").read_text()
            assert time.monotonic() < deadline, log
            time.sleep(0.5)

    def stop(self) -> None:
        for process in reversed(self.running):
            # The broker is the last of a pipeline, which a signal to its shell misses.
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(60)


@pytest.fixture
def database_url(django_db_setup: None) -> Iterator[str]:
    server = os.environ["DATABASE_URL"].rsplit("/", 1)[0]
    name = sql.Identifier(DATABASE)
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(name)
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(drop)
        connection.execute(sql.SQL("CREATE DATABASE {}").format(name))
        yield f"{server}/{DATABASE}"
        connection.execute(drop)
        connection.execute("DROP ROLE IF EXISTS compose_app")


@pytest.fixture
def containers(tmp_path: Path, database_url: str) -> Iterator[Containers]:
    system = Containers(tmp_path, database_url)
    yield system
    system.stop()


@pytest.mark.deep
@pytest.mark.worker
@pytest.mark.timeout(300)
def test_the_commands_bring_up_a_healthy_system(containers):
    # The command reads a configuration without a place: containers have their own.
    broker = SERVICES["broker"]["command"]
    assert broker[-1].endswith("valkey-server -")
    containers.command = moved_broker(containers)

    containers.run("broker")
    prepared = subprocess.run(
        containers.command("prepare"),
        cwd=CHECKOUT,
        env=containers.environment("prepare"),
        capture_output=True,
        text=True,
    )
    assert prepared.returncode == 0, prepared.stderr
    assert "API key created" in prepared.stdout

    for service in ("web", "mcp", "worker", "beat"):
        containers.run(service)
    for service in ("web", "mcp", "worker", "beat"):
        containers.wait_for(service)
    assert '"status": "ok"' in readiness("127.0.0.1", containers.port).text
    assert readiness("127.0.0.1", containers.mcp_port).text == '{"status":"ok"}'


# `up` alone reads the first; the second is the key of a caller, who runs elsewhere.
NOT_FOR_CONTAINERS = {"VERIFYHUB_MCP", "VERIFYHUB_API_KEY"}


def test_every_setting_reaches_the_containers():
    example = (CHECKOUT / ".env.example").read_text()
    settings = set(re.findall(r"^([A-Z_]+)=", example, re.M))
    handed = {
        name.removesuffix("_FILE")
        for service in SERVICES.values()
        for name in service.get("environment", {})
    }

    assert settings - handed == NOT_FOR_CONTAINERS
    # What web is told, those who do its work in the background are told as well.
    told = [SERVICES[name]["environment"] for name in ("web", "worker", "beat")]
    assert told[0] == told[1] == told[2]


def test_each_setting_is_handed_on_under_its_own_name():
    handed = [
        (name, given[1])
        for service in ("web", "prepare", "mcp")
        for name, value in SERVICES[service]["environment"].items()
        if (given := re.match(r"\$\{(\w+):-", str(value)))
    ]

    assert len(handed) > 50
    assert [pair for pair in handed if pair[0] != pair[1]] == []


@pytest.mark.parametrize("name", SERVICES)
def test_every_container_is_confined(name):
    service = SERVICES[name]

    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["mem_limit"]
    assert service["pids_limit"]
    assert "privileged" not in service
    # Its image's program cannot be started without it, and is not given it.
    assert service.get("cap_add", []) == ["NET_BIND_SERVICE"] * (name == "proxy")


@pytest.mark.parametrize("name", SERVICES)
def test_no_container_runs_as_root(name):
    service = SERVICES[name]
    image = (CHECKOUT / "Dockerfile").read_text()
    (own,) = re.findall(r"^USER (\S+)$", image, re.M)

    account = own if service["image"] == "verifyhub" else service["user"]
    assert account in {"verifyhub", "postgres", "valkey", "70:70", "10001:10001"}


def test_the_proxys_folder_belongs_to_its_account():
    (place,) = [
        volume.partition(":")[2]
        for volume in SERVICES["proxy"]["volumes"]
        if volume.startswith("proxy:")
    ]
    made = (CHECKOUT / "Dockerfile").read_text()

    assert SERVICES["proxy"]["environment"]["XDG_DATA_HOME"] == place
    assert f"proxy:{place}" in SERVICES["prepare"]["volumes"]
    assert re.search(rf"--owner verifyhub --mode 0700 .*{place}", made, re.S)
    assert "--uid 10001" in made


def test_the_proxy_listens_where_its_ports_lead():
    told = (CHECKOUT / "deploy/Caddyfile").read_text()
    listens = re.findall(r"^\thttps?_port (\d+)$", told, re.M)

    assert SERVICES["proxy"]["ports"] == [f"80:{listens[0]}", f"443:{listens[1]}"]


def test_images_are_pinned_to_a_version_and_its_digest():
    named = [one["image"] for one in SERVICES.values() if one["image"] != "verifyhub"]
    base = re.findall(r"^ARG BASE=(.+)$", (CHECKOUT / "Dockerfile").read_text(), re.M)
    tags = [re.sub(r"^\$\{\w+:-(.+)\}$", r"\1", image) for image in named] + base

    assert len(tags) == 6
    pinned = re.compile(r"[a-z/]+:v?\d+\.\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}")
    assert [tag for tag in tags if not pinned.fullmatch(tag)] == []


def test_the_mcp_server_is_told_nothing_secret():
    secret = re.compile("KEY|PASSWORD|TOKEN|HEADERS|DATABASE|BROKER|_FILE$")

    assert [n for n in SERVICES["mcp"]["environment"] if secret.search(n)] == []


def moved_broker(containers: Containers):
    as_it_stands = containers.command

    def command(service: str) -> list[str]:
        words = as_it_stands(service)
        if service == "broker":
            place = f"--bind 127.0.0.1 --port {containers.broker_port}"
            return [*words[:-1], f"{words[-1]} {place}"]
        return words

    return command


def test_only_the_web_and_mcp_servers_are_published_and_only_on_loopback():
    published = {
        name: one["ports"]
        for name, one in SERVICES.items()
        if "ports" in one and "profiles" not in one
    }

    assert published == {
        "web": ["127.0.0.1:${PORT:-8000}:8000"],
        "mcp": ["127.0.0.1:${VERIFYHUB_MCP_PORT:-8001}:8001"],
    }


def test_the_mcp_server_holds_no_secret_and_no_state():
    assert SERVICES["mcp"]["secrets"] == SERVICES["mcp"]["volumes"] == []


def test_every_service_that_stays_has_a_health_check():
    lasting = set(SERVICES) - {"prepare"}

    assert {name for name in lasting if "healthcheck" in SERVICES[name]} == lasting


def test_every_secret_that_is_used_is_declared_and_written(tmp_path):
    write_secrets(tmp_path)
    used = {secret for one in SERVICES.values() for secret in one.get("secrets", [])}

    assert used == set(COMPOSE["secrets"])
    assert used == {file.name for file in tmp_path.iterdir()}


def test_each_profile_adds_one_part_that_nothing_else_waits_for():
    profiles = {
        name: one["profiles"] for name, one in SERVICES.items() if "profiles" in one
    }
    waits = [
        (name, other)
        for name, one in SERVICES.items()
        for other, how in one.get("depends_on", {}).items()
        if other in profiles and how.get("required", True)
    ]

    assert profiles == {
        "proxy": ["tls"],
        "pgbouncer": ["pgbouncer"],
        "replica": ["replica"],
        "models": ["models"],
    }
    assert waits == []


def test_workers_for_models_and_the_others_do_all_work_between_them():
    text = (CHECKOUT / "docker-compose.yml").read_text()
    (others,) = re.findall(r"^  # VERIFYHUB_WORKER_QUEUES=(\S+)$", text, re.M)
    own = SERVICES["models"]["environment"]["VERIFYHUB_WORKER_QUEUES"]

    assert sorted([own, *others.split(",")]) == sorted(WorkQueue)
    assert SERVICES["models"]["command"] == SERVICES["worker"]["command"]


@pytest.mark.parametrize("name", ["pgbouncer", "replica"])
def test_what_a_profile_adds_has_no_rights_of_root(name):
    assert SERVICES[name]["user"] not in ("root", "0")
    assert "cap_add" not in SERVICES[name]


def test_the_secrets_of_the_profiles_name_the_role_of_the_application(tmp_path):
    write_secrets(tmp_path)
    read = {file.name: file.read_text().strip() for file in tmp_path.iterdir()}
    own = read["application-database-url"]

    assert read["pooled-database-url"] == own.replace(
        "@postgres:5432/", "@pgbouncer:6432/"
    )
    assert read["replica-database-url"] == own.replace("@postgres:", "@replica:")


def test_secrets_that_exist_stay(tmp_path):
    write_secrets(tmp_path)
    before = {file.name: file.read_text() for file in tmp_path.iterdir()}

    write_secrets(tmp_path)

    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == before


def test_the_image_runs_the_same_web_command():
    lines = (CHECKOUT / "Dockerfile").read_text().splitlines()
    (command,) = [line for line in lines if line.startswith("CMD ")]

    assert yaml.safe_load(command.removeprefix("CMD ")) == SERVICES["web"]["command"]


def test_what_the_image_copies_exists_and_is_not_ignored():
    copied = re.findall(r"^COPY (.+) \S+$", (CHECKOUT / "Dockerfile").read_text(), re.M)
    allowed = {
        line.removeprefix("!")
        for line in (CHECKOUT / ".dockerignore").read_text().splitlines()
        if line.startswith("!")
    }

    sources = {name for line in copied for name in line.split()}

    assert sources == allowed
    assert all((CHECKOUT / name).exists() for name in sources)
