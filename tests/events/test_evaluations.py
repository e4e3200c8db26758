"""Verdicts go back over OTLP to the tools that hold the traces."""

import json

import pytest
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import (
    ExportLogsPartialSuccess,
    ExportLogsServiceRequest,
    ExportLogsServiceResponse,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
)

from tests.ingest.otlp.spans import TRACE
from tests.ingest.otlp.test_dialects import genai
from verifyhub.events.catalogue import EventType
from verifyhub.events.models import WebhookDelivery
from verifyhub.events.services import deliver_due
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.trace_models import OtlpTrace, TracedAnswer
from verifyhub.ingest.trace_reading import read_trace
from verifyhub.ingest.trace_services import receive_spans
from verifyhub.verification.services import run_verification

VERDICT = {
    "verification": {
        "verdict": "reject",
        "action": "retry",
        "reason": "too_many_unverified",
        "confidence": 0.33,
        "unverified": ["shop/tax.py"],
        "gaps": ["No test was run"],
    },
    "detection": {
        "riskLevel": "high",
        "layersRun": 3,
        "passed": False,
        "overallConfidence": 0.4,
    },
}
JUDGED = {"trace": TRACE, "span": "00f067aa0ba902b7", "response": "chatcmpl-1"}


def attributes(record):
    return {
        one.key: getattr(one.value, one.value.WhichOneof("value"))
        for one in record.attributes
    }


def records(receiver):
    made = ExportLogsServiceRequest.FromString(receiver.got[-1].body)
    return [
        record
        for resource in made.resource_logs
        for scope in resource.scope_logs
        for record in scope.log_records
    ]


def test_a_verdict_is_an_evaluation_event_of_the_judged_span(webhook, receiver, tell):
    webhook(form="otlp-logs", headers={"Authorization": "Bearer opensesame"})
    event = tell(EventType.VERIFICATION_COMPLETED, subject=JUDGED, **VERDICT)
    deliver_due()

    (got,) = receiver.got
    assert got.headers["content-type"] == "application/x-protobuf"
    assert got.headers["authorization"] == "Bearer opensesame"
    verdict, layers = records(receiver)
    assert verdict.event_name == "gen_ai.evaluation.result"
    assert verdict.trace_id.hex() == TRACE
    assert verdict.span_id.hex() == "00f067aa0ba902b7"
    assert verdict.time_unix_nano // 1000 == int(event.created_at.timestamp() * 1e6)
    told = attributes(verdict)
    assert told["gen_ai.evaluation.name"] == "verifyhub.verdict"
    assert told["gen_ai.evaluation.score.value"] == 0.33
    assert told["gen_ai.evaluation.score.label"] == "reject"
    assert "shop/tax.py" in told["gen_ai.evaluation.explanation"]
    assert told["gen_ai.response.id"] == "chatcmpl-1"
    assert attributes(layers)["gen_ai.evaluation.score.label"] == "fail"


def test_a_failed_verification_is_an_error_and_no_score(webhook, receiver, tell):
    webhook(form="otlp-logs")
    tell(EventType.VERIFICATION_FAILED, error="TimeoutError")
    deliver_due()

    told = attributes(records(receiver)[0])
    assert told["error.type"] == "verification_failed"
    assert "gen_ai.evaluation.score.value" not in told


def test_a_tool_that_takes_spans_alone_gets_one_below_the_judged(
    webhook, receiver, tell
):
    endpoint, _ = webhook(form="otlp-traces")
    tell(EventType.VERIFICATION_COMPLETED, subject=JUDGED, **VERDICT)
    receiver.answers(503, 200)
    deliver_due()
    WebhookDelivery.objects.update(next_at=None)
    type(endpoint).objects.update(quiet_until=None)
    deliver_due()

    first, second = receiver.got
    assert first.body == second.body
    made = ExportTraceServiceRequest.FromString(second.body)
    span = made.resource_spans[0].scope_spans[0].spans[0]
    assert span.trace_id.hex() == TRACE
    assert span.parent_span_id.hex() == "00f067aa0ba902b7"
    assert [one.span_id for one in span.links] == [span.parent_span_id]
    assert attributes(span)["openinference.span.kind"] == "EVALUATOR"
    assert span.events[0].name == "gen_ai.evaluation.result"


def test_what_judges_nothing_is_not_sent_there(webhook, receiver, tell):
    webhook(form="otlp-logs")
    tell(EventType.CONSTRAINT_ACTIVATED)
    deliver_due()

    assert receiver.got == []


def test_a_collector_that_takes_nothing_is_asked_again(webhook, receiver, tell):
    webhook(form="otlp-logs")
    tell(EventType.VERIFICATION_COMPLETED, subject=JUDGED, **VERDICT)
    refusal = ExportLogsServiceResponse(
        partial_success=ExportLogsPartialSuccess(
            rejected_log_records=2, error_message="quota"
        )
    )
    receiver.answers((200, {}, refusal.SerializeToString()))
    deliver_due()

    row = WebhookDelivery.objects.get()
    assert row.state == "pending"
    assert "quota" in row.log.get().error


@pytest.mark.parametrize("deeper", [False, True])
def test_a_run_that_came_by_otlp_is_judged_at_its_own_span(
    project, webhook, receiver, settle, deeper
):
    webhook(form="otlp-logs")
    spans = genai()
    at = -1 if deeper else 0
    named = {**spans[at].attributes, "gen_ai.response.id": "resp-7"}
    spans[at] = type(spans[at])(
        **{
            **{name: getattr(spans[at], name) for name in type(spans[at]).__slots__},
            "attributes": named,
        }
    )
    receive_spans(project=project, api_key=None, spans=spans)
    OtlpTrace.objects.update(next_at=None)
    read_trace(trace_id=OtlpTrace.objects.get().id)
    answer = Interaction.objects.get()
    run_verification(verification_id=answer.verifications.get().id)
    settle()
    deliver_due()

    judged = TracedAnswer.objects.get()
    record = records(receiver)[0]
    assert record.trace_id.hex() == judged.trace.trace_id
    assert record.span_id.hex() == judged.span_id
    told = attributes(record)
    assert told["gen_ai.response.id"] == "resp-7"
    assert json.dumps(told)
