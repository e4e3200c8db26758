"""A server that is away, overloaded or talks nonsense: never an acceptance."""

import asyncio
import logging

import pytest

from tests.client.conftest import HONEST, IMPATIENT, LISTING, TASK, says
from tests.client.scripted_server import drips, hangs_up, replies, scripted_server
from tests.conftest import API_SECRET
from verifyhub.embedded import (
    AsyncVerifyHub,
    HubRefusedError,
    HubUnavailableError,
    LocalHub,
    Patience,
    RunOutcome,
    VerdictPendingError,
    VerificationFailedError,
    VerifyHub,
)
from verifyhub_client.errors import ConnectionBrokenError
from verifyhub_client.steps import Request
from verifyhub_client.transport import AsyncHttpSender, HttpSender

VERDICT = dict(LocalHub().check(TASK, HONEST, tool_calls=[LISTING]).raw)
UUID = "4b3c2f00-0000-4000-8000-000000000000"
ACCEPTED = {
    "id": "x",
    "state": "pending",
    "links": {"self": f"http://elsewhere/api/v1/interactions/{UUID}/"},
}
NOWHERE = "http://127.0.0.1:9"


def check(url: str, patience: Patience = IMPATIENT):
    with VerifyHub(url, API_SECRET, patience=patience) as hub:
        return hub.check(TASK, HONEST, tool_calls=[LISTING], id="x")


@pytest.mark.parametrize(
    "mood",
    [
        replies(500, {}),
        replies(502, b"<html>"),
        replies(503, {}, Retry_After="0"),
        replies(429, {}, Retry_After="3600"),
        replies(429, {}),
        hangs_up,
    ],
)
def test_what_is_temporary_is_tried_so_often_and_no_more(mood):
    with scripted_server(mood) as server, pytest.raises(HubUnavailableError):
        check(server.url)

    assert len(server.requests) == 3


@pytest.mark.parametrize("mood", [replies(503, {}), replies(429, {}), hangs_up])
def test_a_second_try_that_works_gives_the_verdict_under_the_same_key(mood):
    with scripted_server(mood, replies(200, VERDICT)) as server:
        assert check(server.url).raw == VERDICT

    first, second = server.requests
    assert first[2]["idempotency-key"] == second[2]["idempotency-key"]
    assert first[3] == second[3]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"OK",
        b"[]",
        b"null",
        {},
        {**VERDICT, "schema": 2},
        {**VERDICT, "verdict": "fine"},
        {**VERDICT, "confidence": 7},
        {**VERDICT, "confidence": True},
        {**VERDICT, "decision": "accept"},
        {**VERDICT, "mentions": None},
        b'{"verdict": "accept", "verdict": "accept"}',
    ],
)
def test_nonsense_is_no_verdict(body):
    with (
        scripted_server(replies(200, body)) as server,
        pytest.raises(HubUnavailableError),
    ):
        check(server.url)


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 409, 413, 422])
def test_a_refusal_is_not_repeated(status):
    problem = {"detail": "No.", "errors": [{"field": "task", "message": "is long"}]}
    with (
        scripted_server(replies(status, problem, Location="/x")) as server,
        pytest.raises(HubRefusedError, match="is long") as refused,
    ):
        check(server.url)

    assert (len(server.requests), refused.value.status) == (1, status)


def test_a_refusal_raises_even_if_outages_do_not():
    agent, asked = says(HONEST)
    with scripted_server(replies(401, {})) as server:
        hub = VerifyHub(server.url, API_SECRET, patience=IMPATIENT)
        with pytest.raises(HubRefusedError):
            hub.run_until_accepted(agent, TASK, on_outage="unverified")

    assert asked == []


def test_a_verdict_that_is_not_there_yet_is_polled_for_by_the_servers_id():
    with scripted_server(
        replies(202, ACCEPTED, Retry_After="0"),
        replies(202, ACCEPTED, Retry_After="0"),
        replies(200, VERDICT),
    ) as server:
        patience = Patience(tries=1, verdict_seconds=30)
        assert check(server.url, patience).raw == VERDICT

    paths = [path for _, path, _, _ in server.requests]
    assert paths[1:] == [f"/api/v1/interactions/{UUID}/verdict/"] * 2


def test_a_verdict_that_never_comes_is_pending():
    with (
        scripted_server(replies(202, ACCEPTED)) as server,
        pytest.raises(VerdictPendingError, match="x"),
    ):
        check(server.url, Patience(verdict_seconds=0.3))


def test_a_failed_verification_is_an_error_of_its_own():
    with (
        scripted_server(replies(202, ACCEPTED), replies(409, {})) as server,
        pytest.raises(VerificationFailedError),
    ):
        check(server.url)


def test_an_agent_is_not_run_while_the_server_is_away():
    agent, asked = says(HONEST)

    with pytest.raises(HubUnavailableError):
        VerifyHub(NOWHERE, API_SECRET, patience=IMPATIENT).run_until_accepted(
            agent, TASK
        )

    assert asked == []


def test_on_request_the_answer_comes_back_marked_as_unverified():
    agent, asked = says(HONEST)
    hub = VerifyHub(NOWHERE, API_SECRET, patience=IMPATIENT)

    result = hub.run_until_accepted(agent, TASK, on_outage="unverified")

    assert (result.outcome, result.accepted) == (RunOutcome.UNVERIFIED, False)
    assert (result.answer, result.verdict, len(asked)) == (HONEST, None, 1)


def test_a_drip_ends_at_the_total_time():
    request = Request(method="GET", path="/", timeout_seconds=0.3)
    with scripted_server(drips) as server, pytest.raises(ConnectionBrokenError):
        HttpSender(server.url, API_SECRET)(request)


def test_a_drip_ends_at_the_total_time_for_asyncio_too():
    async def send():
        sender = AsyncHttpSender(server.url, API_SECRET)
        request = Request(method="GET", path="/", timeout_seconds=0.3)
        with pytest.raises(ConnectionBrokenError):
            await sender(request)
        await sender.close()

    with scripted_server(drips) as server:
        asyncio.run(send())


def test_async_follows_the_same_rules():
    async def run():
        async with AsyncVerifyHub(server.url, API_SECRET, patience=IMPATIENT) as hub:
            return await hub.check(TASK, HONEST, tool_calls=[LISTING], id="x")

    with scripted_server(replies(503, {}), replies(200, VERDICT)) as server:
        assert asyncio.run(run()).raw == VERDICT
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("ftp://hub.example", "k"),
        ("hub.example", "k"),
        ("https://u:p@hub.example", "k"),
        ("https://hub.example?x=1", "k"),
        ("https://hub.example", ""),
        ("https://hub.example", "a b"),
        ("https://hub.example", "k\r\nX: y"),
    ],
)
def test_an_address_or_key_that_cannot_be_used_is_refused(url, key):
    with pytest.raises(ValueError, match="must be"):
        VerifyHub(url, key)


def test_the_key_is_in_no_log_and_no_error(caplog):
    caplog.set_level(logging.DEBUG)
    with (
        scripted_server(replies(500, {})) as server,
        pytest.raises(HubUnavailableError) as error,
    ):
        check(server.url)

    assert server.requests[0][2]["authorization"] == f"Bearer {API_SECRET}"
    assert API_SECRET not in caplog.text + repr(error.value) + str(error.value)
    assert TASK not in caplog.text
