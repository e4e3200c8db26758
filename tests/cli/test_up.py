import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import psutil
import psycopg
import pytest

from tests.cli.conftest import Up
from tests.mcp_server.conftest import over_http
from verifyhub.cli.welcome import EXAMPLE

pytestmark = [pytest.mark.worker, pytest.mark.timeout(240)]


@dataclass
class Lived:
    """A home that was started, stopped and started again; it runs.

    Attributes:
        starts: What each start said.
        stop: The exit code between them, and what was said.
        left: The processes that the stop left.
        at_rest: The programs that ran before anybody asked for anything.
    """

    up: Up
    starts: tuple[str, str]
    stop: tuple[int, str]
    left: list[str]
    at_rest: set[str]


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lived]:
    """One home for the tests that leave it running, as starts take seconds."""
    up = Up(tmp_path_factory.mktemp("running"))
    first = up.start_and_wait()
    stop = up.stop(signal.SIGINT)
    left = up.living()
    starts = (first, up.start_and_wait())
    at_rest = {file.stem for file in (up.home / "run").glob("*.pid")}
    yield Lived(up, starts, stop, left, at_rest)
    assert up.stop(signal.SIGTERM)[0] == 0
    assert up.wait_until_none_lives() == []


@pytest.fixture
def running(lived: Lived) -> tuple[Up, str]:
    return lived.up, lived.starts[1]


def test_it_stops_all_it_started_and_keeps_its_data(lived):
    first, second = lived.starts
    key = re.compile(r"API key +(vh_\S+)")

    assert lived.stop[0] == 0, lived.stop[1]
    assert lived.left == []
    assert key.search(first)[1] == key.search(second)[1]
    assert re.search(r"Login +.+", first)[0] == re.search(r"Login +.+", second)[0]
    assert "API key created" in first
    assert "API key created" not in second
    assert "Preparing the database" in first
    assert "Preparing the database" not in second


def test_the_mcp_server_waits_for_its_first_caller(lived):
    assert lived.at_rest == {"postgres", "broker", "beat", "web", "worker"}


def test_it_serves(running):
    up, _ = running

    assert up.get("/readyz")[0] == 200
    assert up.get("/healthz")[0] == 200
    assert up.get("/api/v1/interactions/", "POST")[0] == 401


def test_the_first_request_it_prints_is_answered_with_a_verdict(running):
    up, said = running
    key = re.search(r"API key +(vh_\S+)", said)[1]
    body = json.dumps(EXAMPLE)

    status, answer = up.get(
        "/api/v1/interactions/",
        "POST",
        body,
        Authorization=f"Bearer {key}",
        Prefer="wait=25",
        **{"Content-Type": "application/json"},
    )

    assert status == 200, answer
    assert json.loads(answer)["verdict"] == "reject"

    async def verify(client):
        return await client.call_tool("verify", EXAMPLE)

    (address,) = re.findall(r"MCP +(http://\S+)", said)
    over_mcp = over_http(address, verify, key)
    assert not over_mcp.is_error, over_mcp.content
    assert over_mcp.structured_content["verdict"] == "reject"
    assert "load_settings" not in (up.home / "logs" / "web.log").read_text()
    assert "load_settings" not in (up.home / "logs" / "worker.log").read_text()


@pytest.mark.deep
def test_what_survives_a_killed_start_is_healed(running):
    up, _ = running
    up.kill()

    # The kernel passes the stop on to the children where it can; the rest is found
    # by the next start.
    up.start_and_wait()
    assert up.get("/readyz")[0] == 200


def test_commands_of_django_find_the_system_of_their_home(running):
    up, _ = running
    clean = {"PATH": os.environ["PATH"], "VERIFYHUB_HOME": str(up.home)}

    checked = subprocess.run(
        [sys.executable, "-m", "verifyhub.cli.main", "manage", "migrate", "--check"],
        env=clean,
        capture_output=True,
        text=True,
    )

    assert checked.returncode == 0, checked.stderr


def test_the_servers_own_nothing_and_can_only_add_to_the_record(running):
    up, _ = running
    lines = (up.home / "run" / "environment.sh").read_text().splitlines()
    told = dict(line.removeprefix("export ").split("=", 1) for line in lines)

    with psycopg.connect(told["DATABASE_URL"], autocommit=True) as servers:
        whose = servers.execute(
            "SELECT rolsuper, (SELECT count(*) FROM pg_class"
            " WHERE relowner = pg_roles.oid) FROM pg_roles WHERE rolname = current_user"
        ).fetchone()
        refused = [
            statement
            for statement in (
                "UPDATE audit_auditevent SET action = 'x'",
                "DELETE FROM audit_auditevent",
                "TRUNCATE audit_auditevent",
                "DELETE FROM audit_auditseal",
                "UPDATE events_event SET type = 'x'",
                "UPDATE events_event SET position = 1",
                "DELETE FROM events_event",
                "TRUNCATE events_event",
                "ALTER TABLE audit_auditevent DISABLE TRIGGER ALL",
                "SET session_replication_role = replica",
                "CREATE TABLE public.own (id int)",
                "UPDATE django_migrations SET app = 'x'",
            )
            if is_refused(servers, statement)
        ]

    assert whose == (False, 0)
    assert len(refused) == 12, refused


def is_refused(servers: psycopg.Connection, statement: str) -> bool:
    try:
        servers.execute(statement)
    except psycopg.errors.InsufficientPrivilege:
        return True
    return False


def test_a_program_that_ends_is_said_and_started_again(running):
    up, _ = running
    (beat,) = [
        process
        for process in psutil.Process(up.process.pid).children()
        if "verifyhub.config.beat" in process.cmdline()
    ]

    beat.kill()

    assert "beat was ended by SIGKILL" in up.read_until("beat was ended")
    assert up.process.poll() is None


def test_a_second_start_from_the_same_home_is_refused(running):
    up, _ = running
    first = up.process

    said = Up(up.home).refusal()

    assert f"already runs from {up.home} (pid {first.pid})" in said
    assert len(said.splitlines()) == 1


def test_a_taken_port_is_explained_in_one_line(up):
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", up.port))
        holder.listen()

        said = up.refusal()

    assert f"Port {up.port} is taken by" in said
    assert "PORT=" in said
    assert up.living() == []


@pytest.mark.parametrize(
    ("name", "value"),
    [("PORT", "99999"), ("PORT", "eighty"), ("VERIFYHUB_BIND", "192.0.2.1")],
)
def test_an_address_that_cannot_be_is_explained(up, name, value):
    said = up.refusal(**{name: value})

    assert value in said
    assert "Traceback" not in said


@pytest.mark.deep
def test_a_weak_first_key_is_explained(up):
    said = up.refusal(VERIFYHUB_INIT_API_KEY="vh_short")

    assert "VERIFYHUB_INIT_API_KEY: An API key starts with vh_" in said
    assert up.living() == []


@pytest.mark.deep
def test_a_half_made_database_starts_over(up):
    half_made = up.home / "postgres"
    (half_made / "base").mkdir(parents=True)

    up.start_and_wait()

    assert (half_made / "PG_VERSION").exists()


@pytest.mark.deep
def test_an_unreadable_broker_is_set_aside(up):
    files = up.home / "broker" / "appendonlydir"
    files.mkdir(parents=True)
    (files / "appendonly.aof.manifest").write_text("not a manifest\n")

    up.start_and_wait()

    assert (up.home / "broker" / "appendonlydir.unreadable").exists()


@pytest.mark.deep
def test_headless_secrets_from_files_are_used_and_not_shown(up, tmp_path):
    secret = tmp_path / "key"
    secret.write_text("vh_" + "s" * 40 + "\n")
    token = tmp_path / "token"
    token.write_text("only for prometheus")

    said = up.start_and_wait(
        # As seen from where `up` is started, wherever the servers work.
        VERIFYHUB_METRICS_TOKEN_FILE=os.path.relpath(token),
        VERIFYHUB_INIT_API_KEY_FILE=str(secret),
        VERIFYHUB_INIT_USER="ada",
        VERIFYHUB_INIT_PASSWORD="correct horse battery",
        VERIFYHUB_INIT_PROJECT="Night shift",
    )

    assert "Project night-shift created" in said
    assert "s" * 40 not in said
    assert "correct horse" not in said
    assert up.get("/metrics", Authorization="Bearer only for prometheus")[0] == 200


def test_secrets_are_readable_by_their_owner_alone(running):
    up, _ = running
    secrets = [
        *up.home.glob("*-password"),
        *up.home.glob("*-key"),
        up.home / "run" / "environment.sh",
        up.home / "broker" / "valkey.conf",
    ]

    assert len(secrets) >= 7
    assert {stat.S_IMODE(file.stat().st_mode) for file in secrets} == {0o600}


def test_an_unusable_database_address_is_explained(up):
    said = up.refusal(
        DATABASE_URL="postgresql://nobody@127.0.0.1:1/none",
        VERIFYHUB_DATABASE_WAIT_SECONDS="0",
    )

    assert "Connection refused" in said
    assert "The database could not be prepared" in said
    assert up.living() == []


@pytest.mark.deep
def test_the_demo_is_loaded_once_and_beside_those_who_are_served(up):
    first = up.start_and_wait(VERIFYHUB_DEMO="1")
    loaded = up.read_until("Demo loaded")
    up.stop()

    second = up.start_and_wait(VERIFYHUB_DEMO="1")

    assert "its runs appear within seconds" in first
    assert "24 runs created and verified" in loaded
    assert "its runs appear within seconds" not in second


@pytest.mark.deep
def test_a_start_prepares_again_when_the_database_is_another_state(up):
    up.start_and_wait()
    up.stop()
    (stamp,) = (up.home / "run").glob("prepare.done")
    stamp.write_text("of other migrations")

    assert "Preparing the database" in up.start_and_wait()
