"""Transcripts over the REST interface: every turn once, whatever is sent again."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import ApiKeyFactory
from tests.ingest.transcripts import (
    ANSWERED,
    WRITTEN,
    as_document,
    as_lines,
    claude_code_lines,
    openai_messages,
)
from verifyhub.accounts.models import Scope
from verifyhub.engine.types import Agent
from verifyhub.ingest.formats.transcripts import format_names, read_transcript
from verifyhub.ingest.models import IdempotentReply, Interaction
from verifyhub.verification.models import Verification
from verifyhub.verification.services import transcripts

pytestmark = pytest.mark.django_db
URL = "/api/v1/transcripts/"
JSON, LINES = "application/json", "application/x-ndjson"
RAW = Path(__file__).parents[3] / "shared/data/raw_dev"
FILES = sorted(RAW.glob("*.json*"))


def post(api, data, query="", kind=JSON, **headers):
    return api.post(f"{URL}{query}", data, content_type=kind, headers=headers)


def statuses(reply):
    return [result["status"] for result in reply.json()["results"]]


def test_every_turn_becomes_an_interaction_that_waits_for_its_verdict(api, project):
    reply = post(api, as_document(openai_messages()))

    body = reply.json()
    rows = list(Interaction.objects.order_by("created_at"))
    assert reply.status_code == 207
    assert body["format"] == "openai_chat"
    assert body["understood"] == {"turns": 2, "answers": 2, "calls": 2, "outputs": 2}
    assert [row.answer for row in rows] == list(ANSWERED)
    assert {row.project for row in rows} == {project}
    assert [one["uuid"] for one in body["results"]] == [str(row.id) for row in rows]
    assert [one["id"] for one in body["results"]] == [row.client_id for row in rows]
    assert Verification.objects.filter(state="pending").count() == 2
    first = body["results"][0]
    assert api.get(first["links"]["self"]).json()["answer"] == ANSWERED[0]


@pytest.mark.parametrize("way", WRITTEN)
def test_every_format_is_taken(api, way):
    name, write = WRITTEN[way]

    reply = post(api, write(), "?final=true", LINES)

    assert (reply.json()["format"], statuses(reply)) == (name, [201, 201])


def test_sent_twice_it_changes_nothing(api):
    first = post(api, as_document(openai_messages()))

    again = post(api, as_document(openai_messages()))

    assert statuses(again) == [200, 200]
    assert [one["uuid"] for one in again.json()["results"]] == [
        one["uuid"] for one in first.json()["results"]
    ]
    assert (Interaction.objects.count(), Verification.objects.count()) == (2, 2)


def test_while_a_file_of_lines_may_grow_its_last_turn_is_left_out(api):
    lines = claude_code_lines()
    half = lines[:-1]

    early = post(api, as_lines(half), kind=LINES).json()
    grown = post(api, as_lines(lines), kind=LINES)
    final = post(api, as_lines(lines), "?final=true", LINES)

    # The second turn had no answer yet, then one that more may follow.
    assert (len(early["results"]), early["unfinished"]) == (1, None)
    assert statuses(grown) == [200]
    assert grown.json()["unfinished"] == final.json()["results"][1]["id"]
    assert statuses(final) == [200, 201]
    assert final.json()["unfinished"] is None


def test_a_turn_that_a_request_follows_is_over(api):
    asks = {**claude_code_lines()[1], "uuid": "u-next"}
    asks["message"] = {"role": "user", "content": "And then?"}

    reply = post(api, as_lines([*claude_code_lines(), asks]), kind=LINES)

    assert (statuses(reply), reply.json()["unfinished"]) == ([201, 201], None)


def test_a_session_of_the_sender_takes_the_place_of_its_own(api):
    post(api, as_document(openai_messages()), "?session=deploy")

    assert {row.session.key for row in Interaction.objects.all()} == {"deploy"}


def test_a_dry_run_says_the_same_and_stores_nothing(api):
    data = as_document(openai_messages())

    tried = post(api, data, "?dry_run=true")

    assert (tried.status_code, statuses(tried)) == (200, [201, 201])
    assert tried.json()["results"][0]["links"] is None
    assert not Interaction.objects.exists()
    real = post(api, data)
    assert real.json()["understood"] == tried.json()["understood"]
    assert statuses(post(api, data, "?dry_run=true")) == [200, 200]


def test_what_is_wrong_with_one_turn_loses_no_other(api):
    messages = openai_messages()
    post(api, as_document(messages))
    Interaction.objects.filter(answer_text=ANSWERED[0]).update(content_sha256="0" * 64)

    reply = post(api, as_document(messages))

    assert statuses(reply) == [409, 200]
    assert reply.json()["results"][0]["error"]["field"] == "id"


def test_a_turn_past_the_limits_is_refused_by_itself(project, api_key):
    whole = read_transcript(as_document(openai_messages()))
    first, second = whole.interactions
    odd = replace(first, agent=Agent(name="n" * 300))

    recorded = transcripts.record_transcript(
        project=project,
        api_key=api_key,
        transcript=replace(whole, interactions=(odd, second)),
    )

    assert [one.status for one in recorded.results] == [422, 201]
    assert recorded.results[0].field == "agent.name"
    assert Interaction.objects.get().answer == ANSWERED[1]


def test_a_broken_line_is_told_and_the_others_are_read(api):
    lines = as_lines(claude_code_lines()).split(b"\n")
    lines.insert(4, b'{"type": "assist')

    reply = post(api, b"\n".join(lines), "?final=true", LINES)

    assert statuses(reply) == [201, 201]
    assert reply.json()["not_mapped"][0]["first"].startswith("line 5")


@pytest.mark.parametrize(
    ("query", "data", "field"),
    [
        ("?format=klingon", b"{}", "format"),
        ("?dry_run=maybe", b"{}", "dry_run"),
        ("?session=a%0Ab", b"{}", "session"),
        ("?formt=auto", b"{}", "formt"),
        ("", b'{"half": ', "line 1, column 10"),
        ("", b" ", ""),
        ("", b'{"a": 1}', ""),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(api, query, data, field):
    reply = post(api, data, query)

    assert (reply.status_code, reply["Content-Type"]) == (
        400,
        "application/problem+json",
    )
    assert reply.json()["errors"][0]["field"] == field


def test_a_wrong_format_is_answered_with_the_names_of_all(api):
    reply = post(api, b"{}", "?format=klingon")

    assert all(name in reply.json()["detail"] for name in format_names())


@pytest.mark.parametrize("kind", ["application/xml", "multipart/form-data", ""])
def test_another_type_of_body_is_refused(api, kind):
    reply = api.generic("POST", URL, b"{}", content_type=kind)

    assert reply.status_code == 415


def test_a_packed_transcript_is_unpacked(api):
    data = gzip.compress(as_document(openai_messages()))

    reply = post(api, data, **{"Content-Encoding": "gzip"})

    assert statuses(reply) == [201, 201]


def test_a_bomb_is_refused_at_the_limit(api, settings):
    settings.MAX_BODY_BYTES = 100_000
    bomb = gzip.compress(b"[" + b" " * 50_000_000 + b"]")
    assert len(bomb) < 100_000

    assert post(api, bomb, **{"Content-Encoding": "gzip"}).status_code == 413


@pytest.mark.parametrize(
    ("data", "encoding", "status"),
    [
        (b"not packed", "gzip", 400),
        (gzip.compress(b"{}", mtime=0)[:-3], "gzip", 400),
        (b"{}", "br", 415),
    ],
)
def test_what_is_packed_wrongly_is_refused(api, data, encoding, status):
    reply = post(api, data, **{"Content-Encoding": encoding})

    assert reply.status_code == status


def test_other_addresses_take_no_packed_bodies(api):
    reply = api.post(
        "/api/v1/interactions/",
        gzip.compress(b"{}", mtime=0),
        content_type=JSON,
        headers={"Content-Encoding": "gzip"},
    )

    assert reply.status_code == 415


def test_a_long_transcript_goes_on_where_the_last_request_ended(api):
    data = as_document(openai_messages() * 60)

    replies = [post(api, data) for _ in range(2)]

    assert [reply.json()["remaining"] for reply in replies] == [20, 0]
    assert statuses(replies[0]) == [201] * transcripts.MOST_WRITTEN
    assert statuses(replies[1]) == [200] * 100 + [201] * 20
    assert Interaction.objects.count() == 120


def test_an_idempotency_key_gives_the_first_reply_again(api):
    data = as_document(openai_messages())

    first = post(api, data, **{"Idempotency-Key": "k"})
    again = post(api, data, **{"Idempotency-Key": "k"})
    other = post(api, data, "?session=x", **{"Idempotency-Key": "k"})

    assert again.json() == first.json()
    assert again["Idempotent-Replayed"] == "true"
    assert other.status_code == 422
    assert IdempotentReply.objects.count() == 1


def test_projects_do_not_see_each_other(api, project):
    data = as_document(openai_messages())
    other = ApiKeyFactory(secret="vh_other_0123456789abcdef0123456789abcdef")
    headers = {"authorization": "Bearer vh_other_0123456789abcdef0123456789abcdef"}
    post(api, data)

    reply = api.post(URL, data, content_type=JSON, headers=headers)

    assert statuses(reply) == [201, 201]
    assert Interaction.objects.filter(project=other.project).count() == 2
    assert Interaction.objects.filter(project=project).count() == 2


def test_a_key_that_may_only_read_is_refused(client, project):
    ApiKeyFactory(project=project, scopes=[Scope.READ], secret="vh_reads_0123456789")
    headers = {"authorization": "Bearer vh_reads_0123456789"}

    reply = client.post(URL, b"{}", content_type=JSON, headers=headers)

    assert reply.status_code == 403


def test_known_turns_cost_one_query_together(api, waiting_counted_once):
    few = as_document(openai_messages())
    many = as_document(openai_messages() * 8)
    counts = []
    for data in (few, many):
        post(api, data)
        with CaptureQueriesContext(connection) as asked:
            post(api, data)
        counts.append(len(asked))

    assert counts[0] == counts[1]


@pytest.mark.skipif(not FILES, reason="the real runs are not here")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_real_transcripts_are_taken_and_change_nothing_when_sent_again(api, file):
    data = file.read_bytes()

    first = post(api, data, "?final=true", "text/plain")
    again = post(api, data, "?final=true", "text/plain")

    answers = first.json()["understood"]["answers"]
    assert answers > 0
    assert statuses(first) == [201] * answers
    assert statuses(again) == [200] * answers
    assert Interaction.objects.count() == answers
    assert json.dumps(first.json()["not_mapped"])
