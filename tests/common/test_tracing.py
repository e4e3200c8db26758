"""Spans of VerifyHub itself: off unless asked for, and what a receiver then gets."""

from uuid import uuid4

import pytest
from django.test import Client
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
)

from tests.conftest import API_SECRET
from tests.ingest.runs import a_run
from tests.metrics.test_telemetry import Receiver, receiver  # noqa: F401
from verifyhub.common import tracing
from verifyhub.common.tracing import span
from verifyhub.verification.models import Verification
from verifyhub.verification.services import run_due

pytestmark = pytest.mark.django_db
SECRET_WORDS = "nobody may read this"


@pytest.fixture
def switched_on(receiver, settings):  # noqa: F811
    port = receiver.server_address[1]
    settings.OTLP_TRACES_ENDPOINT = f"http://127.0.0.1:{port}/v1/traces"
    settings.OTLP_TRACES_HEADERS = ["authorization=Bearer s3cret"]
    tracing._provider.cache_clear()
    yield receiver
    tracing._provider.cache_clear()


def spans(receiver):  # noqa: F811
    tracing.flush()
    return [
        one
        for _path, _headers, body in receiver.got
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans
        for scope in resource.scope_spans
        for one in scope.spans
    ]


def sent(api_key, **fields):
    client = Client(headers={"authorization": f"Bearer {API_SECRET}"})
    run = a_run(
        task=SECRET_WORDS, answer=f"It is `src/lexer.py`. {SECRET_WORDS}", **fields
    )
    reply = client.post("/api/v1/interactions/", run, content_type="application/json")
    assert reply.status_code == 202
    return Verification.objects.get()


def test_the_trace_of_a_verification_has_its_id(switched_on, api_key):
    row = sent(api_key)
    run_due()

    own = {one.name for one in spans(switched_on) if one.trace_id == row.id.bytes}
    assert {"verification.wait", "verification.engine"} <= own


def test_the_stages_of_the_engine_are_parts_of_its_span(switched_on, api_key):
    row = sent(api_key)
    run_due()

    own = [one for one in spans(switched_on) if one.trace_id == row.id.bytes]
    (engine,) = [one for one in own if one.name == "verification.engine"]
    stages = {one.name for one in own if one.parent_span_id == engine.span_id}
    assert stages == {
        *("engine.ledger", "engine.facts", "engine.verifiers"),
        *("engine.goal", "engine.layers", "engine.conclusion"),
    }


def test_a_call_of_a_model_is_part_of_the_stage_that_makes_it(switched_on):
    row = uuid4()
    with span("engine.verifiers", of=row), span("model.call", of=row):
        pass

    call, stage = spans(switched_on)
    assert (call.parent_span_id, call.trace_id) == (stage.span_id, row.bytes)


def test_the_engines_span_leads_to_the_agents_own(switched_on, api_key):
    agents = {"trace_id": "5b8efff798038103d269b633813fc60c", "span_id": "ee" * 8}
    sent(api_key, metadata=agents)
    run_due()

    (engine,) = [one for one in spans(switched_on) if one.name == "verification.engine"]
    linked = [(one.trace_id.hex(), one.span_id.hex()) for one in engine.links]
    assert linked == [(agents["trace_id"], agents["span_id"])]


@pytest.mark.parametrize("trace", ["", "none of ours", "0" * 33, {"a": 1}, 7])
def test_what_is_no_span_of_an_agent_is_not_linked(switched_on, api_key, trace):
    sent(api_key, metadata={"trace_id": trace, "span_id": "ee" * 8})
    run_due()

    (engine,) = [one for one in spans(switched_on) if one.name == "verification.engine"]
    assert not engine.links


def test_request_and_batch_lead_to_the_verifications_they_touched(switched_on, api_key):
    row = sent(api_key)
    run_due()

    linked = {
        one.name
        for one in spans(switched_on)
        if row.id.bytes in {link.trace_id for link in one.links}
    }
    assert linked == {"http.request", "verification.load", "verification.write"}


def test_a_request_is_told_by_its_route_and_status(switched_on, api_key):
    sent(api_key)

    (request,) = [one for one in spans(switched_on) if one.name == "http.request"]
    told = {one.key: one.value for one in request.attributes}
    assert told["http.route"].string_value == "api/v1/interactions/"
    assert told["http.response.status_code"].int_value == 202


def test_no_text_of_an_agent_leaves_with_a_span(switched_on, api_key):
    sent(api_key)
    run_due()
    spans(switched_on)

    bodies = b"".join(body for _path, _headers, body in switched_on.got)
    assert bodies
    assert SECRET_WORDS.encode() not in bodies


def test_an_error_that_passes_a_span_tells_nothing_of_its_text(switched_on):
    with pytest.raises(ValueError, match=SECRET_WORDS), span("work"):
        raise ValueError(SECRET_WORDS)
    spans(switched_on)

    bodies = b"".join(body for _path, _headers, body in switched_on.got)
    assert SECRET_WORDS.encode() not in bodies


def test_without_the_setting_nothing_is_sent(receiver, api_key):  # noqa: F811
    sent(api_key)
    run_due()

    assert receiver.got == []


def test_an_answers_page_leads_to_the_trace_where_it_is_shown(
    settings, api_key, browse, viewer
):
    row = sent(api_key)
    run_due()
    settings.TRACE_URL = "https://traces.example.org/trace/{trace}?from=hub"

    page = browse(viewer).get(f"/p/acme/answers/{row.interaction_id}/")

    address = f"https://traces.example.org/trace/{row.id.hex}?from=hub"
    assert f'href="{address}"' in page.content.decode()
