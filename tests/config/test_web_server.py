"""The web server as it is shipped: what slow, odd and many clients get from it."""

import http.client
import json
import socket
import threading
from contextlib import closing, suppress
from email.message import Message

import pytest
from django.db import connection, transaction

from bench.slow_clients import SlowClients, asked
from tests.conftest import API_SECRET
from tests.factories import ApiKeyFactory
from tests.ingest.runs import a_run
from tests.verification.test_worker import eventually
from tests.web_server import a_web_server
from verifyhub.ingest.models import Interaction

pytestmark = [pytest.mark.worker, pytest.mark.django_db(transaction=True)]
PAGE = "/healthz"
RUNS = "/api/v1/interactions/"
LARGEST = 16 * 1024 * 1024
KEY = f"Authorization: Bearer {API_SECRET}\r\n".encode()


@pytest.fixture(scope="module")
def web(django_db_setup, tmp_path_factory):
    """One for all tests: what is sent here leaves nothing in it."""
    with a_web_server(tmp_path_factory.mktemp("web"), "--workers", "1") as made:
        yield made


def connected(web) -> socket.socket:
    return socket.create_connection(web.address, timeout=30)


def more(client: socket.socket) -> bytes:
    data = client.recv(65536)
    assert data, "The server closed the connection"
    return data


def sent(web, data: bytes) -> tuple[int, Message, bytes]:
    """Send bytes, all of them, and only then read what comes back."""
    with closing(connected(web)) as client:
        client.sendall(data)
        reply = http.client.HTTPResponse(client)
        reply.begin()
        return reply.status, reply.headers, reply.read()


def slow_clients(web, count: int) -> None:
    """Nobody who asks for something notices so many clients."""
    with SlowClients(web.address, large="/api/openapi.json") as slow:
        slow.half_heads(count // 2)
        slow.slow_bodies(count // 6)
        slow.slow_bodies(count // 6, path="/api/v1/bulk/")
        slow.no_readers(count // 6)
        assert all(asked(web.address, PAGE) for _ in range(20))
        # Bulks without a key have been refused.
        assert slow.connected() >= count // 2 + count // 6


def test_a_reader_does_not_notice_slow_clients(web):
    slow_clients(web, 360)


@pytest.mark.deep
def test_a_reader_does_not_notice_a_thousand_slow_clients(web):
    slow_clients(web, 1000)


def test_more_clients_than_there_is_room_for_are_taken_in_the_place_of_the_oldest(
    tmp_path,
):
    with (
        a_web_server(tmp_path, "--workers", "1", "--worker-connections", "20") as web,
        SlowClients(web.address) as slow,
    ):
        slow.half_heads(60)

        assert all(asked(web.address, PAGE) for _ in range(5))
        assert slow.connected() < 20


def test_a_process_that_is_replaced_loses_no_request(tmp_path):
    """Each process ends after 40 requests, while clients go on over one connection."""
    lost, counts = [], []

    def ask() -> None:
        asking, count = http.client.HTTPConnection(*web.address, timeout=30), 0
        with closing(asking):
            for number in range(60):
                try:
                    asking.request("POST", RUNS, body=b"{}" * (1 + number % 7))
                    reply = asking.getresponse()
                    reply.read()
                    count += reply.status == 401
                except (OSError, http.client.HTTPException) as error:
                    lost.append(repr(error))
        counts.append(count)

    few = ["--workers", "2", "--max-requests", "40", "--max-requests-jitter", "10"]
    with a_web_server(tmp_path, *few) as web:
        clients = [threading.Thread(target=ask) for _ in range(6)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()

    assert lost == []
    assert counts == [60] * 6


def test_what_is_too_large_is_refused_in_words_that_its_sender_reads(web):
    head = b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"

    for path in (RUNS, "/accounts/login/"):
        status, _, body = sent(
            web, head % (path.encode(), LARGEST + 1) + b" " * (LARGEST + 1)
        )

        assert status == 413
        assert str(LARGEST) in body.decode()


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"GET /%s HTTP/1.1\r\n\r\n" % (b"a" * 5000), 414),
        (b"GET /%s" % (b"a" * 70_000), 414),
        (b"GET / HTTP/1.1\r\n" + b"X-A: b\r\n" * 20_000, 431),
        (b"GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    ],
)
def test_what_is_no_request_is_answered_with_a_problem_document(web, head, status):
    answered, headers, body = sent(web, head)

    assert (answered, headers["Content-Type"]) == (status, "application/problem+json")
    assert json.loads(body)["status"] == status


def test_requests_that_come_in_one_piece_or_in_many_are_each_answered_once(web):
    form = (
        b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n" % RUNS.encode()
    )
    with closing(connected(web)) as client:
        client.sendall((form + b"\r\n{}") * 2)
        for byte in form + b"\r\n{":
            client.sendall(bytes([byte]))
        client.sendall(b"}" + form + b"Expect: 100-continue\r\n\r\n")
        told = b""
        while b"100 Continue\r\n\r\n" not in told:
            told += more(client)
        client.sendall(b"{}")
        client.shutdown(socket.SHUT_WR)
        told += b"".join(iter(lambda: client.recv(65536), b""))

    assert told.count(b"HTTP/1.1 401 ") == 4
    assert told.count(b"HTTP/1.1 100 ") == 1


def test_a_bulk_is_answered_while_it_is_sent(web):
    ApiKeyFactory(secret=API_SECRET)
    line = json.dumps(a_run(answer="a" * 5000)).encode() + b"\n"
    with closing(connected(web)) as client:
        client.sendall(
            b"POST /api/v1/bulk/ HTTP/1.1\r\nHost: localhost\r\n"
            + KEY
            + b"Content-Type: application/jsonl\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        told = b""
        # What comes slowly is written after a second, when the next line comes.
        client.settimeout(0.5)
        for _turn in range(100):
            client.sendall(b"%X\r\n%s\r\n" % (len(line), line))
            with suppress(TimeoutError):
                told += more(client)
            if b'"line": 1' in told:
                break
        client.settimeout(30)
        client.sendall(b"0\r\n\r\n")
        while b'"summary"' not in told:
            told += more(client)

    assert b'"status": 200, "detail": ""' in told


def post_run(web, replies: list[int], prefer: str = "") -> threading.Thread:
    """Send a run from another thread, which notes the status of the reply."""
    headers = {"Authorization": f"Bearer {API_SECRET}", "Prefer": prefer}
    headers["Content-Type"] = "application/json"

    def send() -> None:
        sender = http.client.HTTPConnection(*web.address, timeout=30)
        with closing(sender):
            sender.request("POST", RUNS, json.dumps(a_run()), headers)
            replies.append(sender.getresponse().status)

    thread = threading.Thread(target=send)
    thread.start()
    return thread


@pytest.fixture
def small_web(tmp_path):
    """A server that handles one request with a run at a time."""
    with a_web_server(tmp_path, "--workers", "1", "--threads", "4") as made:
        yield made


def test_pages_find_a_thread_while_more_runs_are_sent_than_can_be_taken(
    small_web, api_key
):
    replies: list[int] = []
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE ingest_interaction IN EXCLUSIVE MODE")
        senders = [post_run(small_web, replies) for _ in range(8)]
        pages = [asked(small_web.address, PAGE) for _ in range(10)]
        assert all(pages)
        assert replies == []
    for sender in senders:
        sender.join()

    assert replies == [202] * 8


def test_a_sender_that_waits_for_its_verdict_lets_others_send(small_web, api_key):
    waiting: list[int] = []
    replies: list[int] = []
    waiter = post_run(small_web, waiting, prefer="wait=6")
    eventually(lambda: Interaction.objects.exists())

    post_run(small_web, replies).join()

    assert (waiting, replies) == ([], [202])
    waiter.join()
