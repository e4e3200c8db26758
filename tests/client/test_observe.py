"""Answers sent in the background: the agent goes on, and nothing is lost unsaid."""

import json
import os
import warnings

import pytest

from tests.client.conftest import HONEST, LISTING, TASK
from tests.client.scripted_server import hangs_up, replies, scripted_server
from tests.client.secrets import planted
from tests.conftest import API_SECRET
from verifyhub.embedded import LocalHub
from verifyhub.ingest.models import Bulk, Interaction
from verifyhub.verification.models import Verification
from verifyhub_client import Background, VerifyHub

QUICK = {
    "flush_seconds": 0.01,
    "first_pause_seconds": 0.01,
    "longest_pause_seconds": 0.05,
}
SOON = Background(**QUICK)
STORED = replies(202, {"id": "x", "state": "pending", "links": {"self": "/x/"}})
NOWHERE = "http://127.0.0.1:9"


def bulk(*statuses: int, status: int = 200, first: int = 1):
    """The reply to a bulk: one line for each answer, and a summary."""
    lines = [
        {"line": first + place, "status": one, "errors": [{"field": "task"}]}
        for place, one in enumerate(statuses)
    ]
    summary = {"status": status, "detail": "", "retry_after": None}
    parts = [*lines, {"summary": summary}]
    return replies(207, b"".join(json.dumps(part).encode() + b"\n" for part in parts))


def watching(url: str, background: Background = SOON, **options) -> VerifyHub:
    return VerifyHub(url, API_SECRET, background=background, **options)


def sent(server) -> list[list[str]]:
    """The ids of the answers in each request a scripted server got."""
    return [
        [json.loads(line)["id"] for line in body.splitlines()]
        for _, _, _, body in server.requests
    ]


def test_answers_reach_the_server_and_are_verified(server):
    with watching(server, Background(flush_seconds=60)) as hub:
        ids = [
            hub.observe(TASK, HONEST, tool_calls=[LISTING], session="shop")
            for _ in range(3)
        ]
        assert hub.flush(10)

    stored = Interaction.objects.filter(client_id__in=ids)
    assert [(one.task, one.answer) for one in stored] == [(TASK, HONEST)] * 3
    assert Verification.objects.filter(interaction__in=stored).count() == 3
    bulk = Bulk.objects.get()
    assert (bulk.line, bulk.created_count, bulk.state) == (3, 3, Bulk.State.FINISHED)
    assert (hub.stats.observed, hub.stats.sent, hub.stats.dropped) == (3, 3, 0)
    assert hub.stats.last_sent_at is not None


def test_several_answers_go_as_one_bulk_and_each_gets_its_result():
    with (
        scripted_server(bulk(201, 422, 201), bulk(201, 200, first=4)) as server,
        watching(server.url, Background(flush_seconds=60, batch_answers=3)) as hub,
    ):
        for name in "abcde":
            hub.observe(TASK, HONEST, id=name)
        assert hub.flush(10)

    assert sent(server) == [["a", "b", "c"], ["d", "e"]]
    assert [path.partition("?")[0] for _, path, _, _ in server.requests] == [
        "/api/v1/bulk/",
        "/api/v1/bulk/",
    ]
    assert "from_line=4" in server.requests[1][1]
    assert (hub.stats.sent, hub.stats.refused) == (4, 1)
    assert hub.stats.last_error == "422: refused (task)"


@pytest.mark.parametrize("status", [400, 404, 405])
def test_a_server_without_bulks_gets_each_by_itself(status):
    with (
        scripted_server(replies(status, {}), STORED) as server,
        watching(server.url, Background(flush_seconds=60)) as hub,
    ):
        hub.observe(TASK, HONEST, id="a")
        hub.observe(TASK, HONEST, id="b")
        assert hub.flush(10)

    assert sent(server) == [["a", "b"], ["a"], ["b"]]
    assert hub.stats.sent == 2


def test_what_a_bulk_had_no_room_for_is_sent_again():
    with (
        scripted_server(bulk(201, status=429), STORED) as server,
        watching(server.url, Background(**{**QUICK, "flush_seconds": 60})) as hub,
    ):
        hub.observe(TASK, HONEST, id="a")
        hub.observe(TASK, HONEST, id="b")
        assert hub.flush(10)

    assert sent(server) == [["a", "b"], ["b"]]
    assert (hub.stats.sent, hub.stats.retries) == (2, 1)


@pytest.mark.parametrize(
    "mood",
    [
        replies(503, {}),
        replies(429, {}),
        hangs_up,
        # A page of somebody in between is no word of VerifyHub's.
        replies(200, b"<html>"),
        replies(401, {}),
    ],
)
def test_what_a_server_does_not_take_now_is_sent_again(mood):
    with scripted_server(mood, mood, STORED) as server, watching(server.url) as hub:
        hub.observe(TASK, HONEST, id="a")
        assert hub.flush(10)

    assert sent(server) == [["a"], ["a"], ["a"]]
    keys = {headers["idempotency-key"] for _, _, headers, _ in server.requests}
    assert len(keys) == 1
    assert (hub.stats.sent, hub.stats.retries) == (1, 2)


def test_what_a_server_refuses_holds_up_nothing():
    refused = replies(400, {"detail": "No.", "errors": []})
    with scripted_server(refused, STORED) as server, watching(server.url) as hub:
        hub.observe(TASK, HONEST, id="a")
        assert hub.flush(10)
        hub.observe(TASK, HONEST, id="b")
        assert hub.flush(10)

    assert (hub.stats.refused, hub.stats.sent) == (1, 1)
    assert hub.stats.last_error == "400: No."


@pytest.mark.parametrize("asked", ["3600", "Fri, 31 Dec 2100 23:59:59 GMT"])
def test_a_server_is_left_alone_as_long_as_it_asks(asked):
    patient = Background(**{**QUICK, "longest_pause_seconds": 7200}, exit_seconds=0.1)
    with scripted_server(replies(429, {}, Retry_After=asked)) as server:
        hub = watching(server.url, patient)
        hub.observe(TASK, HONEST)
        assert not hub.flush(1)
        hub.observe(TASK, HONEST)
        hub.close()

    assert len(server.requests) == 1
    assert (hub.stats.dropped, hub.stats.waiting) == (2, 0)


def test_a_server_that_comes_back_gets_what_was_observed_meanwhile():
    with scripted_server(STORED) as server:
        url = server.url
    hub = watching(url)
    hub.observe(TASK, HONEST, id="a")
    assert not hub.flush(0.1)
    port = int(url.rpartition(":")[2])

    with scripted_server(STORED, port=port) as server:
        assert hub.flush(10)
    hub.close()

    assert sent(server) == [["a"]]


@pytest.mark.parametrize(("drop", "kept"), [("oldest", "cd"), ("newest", "ab")])
def test_memory_is_bounded_and_what_it_does_not_hold_is_counted(drop, kept):
    full = Background(flush_seconds=60, max_answers=2, drop=drop)
    with scripted_server(STORED, STORED) as server, watching(server.url, full) as hub:
        for name in "abcd":
            hub.observe(TASK, HONEST, id=name)
        assert hub.stats.waiting == 2
        hub.flush(10)

    assert sent(server)[0] == list(kept)
    assert (hub.stats.observed, hub.stats.dropped) == (4, 2)


def test_memory_is_bounded_in_bytes_too():
    small = Background(flush_seconds=60, max_bytes=2000, exit_seconds=0)
    hub = watching(NOWHERE, small)

    hub.observe(TASK, "x" * 3000)
    hub.observe(TASK, "y" * 1000)
    hub.observe(TASK, "z" * 1000)

    assert (hub.stats.dropped, hub.stats.waiting) == (2, 1)
    hub.close()


@pytest.mark.parametrize(
    "calls", [[{"output": float("nan")}], [{"output": object()}], ["no mapping"]]
)
def test_what_is_no_answer_is_counted_and_raises_only_if_asked_to(calls):
    hub = watching(NOWHERE)

    hub.observe(TASK, HONEST, tool_calls=calls)

    assert (hub.stats.observed, hub.stats.dropped) == (1, 1)
    with pytest.raises((ValueError, TypeError)):
        watching(NOWHERE, raise_errors=True).observe(TASK, HONEST, tool_calls=["x"])


def test_after_the_end_nothing_is_taken():
    with scripted_server(STORED) as server:
        hub = watching(server.url)
        hub.close()
        hub.observe(TASK, HONEST)

    assert (hub.stats.dropped, server.requests) == (1, [])


def test_a_hub_in_the_process_has_nobody_to_send_to():
    with pytest.raises(TypeError, match="use check"):
        LocalHub().observe(TASK, HONEST)


def test_a_forked_child_sends_its_own_answers_and_not_its_parents():
    with scripted_server(STORED) as server:
        hub = watching(server.url, Background(flush_seconds=60))
        hub.observe(TASK, HONEST, id="parent")
        with warnings.catch_warnings():
            # Newer Pythons warn of forks beside threads: that is what this is about.
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            try:
                hub.observe(TASK, HONEST, id="child")
                good = hub.flush(10) and hub.stats.observed == hub.stats.sent == 1
            finally:
                os._exit(0 if good else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert sent(server) == [["child"]]
        assert hub.flush(10)

    assert sent(server) == [["child"], ["parent"]]
    hub.close()


def test_secrets_are_masked_before_anything_is_sent_or_kept_on_disk(tmp_path):
    text, secret = planted()["environment"]
    call = {"tool": "read", "input": {"path": "env"}, "output": f"{text}\n"}
    folder = Background(**QUICK, folder=tmp_path)
    with scripted_server(STORED) as server:
        with watching(server.url, folder, mask=True) as hub:
            hub.observe(TASK, f"It is {secret}.", tool_calls=[call], session=secret)
            assert hub.flush(5)
        (*_, body) = server.requests[-1]

    run = json.loads(body)
    mask = run["answer"].removeprefix("It is ").removesuffix(".")
    assert run["tool_calls"][0]["output"] == f"export DB_PASSWORD={mask}\n"
    assert run["tool_calls"][0]["tool"] == "read"
    # Names stay: nothing could be found by them otherwise.
    assert run["session"] == secret
