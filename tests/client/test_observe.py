"""Answers sent in the background: the agent goes on, and nothing is lost unsaid."""

import json

import pytest

from tests.client.conftest import HONEST, LISTING, TASK
from tests.client.scripted_server import hangs_up, replies, scripted_server
from tests.conftest import API_SECRET
from verifyhub.ingest.models import Interaction
from verifyhub.verification.models import Verification
from verifyhub_client import Background, VerifyHub

SOON = Background(
    flush_seconds=0.01, first_pause_seconds=0.01, longest_pause_seconds=0.05
)
STORED = replies(202, {"id": "x", "state": "pending", "links": {"self": "/x/"}})


def watching(url: str, background: Background = SOON) -> VerifyHub:
    return VerifyHub(url, API_SECRET, background=background)


def sent(server) -> list[str]:
    """The ids of the answers a scripted server was sent, in their order."""
    return [json.loads(body)["id"] for _, _, _, body in server.requests]


def test_an_answer_reaches_the_server_and_is_verified(server):
    with watching(server) as hub:
        own_id = hub.observe(TASK, HONEST, tool_calls=[LISTING], session="shop")
        assert hub.flush(10)

    stored = Interaction.objects.get(client_id=own_id)
    assert (stored.task, stored.answer) == (TASK, HONEST)
    assert Verification.objects.filter(interaction=stored).exists()
    assert (hub.stats.observed, hub.stats.sent, hub.stats.dropped) == (1, 1, 0)


@pytest.mark.parametrize("mood", [replies(503, {}), replies(429, {}), hangs_up])
def test_what_a_server_cannot_take_now_is_sent_again(mood):
    with scripted_server(mood, mood, STORED) as server, watching(server.url) as hub:
        hub.observe(TASK, HONEST, id="a")
        hub.observe(TASK, HONEST, id="b")
        assert hub.flush(10)

    assert sent(server) == ["a", "a", "a", "b"]
    assert (hub.stats.sent, hub.stats.retries) == (2, 2)


def test_what_a_server_refuses_holds_up_nothing():
    refused = replies(400, {"detail": "No.", "errors": []})
    with scripted_server(refused, STORED) as server, watching(server.url) as hub:
        hub.observe(TASK, HONEST, id="a")
        hub.observe(TASK, HONEST, id="b")
        assert hub.flush(10)

    assert (hub.stats.refused, hub.stats.sent) == (1, 1)
    assert "400" in hub.stats.last_error
