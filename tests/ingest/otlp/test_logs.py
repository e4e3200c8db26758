"""Messages that instrumentors write as log records belong to the span they name."""

import itertools
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import openai
import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import (
    ExportLogsServiceRequest,
    ExportLogsServiceResponse,
)
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord, ResourceLogs, ScopeLogs
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor

from tests.conftest import API_SECRET
from tests.ingest.otlp.spans import TRACE, a_request, a_span
from tests.ingest.otlp.test_dialects import (
    ANSWER,
    ARGUMENTS,
    LISTING,
    TASK,
    openinference,
)
from tests.ingest.otlp.test_real_exporters import provider, run_agent
from verifyhub.ingest.formats.otlp.span import Span
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.trace_models import OtlpSpan, OtlpTrace
from verifyhub.ingest.trace_services import TRACE_RETENTION

__all__ = ["provider"]
URL = "/v1/logs"
SPAN = f"{1:016x}"


def value(told):
    if isinstance(told, dict):
        pairs = [{"key": k, "value": value(v)} for k, v in told.items()]
        return {"kvlistValue": {"values": pairs}}
    return {"stringValue": told}


def a_record(name: str, body, second: int = 1, **more) -> dict:
    return {
        "traceId": TRACE,
        "spanId": SPAN,
        "eventName": name,
        "timeUnixNano": str(1_700_000_000_000_000_000 + second),
        "body": value(body),
        **more,
    }


def logs(*records) -> dict:
    scope = {"scope": {"name": "test"}, "logRecords": list(records)}
    return {"resourceLogs": [{"scopeLogs": [scope]}]}


SAID = [
    a_record("gen_ai.user.message", {"content": TASK}, 1),
    a_record("gen_ai.choice", {"message": {"content": ANSWER}}, 2),
]


def a_model_span() -> Span:
    return a_span(1, attributes={"gen_ai.system": "openai"})


@pytest.fixture
def export_logs(api):
    def send(*records, url=URL, **more):
        body = json.dumps(logs(*records))
        return api.post(url, body, content_type="application/json", **more)

    return send


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_records_are_read_with_their_span_in_whatever_order_they_come(
    export, export_logs, time_passes, order
):
    parts = [
        lambda: export(a_model_span()),
        lambda: export_logs(SAID[0]),
        lambda: export_logs(SAID[1], SAID[1]),
    ]
    for index in order:
        assert parts[index]().json() == {}

    time_passes()

    made = Interaction.objects.get()
    assert (made.task, made.answer) == (TASK, ANSWER)
    assert OtlpSpan.objects.count() == 3


@pytest.mark.parametrize("url", [URL, "/api/public/otel/v1/logs"])
def test_other_records_are_not_kept_and_counted(export_logs, url):
    reply = export_logs(
        a_record("http.request", "GET /"),
        SAID[0] | {"spanId": ""},
        SAID[0],
        url=url,
    )

    told = reply.json()["partialSuccess"]
    assert told["rejectedLogRecords"] == "2"
    assert "GenAI" in told["errorMessage"]
    assert OtlpSpan.objects.count() == 1


def test_a_record_without_a_time_has_the_one_when_it_was_observed(export_logs):
    export_logs(SAID[0] | {"timeUnixNano": "0", "observedTimeUnixNano": "77"})

    assert OtlpSpan.objects.get().data["start_ns"] == 77


def test_protobuf_is_answered_in_protobuf_and_junk_is_refused(api):
    kind = "application/x-protobuf"

    resource = ResourceLogs(scope_logs=[ScopeLogs(log_records=[LogRecord()])])
    body = ExportLogsServiceRequest(resource_logs=[resource]).SerializeToString()

    taken = api.post(URL, body, content_type=kind)
    junk = api.post(URL, b"\xff\xff", content_type=kind)

    told = ExportLogsServiceResponse.FromString(taken.content)
    assert told.partial_success.rejected_log_records == 1
    assert junk.status_code == 400


@pytest.mark.django_db(transaction=True)
def test_what_the_genai_instrumentor_exports_becomes_an_interaction(
    provider, live_server, project, time_passes, monkeypatch
):
    monkeypatch.setenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true")
    logging = LoggerProvider()
    exporter = OTLPLogExporter(
        endpoint=f"{live_server.url}/v1/logs",
        headers={"Authorization": f"Bearer {API_SECRET}"},
    )
    logging.add_log_record_processor(BatchLogRecordProcessor(exporter))
    instrumentor = OpenAIInstrumentor()
    instrumentor.instrument(tracer_provider=provider, logger_provider=logging)
    try:
        run_agent(provider)
        assert logging.force_flush()
    finally:
        instrumentor.uninstrument()
        logging.shutdown()
    time_passes()

    assert openai.__version__
    made = Interaction.objects.get(project=project)
    assert (made.task, made.answer) == (TASK, ANSWER)
    call = made.tool_calls.get()
    assert (call.tool, call.input, call.output) == ("ls", ARGUMENTS, LISTING)
    assert (made.run_input_tokens, made.run_output_tokens) == (20, 4)


@pytest.mark.django_db(transaction=True)
def test_two_requests_at_once_on_one_trace_lose_no_span(api_key, time_passes):
    spans = openinference()
    barrier = threading.Barrier(2)

    def send(part):
        client = Client(headers={"authorization": f"Bearer {API_SECRET}"})
        barrier.wait()
        try:
            body = json.dumps(a_request(*part))
            return client.post("/v1/traces", body, content_type="application/json")
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        # They share a span, and each has some of its own.
        replies = list(pool.map(send, (spans[:2], spans[1:])))

    assert [reply.status_code for reply in replies] == [200, 200]
    assert OtlpTrace.objects.get().span_count == len(spans) == OtlpSpan.objects.count()
    time_passes()
    assert Interaction.objects.get().answer == ANSWER


def test_old_traces_are_forgotten_and_their_answers_stay(export, time_passes, settings):
    settings.OTLP_SPAN_DAYS = 30
    export(*openinference())
    export(a_span(9, trace_id="f" * 32))
    now = timezone.now()
    read = OtlpTrace.objects.get(trace_id=TRACE)
    waiting = OtlpTrace.objects.exclude(pk=read.pk).get()
    time_passes()
    OtlpTrace.objects.filter(pk=waiting.pk).update(state="pending")
    OtlpTrace.objects.update(last_seen_at=now - timedelta(days=29))

    assert TRACE_RETENTION.apply(now=now) == 0
    assert TRACE_RETENTION.apply(now=now + timedelta(days=2)) == 1

    assert [*OtlpTrace.objects.all()] == [waiting]
    assert set(OtlpSpan.objects.values_list("trace", flat=True)) == {waiting.pk}
    assert Interaction.objects.get().answer == ANSWER


def test_the_answer_page_leads_to_its_trace(
    export, time_passes, browse, viewer, project
):
    export(*openinference())
    time_passes()
    answer = Interaction.objects.get()

    page = browse(viewer).get(
        reverse("review:answer-detail", args=[project.slug, answer.pk])
    )

    trace = reverse(
        "ingest:trace-detail", args=[project.slug, OtlpTrace.objects.get().pk]
    )
    assert trace in page.content.decode()
