"""A verdict that lacks a model's opinion is read again, for as long as one likes."""

import pytest

from tests.client.conftest import HONEST, LISTING, TASK, says
from tests.client.scripted_server import replies, scripted_server
from tests.conftest import API_SECRET
from verifyhub.embedded import LocalHub, Patience, RunOutcome, VerifyHub

WHOLE = dict(LocalHub().check(TASK, HONEST, tool_calls=[LISTING]).raw)
SOON = {**WHOLE["decision"], "retry_after_seconds": 0.01, "reason": "awaiting_verifier"}
OPEN = {**WHOLE, "verdict": "uncertain", "decision": SOON}


def run(server, **patience):
    agent, _ = says(HONEST)
    with VerifyHub(server.url, API_SECRET, patience=Patience(**patience)) as hub:
        return hub.run_until_accepted(agent, TASK, context_budget=0)


def test_the_run_ends_with_the_verdict_that_the_opinion_amended():
    moods = replies(200, OPEN), replies(200, OPEN), replies(200, WHOLE)
    with scripted_server(*moods) as server:
        result = run(server, opinion_seconds=60)

    assert result.outcome is RunOutcome.ACCEPTED
    assert [method for method, *_ in server.requests] == ["POST", "GET", "GET"]
    assert server.requests[2][1].endswith(".1/verdict/")


def test_nobody_waits_who_does_not_ask_for_it():
    with scripted_server(replies(200, OPEN), replies(200, WHOLE)) as server:
        result = run(server)

    assert result.outcome is RunOutcome.UNCERTAIN
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "later", [replies(200, OPEN), replies(500, {}), replies(409, {})]
)
def test_the_verdict_without_it_stands_when_patience_ends(later):
    with scripted_server(replies(200, OPEN), later) as server:
        result = run(server, opinion_seconds=0.2, tries=1)

    assert (result.outcome, result.reason) == (
        RunOutcome.UNCERTAIN,
        "awaiting_verifier",
    )
    assert len(server.requests) > 1
