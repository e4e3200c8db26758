"""What the server makes of a hub that behaves in every way a server can."""

import asyncio
import gzip

import pytest

from tests.client.scripted_server import drips, hangs_up, replies, scripted_server
from tests.mcp_server.conftest import RUN
from verifyhub.mcp_server import hub as hub_module
from verifyhub.mcp_server.hub import Hub, HubProblem

VERDICT = {"id": "run-1", "verdict": "accept"}
ACCEPTED = {"id": "run-1", "state": "pending"}


def asked(*moods, **options):
    """Send a run to a hub of these moods; what came back, and what it was sent."""

    async def ask(url):
        hub = Hub(url, **options)
        try:
            return await hub.verify("vh_key", RUN, wait_seconds=3)
        finally:
            await hub.close()

    with scripted_server(*moods) as server:
        return asyncio.run(ask(server.url)), server.requests


def problem_of(*moods):
    with pytest.raises(HubProblem) as refused:
        asked(*moods)
    return refused.value


def test_a_run_is_sent_under_its_own_idempotency_key():
    reply, ((method, path, headers, _),) = asked(replies(200, VERDICT))

    assert (reply.status, reply.data) == (200, VERDICT)
    assert (method, path) == ("POST", "/api/v1/interactions/")
    assert headers["authorization"] == "Bearer vh_key"
    assert len(headers["idempotency-key"]) == 64
    assert headers["prefer"] == "wait=3"


def test_a_verdict_that_is_late_is_fetched():
    reply, requests = asked(replies(202, ACCEPTED), replies(200, VERDICT))

    assert reply.data == VERDICT
    assert requests[1][1] == "/api/v1/interactions/run-1/verdict/"


def test_the_host_may_be_another_than_the_address():
    _, requests = asked(replies(200, VERDICT), host="hub.example")

    assert requests[0][2]["host"] == "hub.example"


def test_a_limit_says_when_to_come_again():
    body = {"detail": "Too many requests.", "errors": []}

    problem = problem_of(replies(429, body, Retry_After="7"))

    assert problem.status == 429
    assert str(problem) == "Too many requests. Try again after 7 s."


@pytest.mark.parametrize(
    ("mood", "says"),
    [
        (replies(502, b"<html>"), "is not a JSON document"),
        (replies(200, b"\xff"), "is not a JSON document"),
        (replies(500, {"detail": 7}), "refused the request"),
        (replies(404, []), "refused the request"),
        (replies(302, {}, Location="http://127.0.0.1:1/"), "refused the request"),
        (hangs_up, "cannot be reached"),
    ],
)
def test_a_reply_without_sense_is_said_in_words(mood, says):
    assert says in str(problem_of(mood))


def test_a_drip_and_a_bomb_end(monkeypatch):
    monkeypatch.setattr(hub_module, "GRACE_SECONDS", -2.5)
    assert "cannot be reached" in str(problem_of(drips))

    monkeypatch.setattr(hub_module, "GRACE_SECONDS", 30.0)
    monkeypatch.setattr(hub_module, "MAX_REPLY_BYTES", 10_000)
    bomb = gzip.compress(b" " * 1_000_000)
    assert "too large" in str(problem_of(replies(200, bomb, Content_Encoding="gzip")))


@pytest.mark.parametrize(
    "url", ["hub", "ftp://hub", "http://", "http://hub/?a=b", "http://me@hub"]
)
def test_an_address_that_is_none_is_refused(url):
    with pytest.raises(ValueError, match="must be an address"):
        Hub(url)
