"""The same system behind PgBouncer, with RabbitMQ, and with a replica beside it."""

import json
import os
import signal
import subprocess
import sys
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest
from django.conf import settings
from psycopg import sql

from tests.architecture.tree import CHECKOUT
from tests.ingest.runs import a_call
from tests.scale.conftest import KEY, two_machines
from tests.scale.journey import exported, is_ready, sent, verified, works
from tests.scale.machines import eventually
from tests.scale.servers import a_pgbouncer, a_primary_and_a_replica, a_rabbitmq

pytestmark = [pytest.mark.deep, pytest.mark.worker, pytest.mark.timeout(900)]
LISTS = ("answers/", "runs/", "memory/search/")
PASSWORD = "of-these-tests"
BOUND_SECONDS = 15
LEFT_LOCKS = """
SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)
WHERE locktype = 'advisory' AND datname = current_database()
"""


@pytest.fixture
def application(database_url):
    """A role that owns nothing, and its address without a pooler."""
    name = f"scale_{os.environ.get('PYTEST_XDIST_WORKER', 'gw')}"
    place = database_url.rpartition("@")[2]
    yield f"postgresql://{name}:of-these-tests@{place}"
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(f"DROP OWNED BY {name}")
        connection.execute(f"DROP ROLE {name}")


def test_a_system_works_behind_pgbouncer_in_transaction_mode(
    tmp_path, shared, database_url, application
):
    shared["VERIFYHUB_OWNER_DATABASE_URL"] = database_url
    shared["DATABASE_URL"] = application
    with (
        two_machines(tmp_path, shared) as (first, second),
        # Fewer sessions than processes and threads, so that each meets several.
        a_pgbouncer(tmp_path / "pgbouncer", application, sessions=4) as pooled,
    ):
        for one in (first, second):
            one.settings |= {"DATABASE_URL": pooled, "VERIFYHUB_PGBOUNCER": "1"}
        first.start("web")
        second.start("worker")
        second.start("worker")
        second.start("beat")

        works(first, second)

        with psycopg.connect(pooled) as connection:
            assert connection.execute("SHOW statement_timeout").fetchone() == ("30s",)
        with psycopg.connect(database_url) as connection:
            assert connection.execute(LEFT_LOCKS).fetchone() == (0,)


def test_the_journeys_pass_behind_pgbouncer(tmp_path, django_db_setup):
    server = os.environ["DATABASE_URL"].rpartition("/")[0]
    own = f"{server}/{settings.DATABASES['default']['NAME']}"
    with psycopg.connect(own, autocommit=True) as connection:
        name = sql.Identifier(connection.info.dbname)
        # Other tests say so as they connect, which PgBouncer refuses.
        setting = sql.SQL("ALTER DATABASE {} SET verifyhub.truncate_audit = 'on'")
        connection.execute(setting.format(name))
    outside = {"DATABASE_SOCKETS", "PYTEST_XDIST_WORKER", "PYTEST_ADDOPTS"}
    with a_pgbouncer(tmp_path / "pgbouncer", own, sessions=4) as pooled:
        ended = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "--reuse-db", "tests/journeys"],
            cwd=CHECKOUT,
            env={
                **{key: os.environ[key] for key in os.environ.keys() - outside},
                "DATABASE_URL": pooled,
                "VERIFYHUB_PGBOUNCER": "1",
            },
            capture_output=True,
            text=True,
            check=False,
        )

    assert ended.returncode == 0, ended.stdout[-5000:]


def test_a_system_works_with_rabbitmq(tmp_path, shared):
    with a_rabbitmq(tmp_path / "rabbitmq") as url:
        shared["BROKER_URL"] = url
        with two_machines(tmp_path, shared) as (first, second):
            first.start("web")
            second.start("worker")
            # Of the same machine, whose name both bear.
            second.start("worker")
            beat = first.start("beat")
            eventually(lambda: "beat.active" in first.said(), first.said())
            second.start("beat")

            works(first, second)
            body = first.ask("GET", "/readyz")[1]
            assert json.loads(body)["checks"]["broker"] == {"status": "ok"}

            assert "beat.active" not in second.said()
            os.killpg(beat.pid, signal.SIGKILL)
            beat.wait()
            eventually(lambda: "beat.active" in second.said(), second.said())


def test_long_reads_come_from_a_replica_while_it_is_near(tmp_path, shared):
    with a_primary_and_a_replica(tmp_path / "servers") as (primary, replica):
        shared |= {"DATABASE_URL": primary, "DATABASE_REPLICA_URL": replica}
        with two_machines(tmp_path, shared) as (first, second):
            first.start("web")
            second.start("worker")
            second.start("beat")

            works(first, second)
            with psycopg.connect(replica, autocommit=True) as connection:
                readers = connection.execute(
                    "SELECT count(*) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                    " AND backend_type = 'client backend'"
                )
                assert readers.fetchone()[0] > 0

                # From now on it shows nothing new; who needs that asks the primary.
                connection.execute("SELECT pg_wal_replay_pause()")
                run = sent(first, id="after")
                eventually(lambda: verified(first, run), second.said())
                rows = exported(first, second.said())
                connection.execute("SELECT pg_wal_replay_resume()")
            assert run.encode() in rows


def test_a_list_is_never_older_than_the_replica_may_be(tmp_path, shared):
    with a_primary_and_a_replica(tmp_path / "servers") as (primary, replica):
        shared |= {
            "DATABASE_URL": primary,
            "DATABASE_REPLICA_URL": replica,
            "VERIFYHUB_REPLICA_SECONDS": f"{BOUND_SECONDS}",
            "VERIFYHUB_INIT_PROJECT": "Main",
            "VERIFYHUB_INIT_PASSWORD": PASSWORD,
        }
        with (
            two_machines(tmp_path, shared) as (first, second),
            httpx.Client(base_url=f"http://127.0.0.1:{first.port}/") as reader,
            psycopg.connect(replica, autocommit=True) as connection,
        ):
            first.start("web")
            second.start("worker")
            second.start("beat")
            eventually(lambda: is_ready(first), first.said())
            _sign_in(reader)
            connection.execute("SELECT pg_wal_replay_pause()")

            new = {"task": "Find src/zebra.py", "session": "zebra"}
            read = a_call(input={"file_path": "src/zebra.py"})
            run = sent(first, answer="It is in src/zebra.py.", tool_calls=[read], **new)
            eventually(lambda: verified(first, run), second.said())

            early = [name for name in LISTS if _shows(reader, name, "zebra")]
            assert early == [], first.said()
            for name in LISTS:
                eventually(lambda name=name: _shows(reader, name, "zebra"), name)
            connection.execute("SELECT pg_wal_replay_resume()")


def _sign_in(reader: httpx.Client) -> None:
    path = "accounts/login/"
    reader.get(path)
    given = {"username": "admin", "password": PASSWORD}
    token = reader.cookies["csrftoken"]
    reply = reader.post(path, data={**given, "csrfmiddlewaretoken": token})
    assert reply.status_code == 302, reply.text


def _shows(reader: httpx.Client, page: str, text: str) -> bool:
    reply = reader.get(f"p/main/{page}")
    assert reply.status_code == 200, reply.text
    return text in reply.text


def test_without_its_replica_a_system_reads_from_the_primary(tmp_path, shared):
    nobody = urlsplit(shared["DATABASE_URL"])._replace(netloc="nobody@127.0.0.1:9")
    shared["DATABASE_REPLICA_URL"] = nobody.geturl()
    with two_machines(tmp_path, shared) as (first, _):
        first.start("web")
        eventually(lambda: is_ready(first), first.said())

        assert first.ask("GET", "/api/v1/metrics/", key=KEY)[0] == 200
        assert first.ask("GET", "/metrics")[0] == 200
