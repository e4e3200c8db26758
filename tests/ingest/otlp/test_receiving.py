"""Exporters send spans, in any order and as often as they like."""

import base64
import gzip
import json
import zlib
from dataclasses import replace

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

from tests.conftest import API_SECRET
from tests.factories import ApiKeyFactory
from tests.ingest.otlp.conftest import URL
from tests.ingest.otlp.spans import TRACE, a_request, a_span
from tests.ingest.otlp.test_dialects import ANSWER, TASK, genai, openinference
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.trace_models import OtlpSpan, OtlpTrace, TracedAnswer
from verifyhub.verification.models import Verification

JSON, PROTOBUF = "application/json", "application/x-protobuf"


@pytest.mark.parametrize(
    "url",
    [URL, f"{URL}/", "/api/public/otel/v1/traces", "/api/v1/otlp/v1/traces"],
)
def test_spans_are_stored_whole_and_their_trace_waits(export, project, url):
    reply = export(
        a_span(1, attributes={"own.key": {"__proto__": [1.5, True]}}), url=url
    )

    trace, row = OtlpTrace.objects.get(), OtlpSpan.objects.get()
    assert (reply.status_code, reply.json()) == (200, {})
    assert (trace.project, trace.trace_id, trace.state) == (project, TRACE, "pending")
    assert row.data["attributes"] == {"own.key": {"__proto__": [1.5, True]}}
    assert not Interaction.objects.exists()


def test_a_trace_becomes_an_interaction_that_is_verified(export, time_passes, project):
    export(*openinference())

    time_passes()

    made = Interaction.objects.get()
    assert (made.task, made.answer, made.project) == (TASK, ANSWER, project)
    assert made.client_id == f"otel-{TRACE}"
    assert made.tool_calls.get().tool == "ls"
    assert made.api_key is not None
    assert Verification.objects.get().interaction == made
    assert OtlpTrace.objects.get().state == "finished"


@pytest.mark.django_db(transaction=True)
def test_it_waits_shortly_once_its_root_ended_and_longer_before(export, settings, rung):
    settings.OTLP_COMPLETE_GRACE_SECONDS, settings.OTLP_QUIET_SECONDS = 0, 3600
    root, *rest = genai()
    old = OtlpTrace.objects.all()

    export(*rest)
    old.update(created_at="2026-01-01T00:00:00Z")
    before = rung()
    export(root)
    after = rung()

    assert before == []
    assert after == [str(OtlpTrace.objects.get().id)]


def test_a_trace_without_its_root_is_read_when_nothing_more_comes(export, time_passes):
    _, *rest = genai()
    export(*rest)

    time_passes()

    assert Interaction.objects.get().answer == ANSWER


def test_what_comes_twice_changes_nothing(export, time_passes):
    export(*genai())
    time_passes()
    replies = [export(*genai()), export(*genai(), *genai())]
    time_passes()

    assert [reply.json() for reply in replies] == [{}, {}]
    assert Interaction.objects.count() == 1
    assert OtlpSpan.objects.count() == 4
    assert OtlpTrace.objects.get().late_count == 0


def test_a_late_span_that_says_nothing_new_is_recorded_and_no_more(export, time_passes):
    export(*genai())
    time_passes()
    export(a_span(9, 1, name="GET /"))
    time_passes()

    assert OtlpSpan.objects.get(is_late=True).span_id.endswith("9")
    assert OtlpTrace.objects.get().late_count == 1
    assert Interaction.objects.count() == 1


def test_a_late_span_that_changes_the_content_makes_a_further_version(
    export, time_passes
):
    root, first, tool, second = genai()
    export(root, first, second)
    time_passes()
    export(tool)
    time_passes()

    names = list(Interaction.objects.order_by("created_at").values_list("client_id"))
    assert names == [(f"otel-{TRACE}",), (f"otel-{TRACE}.2",)]
    assert list(TracedAnswer.objects.order_by("id").values_list("version")) == [
        (1,),
        (2,),
    ]


def test_an_open_span_is_replaced_by_its_end_and_not_the_other_way(export, time_passes):
    root, *rest = genai()
    opened = a_span(1, end_ns=0, name="open")
    export(opened)
    export(root, *rest)
    export(opened)
    time_passes()

    assert OtlpSpan.objects.get(span_id=root.span_id).data["name"] == root.name
    assert Interaction.objects.get().agent_name == "shop"


@pytest.mark.parametrize(
    ("encoding", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress)]
)
def test_a_body_may_be_packed(api, encoding, pack):
    body = pack(json.dumps(a_request(a_span(1))).encode())

    reply = api.post(
        URL, body, content_type=JSON, headers={"content-encoding": encoding}
    )

    assert reply.status_code == 200
    assert OtlpSpan.objects.count() == 1


def test_a_bomb_is_refused(api, settings):
    settings.MAX_BODY_BYTES = 100_000
    bomb = gzip.compress(b" " * 100_001)

    reply = api.post(URL, bomb, content_type=JSON, headers={"content-encoding": "gzip"})

    assert (reply.status_code, reply.json()["code"]) == (413, 8)


@pytest.mark.parametrize(
    ("body", "kind", "encoding", "status"),
    [
        (b"{", JSON, "", 400),
        (b"[]", JSON, "", 400),
        (b'{"resourceSpans": 1}', JSON, "", 400),
        (b'{"resourceSpans": [[]]}', JSON, "", 400),
        (b"[" * 100_000, JSON, "", 400),
        (b"\xff\xff", JSON, "", 400),
        (b"no gzip", JSON, "gzip", 400),
        (gzip.compress(b"{}", mtime=0)[:-4], JSON, "gzip", 400),
        (b"{}", JSON, "br", 415),
        (b"{}", "text/plain", "", 415),
        (b"\xff\xff\xff", PROTOBUF, "", 400),
    ],
)
def test_garbage_is_refused_in_the_encoding_of_the_request(
    api, body, kind, encoding, status
):
    headers = {"content-encoding": encoding} if encoding else {}

    reply = api.post(URL, body, content_type=kind, headers=headers)

    assert reply.status_code == status
    assert reply.headers["Content-Type"] == (PROTOBUF if kind == PROTOBUF else JSON)
    if kind == PROTOBUF:
        assert reply.content.startswith(b"\x08\x03\x12")
    else:
        assert reply.json().keys() == {"code", "message"}
    assert not OtlpTrace.objects.exists()


def test_a_span_that_cannot_be_taken_leaves_the_others(export):
    reply = export(
        a_span(1),
        a_span(2, trace_id="0" * 32),
        a_span(3, span_id="xyz"),
        a_span(4, start_ns=2**64),
    )

    assert reply.status_code == 200
    assert reply.json()["partialSuccess"]["rejectedSpans"] == "3"
    assert "trace id" in reply.json()["partialSuccess"]["errorMessage"]
    assert OtlpSpan.objects.count() == 1


def test_text_that_no_column_takes_is_mended(api):
    text = json.dumps(a_request(a_span(1, attributes={"key": "MARK"})))
    body = text.replace("MARK", r"a\u0000b\ud800c\ud83d\ude00\\u0000")

    reply = api.post(URL, body, content_type=JSON)

    assert reply.status_code == 200
    kept = OtlpSpan.objects.get().data["attributes"]["key"]
    assert kept == "a\ufffdb\ufffdc\U0001f600\\u0000"


def test_a_trace_has_room_for_so_many_spans(export, settings):
    settings.OTLP_MAX_SPANS = 2

    reply = export(a_span(1), a_span(2), a_span(3))

    assert reply.json()["partialSuccess"]["rejectedSpans"] == "1"
    assert OtlpSpan.objects.count() == 2


def test_where_too_many_traces_wait_an_exporter_waits_too(export, settings):
    settings.OTLP_MAX_WAITING_TRACES = 1
    export(a_span(1))

    more = export(a_span(2))
    other = export(a_span(1, trace_id="a" * 32))

    assert more.status_code == 200
    assert (other.status_code, other.headers["Retry-After"]) == (429, "10")
    assert OtlpTrace.objects.count() == 1


def test_a_key_may_come_as_a_password(client, api_key):
    pair = base64.b64encode(f"pk-lf-anything:{API_SECRET}".encode()).decode()

    reply = client.post(
        URL,
        json.dumps(a_request(a_span(1))),
        content_type=JSON,
        headers={"authorization": f"Basic {pair}"},
    )

    assert reply.status_code == 200
    assert OtlpTrace.objects.get().project == api_key.project


@pytest.mark.parametrize(
    "header",
    [
        None,
        "Bearer vh_wrong",
        "Basic !!!",
        "Basic",
        "Basic " + base64.b64encode(b"user:vh_wrong").decode(),
        "Basic " + base64.b64encode(b"no colon").decode(),
    ],
)
def test_without_a_key_nothing_is_taken(client, db, header):
    headers = {"authorization": header} if header else {}

    reply = client.post(URL, b"{}", content_type=JSON, headers=headers)

    assert (reply.status_code, reply.json()["code"]) == (401, 16)
    assert "WWW-Authenticate" in reply.headers


def test_a_key_without_the_scope_is_refused(client, project):
    ApiKeyFactory(project=project, secret=API_SECRET, scopes=["read"])

    reply = client.post(
        URL,
        b"{}",
        content_type=JSON,
        headers={"authorization": f"Bearer {API_SECRET}"},
    )

    assert reply.status_code == 403


def test_two_projects_may_have_the_same_trace(export, client, time_passes):
    other = ApiKeyFactory(secret="vh_other_" + "x" * 40)
    export(*genai())
    client.post(
        URL,
        json.dumps(a_request(*openinference())),
        content_type=JSON,
        headers={"authorization": "Bearer vh_other_" + "x" * 40},
    )

    time_passes()

    assert OtlpTrace.objects.count() == 2
    theirs = Interaction.objects.get(project=other.project)
    assert theirs.tool_calls.get().status == "ok"
    assert Interaction.objects.exclude(project=other.project).count() == 1


def test_protobuf_is_answered_in_protobuf(api):
    request = ExportTraceServiceRequest()
    spans = request.resource_spans.add().scope_spans.add().spans
    spans.add(trace_id=b"\x01" * 16, span_id=b"\x02" * 8, name="a\x00b", kind=99)
    spans.add(trace_id=b"short", span_id=b"\x02" * 8)

    reply = api.post(URL, request.SerializeToString(), content_type=PROTOBUF)

    told = ExportTraceServiceResponse.FromString(reply.content)
    assert (reply.status_code, reply.headers["Content-Type"]) == (200, PROTOBUF)
    assert told.partial_success.rejected_spans == 1
    assert OtlpSpan.objects.get().data["name"] == "a\ufffdb"


def test_a_complete_trace_waits_less_than_one_that_lacks_a_parent_or_an_end(export):
    root, child, grandchild = a_span(1), a_span(2, 1), a_span(3, 2)
    waits = []

    for spans in ([grandchild], [root], [replace(child, end_ns=0)], [child]):
        export(*spans)
        trace = OtlpTrace.objects.get()
        waits.append((trace.next_at - trace.last_seen_at).total_seconds())

    # Without a root; without a parent; without an end; complete.
    assert waits == [60, 5, 5, 1]


def test_a_complete_trace_in_one_request_waits_no_longer(export):
    export(a_span(1), a_span(2, 1))

    trace = OtlpTrace.objects.get()
    assert (trace.next_at - trace.last_seen_at).total_seconds() == 1


@pytest.mark.django_db(transaction=True)
def test_the_beat_wakes_a_worker_as_soon_as_a_trace_is_due(export, settings, rung):
    settings.OTLP_COMPLETE_GRACE_SECONDS = 0

    export(*genai())

    assert rung() == [str(OtlpTrace.objects.get().id)]
