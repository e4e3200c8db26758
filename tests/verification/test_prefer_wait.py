"""`Prefer: wait=N`: the verdict in the reply to the post, if it comes in time."""

import threading

import pytest
from django.db import connection
from django.test import Client

from tests.conftest import API_SECRET
from tests.factories import ApiKeyFactory
from tests.ingest.runs import a_run
from verifyhub.ingest.models import IdempotentReply, Interaction
from verifyhub.verification.api import preferences
from verifyhub.verification.models import Detection, Verification
from verifyhub.verification.services import run_verification

pytestmark = pytest.mark.django_db(transaction=True)
URL = "/api/v1/interactions/"


@pytest.fixture
def client(db) -> Client:
    ApiKeyFactory(secret=API_SECRET)
    return Client(headers={"authorization": f"Bearer {API_SECRET}"})


def post(client: Client, **headers: str):
    return client.post(
        URL, a_run(id="run-1"), content_type="application/json", headers=headers
    )


def test_the_reply_is_the_verdict(client, worker):
    reply = post(client, prefer="wait=20")

    assert (reply.status_code, reply.json()["schema"]) == (200, 1)
    assert reply["Preference-Applied"] == "wait=20"
    assert reply["Location"].startswith("http://testserver/api/v1/interactions/")
    assert reply.json() == client.get(f"{URL}run-1/verdict/").json()


def test_when_time_is_up_the_reply_is_202(client):
    reply = post(client, prefer="wait=0")

    assert (reply.status_code, reply["Preference-Applied"]) == (202, "wait=0")


def test_the_verdict_can_be_waited_for_later(client, worker):
    post(client)

    reply = client.get(f"{URL}run-1/verdict/", headers={"prefer": "wait=20"})

    assert (reply.status_code, reply["Preference-Applied"]) == (200, "wait=20")


def test_verifying_again_can_be_waited_for(client, worker):
    first = post(client, prefer="wait=20")

    again = client.post(f"{URL}run-1/reverify/", headers={"prefer": "wait=20"})

    assert (again.status_code, again.json()) == (200, first.json())
    assert Verification.objects.count() == 2


def test_the_verdict_is_what_the_idempotency_key_repeats(client, worker):
    headers = {"idempotency-key": "k", "prefer": "wait=20"}
    first = post(client, **headers)

    second = post(client, **headers)

    assert (second.status_code, second.json()) == (200, first.json())
    assert second["Idempotent-Replayed"] == "true"
    assert IdempotentReply.objects.get().status_code == 200


def test_only_so_many_may_wait(client, monkeypatch):
    monkeypatch.setattr(preferences, "_waiters", threading.BoundedSemaphore(1))
    preferences._waiters.acquire()

    reply = post(client, prefer="wait=20")

    assert reply.status_code == 202
    assert not reply.has_header("Preference-Applied")


def test_the_wait_holds_no_transaction(client, monkeypatch):
    open_blocks = []
    monkeypatch.setattr(
        preferences.time,
        "sleep",
        lambda _: open_blocks.append(connection.in_atomic_block),
    )
    monkeypatch.setattr(preferences, "MAX_WAIT_SECONDS", 0.01)

    post(client, prefer="wait=5")

    assert set(open_blocks) == {False}


def test_what_is_deleted_while_one_waits_for_it_is_said_to_be_gone(client, monkeypatch):
    delete = Interaction.objects.all().delete
    monkeypatch.setattr(preferences.time, "sleep", lambda _: delete())

    reply = post(client, prefer="wait=5")

    assert (reply.status_code, reply["Content-Type"]) == (
        410,
        "application/problem+json",
    )
    assert "deleted" in reply.json()["detail"]


def test_what_is_deleted_once_it_has_ended_is_said_to_be_gone(client, monkeypatch):
    read_again = Verification.refresh_from_db

    def verify(_: float) -> None:
        run_verification(verification_id=Verification.objects.get().pk)

    def delete_and_read(row: Verification) -> None:
        Interaction.objects.all().delete()
        read_again(row)

    monkeypatch.setattr(preferences.time, "sleep", verify)
    monkeypatch.setattr(Verification, "refresh_from_db", delete_and_read)

    assert post(client, prefer="wait=5").status_code == 410


def test_a_detection_deleted_after_its_first_reply_is_gone(client):
    def ask():
        return client.post(
            "/api/v1/detection/verify/",
            {"text": "The tax is 16 percent."},
            content_type="application/json",
            headers={"idempotency-key": "k"},
        )

    ask()
    Detection.objects.all().delete()

    assert ask().status_code == 410


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("wait=5", 5),
        ("respond-async, wait=7", 7),
        ('wait="9"; x=1', 9),
        ("wait=100", 30),
        ("wait=99999999999999999999", None),
        ("wait=-1", None),
        ("wait", None),
        ("await=5", None),
        ("", None),
    ],
)
def test_the_preference_is_read_as_it_is_written(rf, header, seconds):
    assert preferences.preferred_wait(rf.get("/", headers={"prefer": header})) == (
        seconds
    )


def test_twins_under_one_idempotency_key_make_one_row(client):
    barrier = threading.Barrier(10)
    replies = []

    def send() -> None:
        twin = Client(headers={"authorization": f"Bearer {API_SECRET}"})
        barrier.wait()
        replies.append(
            twin.post(
                URL,
                a_run(),
                content_type="application/json",
                headers={"idempotency-key": "k"},
            )
        )
        connection.close()

    threads = [threading.Thread(target=send) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert {reply.status_code for reply in replies} == {202}
    assert len({reply.json()["id"] for reply in replies}) == 1
    assert Verification.objects.count() == 1
