"""The description is valid, and requests and replies are as it says."""

import json

import pytest
from django.test import Client
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from tests.ingest.runs import a_call, a_run
from verifyhub.verification.api import (
    bulk_schemas,
    detection_schemas,
    examples,
    transcript_schemas,
    work_examples,
)
from verifyhub.verification.models import (
    MentionVerdict,
    MitigationAttempt,
    Verification,
)
from verifyhub.verification.services import (
    run_deliberation,
    run_mitigation,
    run_verification,
)

URL = "/api/v1/interactions/"


@pytest.fixture(scope="module")
def document():
    return Client().get("/api/openapi.json").json()


@pytest.fixture
def fits(document):
    """Hold a value against a schema of the document, by its name."""

    def check(name: str, value: object) -> None:
        schema = {"$ref": f"#/components/schemas/{name}", **document}
        Draft202012Validator(schema).validate(value)

    return check


def test_the_description_is_valid(document):
    validate(document)


def test_every_operation_says_how_it_may_fail(document):
    operations = [
        (path, operation)
        for path, methods in document["paths"].items()
        if path.startswith(URL)
        for operation in methods.values()
    ]

    assert len(operations) == 12
    assert [
        path
        for path, operation in operations
        if not {"401", "403"} <= operation["responses"].keys()
        or operation["security"] != [{"apiKey": []}]
    ] == []


@pytest.mark.parametrize(
    ("name", "example"),
    [
        ("InteractionRequest", examples.INTERACTION),
        ("Accepted", examples.ACCEPTED),
        ("Verdict", examples.VERDICT),
        ("MitigationAttempt", work_examples.MITIGATION),
        ("Deliberation", work_examples.DELIBERATION),
        ("DetectionRequest", detection_schemas.REQUEST_EXAMPLE),
        ("Detection", detection_schemas.FINISHED_EXAMPLE),
        ("CheckSettings", detection_schemas.SETTINGS_EXAMPLE),
        ("TranscriptReply", transcript_schemas.REPLY_EXAMPLE),
        ("Bulk", bulk_schemas.BULK_EXAMPLE),
        ("BulkLine", bulk_schemas.LINE_EXAMPLE),
    ],
)
def test_the_examples_fit(fits, name, example):
    fits(name, example)


def test_the_example_run_is_taken(api):
    reply = api.post(URL, examples.INTERACTION, content_type="application/json")

    assert reply.status_code == 202


def test_replies_fit_the_description(api, fits):
    run = a_run(
        id="run-1",
        session="s",
        agent={"name": "a", "tier": "small", "role": "r"},
        parent="run-0",
        parent_expected=True,
        tool_calls=[a_call(id="c", started_at="2026-01-01T00:00:00Z", duration_ms=3)],
        self_assessment={"confidence": 1},
        claims=[],
        sources=[],
        metadata={"a": 1},
    )
    fits("InteractionRequest", run)

    fits("Accepted", api.post(URL, run, content_type="application/json").json())
    fits("InteractionDetail", api.get(f"{URL}run-1/").json())
    run_verification(verification_id=Verification.objects.get().id)
    MentionVerdict.objects.update(human_status="verified")
    fits("Verdict", api.get(f"{URL}run-1/verdict/").json())
    fits("InteractionDetail", api.get(f"{URL}run-1/").json())
    fits("Ledger", api.get(f"{URL}run-1/ledger/").json())
    fits("InteractionSummary", api.get(URL).json()["results"][0])
    fits("Problem", api.get(f"{URL}absent/").json())
    fits("Problem", api.post(URL, b"{", content_type="application/json").json())


def test_the_example_transcript_is_taken_and_answered_as_described(api, fits):
    example = transcript_schemas.TRANSCRIPT_EXAMPLE

    reply = api.post("/api/v1/transcripts/", example, content_type="application/json")
    again = api.post("/api/v1/transcripts/", example, content_type="application/json")

    assert [reply.json()["results"][0]["status"], reply.status_code] == [201, 207]
    fits("TranscriptReply", reply.json())
    fits("TranscriptReply", again.json())


def test_a_bulk_is_answered_as_described(api, fits):
    data = json.dumps(a_run(id="run-1")) + '\n{"task": 1}\n{'

    reply = api.post("/api/v1/bulk/?id=b", data, content_type="application/jsonl")
    told = [json.loads(one) for one in b"".join(reply.streaming_content).splitlines()]

    for line in told[:-1]:
        fits("BulkLine", line)
    fits("BulkSummary", told[-1])
    fits("Bulk", api.get("/api/v1/bulk/b/").json())
    fits("Bulk", api.get("/api/v1/bulk/").json()["results"][0])


def test_work_fits_the_description(api, fits):
    run = a_run(id="run-1")
    api.post(URL, run, content_type="application/json")
    run_verification(verification_id=Verification.objects.get().id)
    for action in ("block", "regenerate"):
        body = {"action": action}
        fits(
            "MitigationAttempt",
            api.post(
                f"{URL}run-1/mitigate/", body, content_type="application/json"
            ).json(),
        )
    run_mitigation(mitigation_id=MitigationAttempt.objects.get(state="pending").id)
    attempts = api.get(f"{URL}run-1/mitigate/").json()["results"]
    fits("MitigationAttempt", attempts[0])
    begun = api.post(f"{URL}run-1/deliberate/").json()
    fits("Deliberation", begun)
    run_deliberation(deliberation_id=begun["id"])
    fits("Deliberation", api.get(f"/api/v1/deliberations/{begun['id']}/").json())


def test_the_page_has_nothing_inline(client, db):
    page = client.get("/api/docs/")

    assert page.status_code == 200
    assert b"<style" not in page.content
    assert b"<script>" not in page.content
