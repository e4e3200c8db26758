"""Live readers see events as they happen, go on where they broke off, and are few."""

import json

import pytest

from verifyhub.accounts.models import ApiKey
from verifyhub.events import streams
from verifyhub.events.catalogue import EventType
from verifyhub.events.services import publish
from verifyhub.events.streams import EventStream, Places, places, shutdown

URL = "/api/v1/events/stream/"


@pytest.fixture(autouse=True)
def quickly(monkeypatch):
    monkeypatch.setattr(streams, "POLL_SECONDS", 0.0)


@pytest.fixture
def until_quiet(monkeypatch):
    """Let streams end by the server's stopping, after so many looks."""

    def after(looks):
        left = iter(range(looks))
        monkeypatch.setattr(shutdown, "_is_stopping", lambda: next(left, None) is None)

    return after


def frames(reply):
    text = b"".join(reply).decode()
    return [one for one in text.split("\n\n") if one]


def told(reply):
    return [
        json.loads(line.removeprefix("data: "))["data"]["n"]
        for one in frames(reply)
        for line in one.split("\n")
        if line.startswith("data: ")
    ]


def test_it_goes_on_after_the_last_event_that_was_seen(api, tell, until_quiet):
    first, second, third = (tell(n=number) for number in range(3))
    until_quiet(3)

    reply = api.get(URL, headers={"last-event-id": str(first.position)})

    assert reply.headers["Content-Type"] == "text/event-stream"
    retry, one, other = frames(reply)
    assert retry == "retry: 2000"
    assert one.split("\n")[:2] == [
        f"id: {second.position}",
        "event: verification.failed",
    ]
    assert f"id: {third.position}" in other


def test_without_a_beginning_it_begins_now(api, tell, until_quiet):
    tell(n=1)
    until_quiet(2)

    assert told(api.get(URL)) == []


def test_only_the_types_that_were_asked_for(api, tell, until_quiet):
    tell(n=1)
    until_quiet(2)

    query = {"after": "0", "type": "verification:complete"}
    assert told(api.get(URL, query)) == []
    until_quiet(2)
    assert told(api.get(URL, {"after": "0", "type": "verification.failed"})) == [1]


def test_what_happens_meanwhile_is_seen(api_key, tell, until_quiet):
    until_quiet(3)
    stream = iter(EventStream(api_key, 0, []))
    assert next(stream).startswith(b"retry")
    tell(n=5)

    assert b'"n":5' in next(stream)
    assert list(stream) == []


def test_another_projects_events_are_not_seen(api, outsider, until_quiet, settle):
    theirs = outsider.memberships.get().project
    publish(
        project=theirs, type=EventType.VERIFICATION_FAILED, data={"n": 1}, subject={}
    )
    settle()
    until_quiet(2)

    assert told(api.get(URL, {"after": "0"})) == []


def test_silence_is_broken_by_a_comment(api, monkeypatch, until_quiet):
    monkeypatch.setattr(streams, "HEARTBEAT_SECONDS", 0.0)
    until_quiet(2)

    assert ": still here" in frames(api.get(URL))


def test_a_revoked_key_reads_no_further(api, api_key, tell):
    reply = api.get(URL, {"after": "0"})
    ApiKey.objects.filter(pk=api_key.pk).delete()
    tell(n=1)

    assert told(reply) == []


def test_the_projects_places_are_few_and_given_back(api, settings, until_quiet):
    settings.MAX_EVENT_STREAMS_OF_PROJECT = 1
    until_quiet(1)
    held = api.get(URL)
    refused = api.get(URL)
    assert places.in_use == 1
    frames(held)
    again = api.get(URL)
    frames(again)

    assert refused.status_code == 429
    assert refused.headers["Retry-After"] == "5"
    assert again.status_code == 200
    assert places.in_use == 0


def test_the_servers_places_are_few(api, settings):
    settings.MAX_EVENT_STREAMS = 0

    assert api.get(URL).status_code == 503


def test_a_reader_that_breaks_off_leaves_its_place(api_key, until_quiet, monkeypatch):
    fresh = Places()
    monkeypatch.setattr(streams, "places", fresh)
    stream = EventStream(api_key, 0, [])
    running = iter(stream)
    next(running)
    running.close()
    stream.close()

    assert fresh.in_use == 0


@pytest.mark.parametrize(
    ("headers", "query"),
    [({"last-event-id": "x"}, {}), ({}, {"after": "-1"}), ({}, {"type": "nothing"})],
)
def test_what_cannot_be_used_is_refused(api, headers, query):
    assert api.get(URL, query, headers=headers).status_code == 400


def test_a_key_that_may_only_send_reads_nothing(api, api_key):
    api_key.scopes = ["ingest"]
    api_key.save()

    assert api.get(URL).status_code == 403
