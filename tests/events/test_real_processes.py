"""A real worker sends what a real verdict made; a real web server streams, and ends."""

import http.client
import json
import threading

import pytest
from standardwebhooks import Webhook

from tests.conftest import API_SECRET
from tests.events.receiver import a_receiver
from tests.factories import ApiKeyFactory
from tests.ingest.runs import a_run
from tests.verification.test_worker import eventually
from tests.verification.test_worker import processes as processes_fixture
from tests.web_server import a_web_server
from verifyhub.events.catalogue import EventType
from verifyhub.events.services import publish

pytestmark = [pytest.mark.worker, pytest.mark.django_db(transaction=True)]
HEADERS = {"Authorization": f"Bearer {API_SECRET}"}
processes = processes_fixture


@pytest.fixture
def outside(monkeypatch, settings):
    """A receiver that the worker may reach; to be asked for before the worker."""
    with a_receiver() as made:
        host, port = made.pair
        monkeypatch.setenv("VERIFYHUB_WEBHOOK_ALLOW_PRIVATE", f"{host}:{port}")
        settings.WEBHOOK_ALLOW_PRIVATE = frozenset({made.pair})
        yield made


def test_a_worker_sends_what_a_verdict_made_and_the_receiver_verifies_it(
    outside, processes, client
):
    ApiKeyFactory(secret=API_SECRET)

    def send(path, body):
        return client.post(
            f"/api/v1/{path}/", body, content_type="application/json", headers=HEADERS
        )

    types = ["verification.completed"]
    added = send("webhooks", {"name": "ci", "url": outside.url, "types": types}).json()
    assert send("interactions", a_run(id="run-1")).status_code == 202

    eventually(lambda: bool(outside.got))
    (got,) = outside.got
    told = Webhook(added["secret"]).verify(got.body, got.headers)
    assert told["type"] == "verification.completed"
    assert told["data"]["subject"]["name"] == "run-1"
    assert told["data"]["verification"]["verdict"]
    log = f"/api/v1/webhooks/{added['id']}/deliveries/"
    eventually(
        lambda: (
            [one["state"] for one in client.get(log, headers=HEADERS).json()["results"]]
            == ["finished"]
        )
    )


@pytest.fixture
def web(tmp_path):
    with a_web_server(tmp_path, "--workers", "1") as made:
        yield made


@pytest.fixture
def asking(web):
    """A connection to it."""
    made = http.client.HTTPConnection(*web.address, timeout=60)
    yield made
    made.close()


def test_a_stream_shows_what_happens_and_ends_when_the_server_stops(web, asking):
    key = ApiKeyFactory(secret=API_SECRET)
    asking.request("GET", "/api/v1/events/stream/", headers=HEADERS)
    reply = asking.getresponse()
    assert reply.status == 200
    assert reply.readline() == b"retry: 2000\n"

    publish(
        project=key.project,
        type=EventType.VERIFICATION_FAILED,
        data={"error": "x"},
        subject={},
    )
    lines = [reply.readline() for _ in range(4)]
    assert lines[2] == b"event: verification.failed\n"
    assert json.loads(lines[3].removeprefix(b"data: "))["data"] == {"error": "x"}

    rest = []
    reader = threading.Thread(target=lambda: rest.append(reply.read()), daemon=True)
    reader.start()
    web.process.terminate()
    # A body that is cut would raise IncompleteRead in the thread and leave nothing.
    reader.join(30)
    assert rest == [b"\n"]
    assert web.process.wait(30) == 0
