"""Many answers as one stream: committed in batches, answered line by line."""

import gzip
import io
import json
import socket
import threading
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.factories import ApiKeyFactory, ProjectFactory
from tests.ingest.runs import a_call, a_run
from verifyhub.ingest import bulk_services
from verifyhub.ingest.models import Bulk, BulkRefusal, Interaction
from verifyhub.ingest.tasks import reconcile_bulks
from verifyhub.verification.api import bulk_stream
from verifyhub.verification.models import Verification
from verifyhub.verification.services import backlog

URL = "/api/v1/bulk/"
JSONL = "application/jsonl"


def lines(*runs) -> bytes:
    return b"".join(json.dumps(run).encode() + b"\n" for run in runs)


def send(api, data: bytes, query: str = "", **more):
    """Send a bulk; return its results and its summary."""
    kind = more.pop("content_type", JSONL)
    reply = api.post(URL + query, data, content_type=kind, **more)
    assert reply.status_code == 207, reply.content
    told = [json.loads(one) for one in b"".join(reply.streaming_content).splitlines()]
    return told[:-1], told[-1]["summary"]


def test_what_no_database_keeps_is_replaced_in_what_tools_printed(api):
    printed = a_call(tool="Bash", output="a\x00b\ud800")
    data = lines(a_run(tool_calls=[printed]), a_run(id="run\x00"))

    results, _ = send(api, data)

    assert [one["status"] for one in results] == [201, 400]
    assert Interaction.objects.get().tool_calls.get().output == "a\ufffdb\ufffd"


def test_each_line_is_answered_and_a_summary_ends_it(api):
    data = lines(a_run(id="run-1"), a_run(id="run-2")) + b"{broken\n"
    data += lines({"task": "t"}, a_run(id="run-1", answer="Another."))

    results, summary = send(api, data)

    assert [one["status"] for one in results] == [201, 201, 400, 422, 409]
    assert [one["line"] for one in results] == [1, 2, 3, 4, 5]
    assert results[3]["errors"][0]["field"] == "answer"
    assert results[0]["uuid"] == str(Interaction.objects.get(client_id="run-1").pk)
    bulk = summary["bulk"]
    assert [summary["status"], bulk["state"], bulk["line"]] == [200, "finished", 5]
    assert [bulk["created"], bulk["same"], bulk["refused"]] == [2, 0, 3]
    assert Verification.objects.filter(state="pending").count() == 2


def test_lines_are_committed_in_batches_that_break_apart(api, monkeypatch):
    monkeypatch.setattr(bulk_services, "BATCH_LINES", 2)
    reply = api.post(URL, lines(*(a_run(id=str(n)) for n in range(5))), JSONL)

    seen = [
        (data.count(b'"status": 201'), Interaction.objects.count())
        for data in reply.streaming_content
    ]

    assert seen == [(2, 2), (2, 4), (1, 5), (0, 5)]


def test_what_was_acknowledged_outlives_a_broken_connection(api, monkeypatch):
    monkeypatch.setattr(bulk_services, "BATCH_LINES", 2)
    data = lines(*(a_run(id=str(n)) for n in range(4)))
    torn = io.BytesIO(data + b'{"id": "torn", "ta')
    more = {"CONTENT_LENGTH": str(len(data) + 1000), "wsgi.input": torn}

    results, summary = send(api, b"x", "?id=nightly", **more)

    assert len(results) == 4
    assert [summary["status"], summary["bulk"]["state"]] == [400, "broken"]
    told = api.get(f"{URL}nightly/").json()
    assert [told["line"], told["created"], told["refused"]] == [4, 4, 0]


def test_sending_the_rest_or_all_again_doubles_nothing(api):
    runs = [{"task": "t", "answer": f"Answer {n}."} for n in range(6)]
    send(api, lines(*runs[:3]), "?id=job")

    rest, _ = send(api, lines(*runs[3:]), "?id=job&from_line=4")
    again, summary = send(api, lines(*runs), "?id=job")

    assert [one["line"] for one in rest] == [4, 5, 6]
    assert {one["status"] for one in rest} == {201}
    assert {one["status"] for one in again} == {200}
    assert Interaction.objects.count() == 6
    assert [summary["bulk"][k] for k in ("line", "created", "same")] == [6, 6, 0]


def test_a_line_that_was_mended_is_counted_as_mended(api):
    broken, mended = a_run(id="b", answer=5), a_run(id="b")
    _, before = send(api, lines(a_run(id="a"), broken), "?id=job")

    _, after = send(api, lines(a_run(id="a"), mended), "?id=job")

    assert [before["bulk"]["created"], before["bulk"]["refused"]] == [1, 1]
    assert [after["bulk"]["created"], after["bulk"]["refused"]] == [2, 0]
    assert not BulkRefusal.objects.exists()


def test_two_runs_without_an_id_that_say_the_same_are_two(api):
    run = {"task": "t", "answer": "Yes."}

    results, _ = send(api, lines(run, run))

    assert [one["status"] for one in results] == [201, 201]


def test_a_packed_stream_is_read(api):
    data = gzip.compress(lines(a_run(id="run-1")))

    results, _ = send(api, data, headers={"content-encoding": "gzip"})

    assert [one["id"] for one in results] == ["run-1"]


def test_a_line_may_be_a_transcript_with_several_answers(api):
    chat = {"messages": []}
    for number in (1, 2):
        chat["messages"] += [
            {"role": "user", "content": f"Question {number}?"},
            {"role": "assistant", "content": f"Answer {number}."},
        ]

    results, _ = send(api, lines(chat, a_run(id="own")))

    assert [(one["line"], one["item"]) for one in results] == [(1, 0), (1, 1), (2, 0)]
    assert {one["status"] for one in results} == {201}


def test_only_problems_may_be_asked_for(api):
    data = lines(a_run(id="run-1"), {"task": 1})

    results, summary = send(api, data, "?results=problems")

    assert [one["line"] for one in results] == [2]
    assert summary["bulk"]["created"] == 1


def test_a_refused_line_has_its_own_id_where_it_could_be_read(api):
    data = lines(
        a_run(id="run-1", answer=5),
        a_run(id="run\n2"),
        a_run(id="x" * 201),
        {"task": "t"},
        ["run-1"],
    )

    results, _ = send(api, data + b'{"id": "torn"', "?id=job")
    kept = b"".join(api.get(f"{URL}job/errors/").streaming_content).splitlines()

    names = ["run-1", None, None, None, None, None]
    assert [one["id"] for one in results] == names
    assert [json.loads(one)["id"] for one in kept] == names
    assert [one["errors"][0]["field"] for one in results][1:3] == ["id", "id"]


def test_refusals_are_read_line_by_line(api):
    send(api, lines({"task": "t"}, a_run(id="=1+1", answer=None)), "?id=job")

    as_lines = b"".join(api.get(f"{URL}job/errors/").streaming_content)
    table = b"".join(api.get(f"{URL}job/errors/?format=csv").streaming_content)

    assert [json.loads(one)["line"] for one in as_lines.splitlines()] == [1, 2]
    assert table.startswith(b'"line","item","status","id","field","message"\r\n1,0,422')


@pytest.mark.parametrize(
    ("query", "kind", "status"),
    [
        ("?nonsense=1", JSONL, 400),
        ("?id=a/b", JSONL, 400),
        ("?format=yaml", JSONL, 400),
        ("?from_line=0", JSONL, 400),
        (f"?from_line={10**15}", JSONL, 400),
        ("?results=some", JSONL, 400),
        ("", "application/pdf", 415),
    ],
)
def test_what_cannot_be_used_is_refused_before_anything_is_read(
    api, query, kind, status
):
    reply = api.post(URL + query, b"", content_type=kind)

    assert reply.status_code == status
    assert not Bulk.objects.exists()


def test_another_project_sees_no_bulk(api, client):
    send(api, lines(a_run(id="run-1")), "?id=job")
    other = ApiKeyFactory(project=ProjectFactory(), secret="vh_other_0123456789abcdef")
    stranger = {"authorization": f"Bearer {'vh_other_0123456789abcdef'}"}
    ours = Bulk.objects.get().pk

    for name in ("job", ours, uuid4()):
        reply = client.get(f"{URL}{name}/", headers=stranger)
        assert reply.status_code == 404
    assert client.get(URL, headers=stranger).json()["results"] == []
    assert other.project_id != Bulk.objects.get().project_id


def test_with_too_many_answers_waiting_every_way_in_says_when_to_come_again(
    api, settings, monkeypatch
):
    settings.MAX_WAITING_ANSWERS = 2
    single = "/api/v1/interactions/"
    results, summary = send(api, lines(*(a_run(id=str(n)) for n in range(3))))
    assert [len(results), summary["status"]] == [3, 200]

    replies = [
        api.post(URL, lines(a_run(id="x")), JSONL),
        api.post(single, a_run(id="x"), content_type="application/json"),
        api.post("/api/v1/transcripts/", {"messages": []}, "application/json"),
        api.post(
            "/v1/traces",
            {
                "resourceSpans": [
                    {
                        "scopeSpans": [
                            {"spans": [{"traceId": "1" * 32, "spanId": "2" * 16}]}
                        ]
                    }
                ]
            },
            content_type="application/json",
        ),
    ]

    assert [reply.status_code for reply in replies] == [429] * 4
    assert {int(reply["Retry-After"]) > 0 for reply in replies} == {True}
    Verification.objects.update(state="failed")
    # The count that refused them is used for a second.
    monkeypatch.setattr(backlog, "GOOD_FOR_SECONDS", 0)
    again = api.post(single, a_run(id="x"), content_type="application/json")
    assert again.status_code == 202


def test_what_waits_is_not_counted_for_each_refusal(
    api, settings, waiting_counted_once
):
    settings.MAX_WAITING_ANSWERS = 1
    single = ("/api/v1/interactions/", a_run(), "application/json")
    send(api, lines(a_run(id="first")))
    api.post(*single)

    with CaptureQueriesContext(connection) as found:
        refused = api.post(*single)

    assert refused.status_code == 429
    assert not any("verification_verification" in one["sql"] for one in found)


def test_a_stream_ends_where_there_is_no_more_room(api, settings, monkeypatch):
    monkeypatch.setattr(bulk_services, "BATCH_LINES", 2)
    settings.MAX_WAITING_ANSWERS = 3

    results, summary = send(api, lines(*(a_run(id=str(n)) for n in range(9))))

    assert [summary["status"], summary["bulk"]["state"]] == [429, "broken"]
    assert summary["retry_after"] > 0
    assert len(results) == summary["bulk"]["line"] == Interaction.objects.count() == 4


def test_only_so_many_streams_are_received_at_a_time(api, monkeypatch):
    monkeypatch.setattr(bulk_stream, "_streams", threading.BoundedSemaphore(1))
    held = api.post(URL, lines(a_run(id="held")), JSONL)

    one_more = api.post(URL, lines(a_run(id="x")), JSONL)
    b"".join(held.streaming_content)

    assert one_more.status_code == 429
    assert one_more["Retry-After"]
    assert send(api, lines(a_run(id="x")))[1]["status"] == 200


def test_a_small_body_that_unpacks_to_nothing_for_ever_is_refused(api):
    data = gzip.compress(b"\n" * 40_000_000)

    results, summary = send(api, data, headers={"content-encoding": "gzip"})

    assert not results
    assert [summary["status"], summary["bulk"]["state"]] == [422, "broken"]
    assert "1048576 bytes" in summary["detail"]


def test_a_sender_that_has_left_is_read_no_further(api, monkeypatch):
    monkeypatch.setattr(bulk_services, "BATCH_LINES", 1)
    here, there = socket.socketpair()
    with here:
        there.close()

        data = lines(a_run(id="run-1"), a_run(id="run-2"))
        _, summary = send(api, data, **{"gunicorn.socket": here})

    assert [summary["status"], summary["detail"]] == [400, "The client disconnected."]
    assert Interaction.objects.count() == 1


def test_a_stream_whose_server_was_killed_is_ended_and_may_go_on(api):
    send(api, lines(a_run(id="run-1")), "?id=job")
    gone = {"state": "receiving", "lease_until": timezone.now() - timedelta(seconds=1)}
    Bulk.objects.filter(reference="job").update(**gone)

    reconcile_bulks()

    told = api.get(f"{URL}job/").json()
    assert [told["state"], told["error"]] == ["broken", bulk_services.INTERRUPTED]
    _, summary = send(api, lines(a_run(id="run-2")), "?id=job&from_line=2")
    assert summary["bulk"]["state"] == "finished"


def test_a_stream_that_is_being_received_is_not_ended(api):
    reply = api.post(URL, lines(a_run(id="run-1")), JSONL)

    reconcile_bulks()

    assert b'"state": "finished"' in b"".join(reply.streaming_content)


def test_a_server_that_is_asked_to_stop_tells_where_to_go_on(api, monkeypatch):
    monkeypatch.setattr(bulk_services, "BATCH_LINES", 1)
    monkeypatch.setattr(bulk_stream.shutdown, "_is_stopping", lambda: True)

    data = lines(a_run(id="run-1"), a_run(id="run-2"))
    _, summary = send(api, data, "?id=job")

    assert [summary["status"], summary["retry_after"]] == [503, 1]
    assert summary["bulk"]["line"] == 1
