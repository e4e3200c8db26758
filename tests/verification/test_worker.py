"""A real Celery worker process on a real broker, killed and restarted.

The broker is the test's own. Valkey keeps nothing on disk: when it dies, every message
is gone, and only the rows know what is to be done. RabbitMQ keeps its messages.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest
from celery import current_app
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone
from kombu import pools

from tests.conftest import API_SECRET
from tests.databases import application_url
from tests.factories import ApiKeyFactory
from tests.ingest.runs import a_run
from tests.model_server import model_server
from tests.scale.servers import RabbitMQ, stop
from verifyhub.cli.broker import server_program
from verifyhub.cli.ports import free_port
from verifyhub.inference.models import TierModel
from verifyhub.verification.models import MentionVerdict, Verification

pytestmark = [pytest.mark.worker, pytest.mark.django_db(transaction=True)]
URL = "/api/v1/interactions/"
CHECKOUT = Path(__file__).parents[2]
PATIENCE_SECONDS = 60
OTHER_SECRET = "vh_test_plain_0123456789abcdef0123456789"
TRUE_AND_LONG = f"It is `parse` in src/parser.py. {'It splits texts. ' * 4}"
State = Verification.State


def eventually(question: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not question():
        assert time.monotonic() < deadline, "It never came true"
        time.sleep(0.05)


@dataclass
class Valkey:
    """A server that keeps nothing."""

    folder: Path
    port: int = field(default_factory=free_port)

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> subprocess.Popen[bytes]:
        self.folder.mkdir(exist_ok=True)
        options = ["--bind", "127.0.0.1", "--port", str(self.port), "--save", ""]
        return subprocess.Popen(
            [str(server_program()), *options],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )

    def end(self) -> None:
        """Do nothing: it leaves nothing behind."""


@dataclass
class Processes:
    """A broker and a worker with its reconciler, as separate processes."""

    folder: Path
    server: Valkey | RabbitMQ | None = None
    broker: subprocess.Popen[bytes] | None = None
    worker: subprocess.Popen[bytes] | None = None

    def __post_init__(self) -> None:
        self.server = self.server or Valkey(self.folder / "broker")

    @property
    def url(self) -> str:
        return self.server.url

    def start_broker(self) -> None:
        self.broker = self.server.start()

    def tell_broker(self, sign: signal.Signals) -> None:
        os.killpg(self.broker.pid, sign)
        if sign == signal.SIGKILL:
            self.broker.wait()

    def start_worker(self, *, concurrency: int = 1, **settings: str) -> None:
        beat = ["-B", "--schedule", str(self.folder / "schedule")]
        with (self.folder / "worker.log").open("ab") as log:
            self.worker = subprocess.Popen(
                [
                    *[sys.executable, "-m", "celery", "-A", "verifyhub.config"],
                    *["worker", "--concurrency", str(concurrency), "--without-gossip"],
                    *beat,
                ],
                env={**os.environ, **self._environment(), **settings},
                cwd=CHECKOUT,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def kill_worker(self) -> None:
        os.killpg(self.worker.pid, signal.SIGKILL)
        self.worker.wait()

    def complained(self) -> bool:
        """Whether the worker logged that its broker did not answer."""
        log = (self.folder / "worker.log").read_text()
        return "TimeoutError" in log or "heartbeats" in log

    def stop(self) -> None:
        for process in (self.worker, self.broker):
            if process:
                stop(process)
        self.server.end()

    def pool_process(self) -> psutil.Process:
        """The child that waits for the lock which the test holds in PostgreSQL."""
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT client_port FROM pg_stat_activity"
                " WHERE datname = current_database() AND wait_event_type = 'Lock'"
                " AND query LIKE '%%ingest_toolcall%%' AND pid <> pg_backend_pid()"
            )
            (port,) = cursor.fetchone()
        children = psutil.Process(self.worker.pid).children(recursive=True)
        return next(
            child
            for child in children
            for link in child.net_connections()
            if link.laddr and link.laddr.port == port
        )

    def _environment(self) -> dict[str, str]:
        return {
            # As in service: a role that owns nothing.
            "DATABASE_URL": application_url(),
            "BROKER_URL": self.url,
            "DJANGO_SETTINGS_MODULE": "verifyhub.config.settings",
            "VERIFYHUB_HOME": str(self.folder),
            # A worker that is killed leaves files behind.
            "TMPDIR": str(self.folder),
        }


@pytest.fixture(
    params=[Valkey, pytest.param(RabbitMQ, marks=pytest.mark.deep)],
    ids=lambda server: server.__name__,
)
def processes(tmp_path, request) -> Iterator[Processes]:
    running = Processes(tmp_path, request.param(tmp_path / "broker"))
    running.start_broker()
    before = current_app.conf.broker_url
    use_broker(running.url)
    running.start_worker()
    yield running
    running.stop()
    use_broker(before)


def use_broker(url: str) -> None:
    """Lead this process's own wake-ups to a broker."""
    current_app.conf.broker_url = url
    # Closed ones would be found again by their address.
    pools.reset()
    current_app._pool = None
    current_app.amqp._producer_pool = None


@pytest.fixture
def client(processes) -> Client:
    ApiKeyFactory(secret=API_SECRET)
    return Client(headers={"authorization": f"Bearer {API_SECRET}"})


def post(client: Client, **fields: object) -> None:
    reply = client.post(URL, a_run(**fields), content_type="application/json")
    assert reply.status_code == 202


def has_finished(client: Client, name: str) -> bool:
    return client.get(f"{URL}{name}/verdict/").status_code == 200


def interrupted(processes: Processes, client: Client, kill: Callable[[], None]) -> None:
    """Post a run and kill in the middle of its verification."""
    os.killpg(processes.worker.pid, signal.SIGSTOP)
    post(client, id="run-1")
    with transaction.atomic():
        with connection.cursor() as cursor:
            # The worker claims the row and then waits here for the trace.
            cursor.execute("LOCK TABLE ingest_toolcall IN ACCESS EXCLUSIVE MODE")
        os.killpg(processes.worker.pid, signal.SIGCONT)
        eventually(_waits_for_trace)
        kill()
    # Nobody renews the lease now; let it have ended.
    Verification.objects.update(lease_until=timezone.now())


def _waits_for_trace() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks WHERE NOT granted"
            " AND relation = 'ingest_toolcall'::regclass"
        )
        return bool(cursor.fetchone()[0])


def test_a_posted_run_gets_its_verdict_from_the_worker(processes, client):
    post(client, id="run-1")

    eventually(lambda: has_finished(client, "run-1"))

    row = Verification.objects.get()
    assert (row.state, row.attempts) == (State.FINISHED, 1)
    assert MentionVerdict.objects.count() == row.mention_count > 0


def test_messages_lost_with_the_broker_are_made_up_for(processes, client):
    processes.kill_worker()
    processes.tell_broker(signal.SIGKILL)

    for number in range(5):
        post(client, id=f"run-{number}")
    processes.start_broker()
    processes.start_worker()

    eventually(lambda: all(has_finished(client, f"run-{n}") for n in range(5)))
    assert set(Verification.objects.values_list("attempts", flat=True)) == {1}


def test_a_living_worker_outlasts_its_broker(processes, client):
    post(client, id="run-0")
    eventually(lambda: has_finished(client, "run-0"))
    processes.tell_broker(signal.SIGKILL)

    post(client, id="run-1")
    processes.start_broker()

    eventually(lambda: has_finished(client, "run-1"))


@pytest.mark.deep
def test_a_worker_goes_on_after_a_broker_that_was_silent_for_long(processes, client):
    post(client, id="run-0")
    eventually(lambda: has_finished(client, "run-0"))

    def silence() -> None:
        processes.tell_broker(signal.SIGSTOP)

    interrupted(processes, client, silence)
    # The finished task is acknowledged for longer than a client of the broker waits.
    eventually(processes.complained)
    processes.tell_broker(signal.SIGCONT)

    post(client, id="run-2")
    eventually(lambda: has_finished(client, "run-2"))


def test_slow_models_leave_one_process_to_work_without_a_model(processes, client):
    is_over = threading.Event()
    plain = ApiKeyFactory(secret=OTHER_SECRET)
    TierModel.objects.create(project=plain.project, tier="medium", is_on=False)
    plain_client = Client(headers={"authorization": f"Bearer {OTHER_SECRET}"})
    processes.kill_worker()

    with model_server(lambda *_: is_over.wait(PATIENCE_SECONDS)) as model:
        processes.start_worker(
            concurrency=2,
            VERIFYHUB_MODEL_URL=model.base_url,
            VERIFYHUB_MODEL_MEDIUM="slow",
            VERIFYHUB_MODEL_ALLOW_PRIVATE=model.base_url.split("/")[2],
        )
        for number in range(3):
            # True and long: the ledger does not decide alone.
            post(client, id=f"asking-{number}", answer=TRUE_AND_LONG)
        eventually(lambda: bool(model.requests))
        for number in range(10):
            post(plain_client, id=f"plain-{number}")
            eventually(lambda n=number: has_finished(plain_client, f"plain-{n}"))

        assert len(model.requests) == 1
        is_over.set()
        eventually(lambda: all(has_finished(client, f"asking-{n}") for n in range(3)))


@pytest.mark.parametrize("victim", ["pool process", "whole worker"])
def test_a_worker_killed_in_the_middle_loses_and_doubles_nothing(
    processes, client, victim
):
    def kill() -> None:
        if victim == "pool process":
            processes.pool_process().kill()
        else:
            processes.kill_worker()

    interrupted(processes, client, kill)
    if victim == "whole worker":
        processes.start_worker()

    eventually(lambda: has_finished(client, "run-1"))
    row = Verification.objects.get()
    assert (row.attempts, row.token) == (2, 2)
    assert MentionVerdict.objects.count() == row.mention_count
