"""The detection service: a row a text, a worker runs it, the result is kept."""

import pytest
from structlog.testing import capture_logs

from tests.factories import ApiKeyFactory
from tests.ingest.runs import a_run
from tests.verification.writing_model import writing, written_requests
from verifyhub.audit.models import AuditEvent
from verifyhub.verification.models import Detection, Verification
from verifyhub.verification.services import (
    DETECTIONS,
    LayersRequest,
    Subject,
    detections,
    open_detection,
    run_detection,
    run_verification,
)

URL = "/api/v1/detection/"
TEXT = "Take two tablets of ibuprofen every hour."


def send(api, tail="verify/", **body):
    return api.post(
        f"{URL}{tail}", {"text": TEXT} | body, content_type="application/json"
    )


def finished(api, **body):
    identifier = send(api, **body).json()["id"]
    run_detection(detection_id=identifier)
    return api.get(f"{URL}{identifier}/").json()


@pytest.fixture
def row(project, reviewer):
    return open_detection(
        project=project,
        subject=Subject(text=TEXT),
        layers_request=LayersRequest(),
        actor=reviewer,
    )


def test_a_text_is_committed_and_told_where(api):
    reply = send(api)

    assert reply.status_code == 202
    assert reply.json()["state"] == "pending"
    assert reply.headers["Location"].endswith(f"{reply.json()['id']}/")


def test_without_a_model_every_layer_is_skipped_and_nothing_passes(api):
    told = finished(api)

    assert told["state"] == "finished"
    assert told["result"]["outcome"] == "inconclusive"
    assert told["result"]["confidence"] is None
    assert {one["score"] for one in told["result"]["layers"]} == {None}


def test_the_risk_chooses_the_profile(api):
    told = finished(api)

    assert told["result"]["risk"]["level"] == "critical"
    assert told["result"]["floor"] == 0.95


def test_who_asks_may_choose_the_profile_and_layers(api):
    told = finished(api, risk="low", layers=["nli"])

    assert told["result"]["risk"]["by"] == "override"
    assert [one["layer"] for one in told["result"]["layers"]] == ["nli"]


def test_one_layer_runs_alone(api):
    identifier = send(api, "layers/nli/").json()["id"]
    run_detection(detection_id=identifier)

    told = api.get(f"{URL}{identifier}/").json()

    assert [one["layer"] for one in told["result"]["layers"]] == ["nli"]


def test_a_layer_that_there_is_not_is_not_found(api):
    assert send(api, "layers/tea_leaves/").status_code == 404


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"text": None}, "text"),
        ({"risk": "huge"}, "risk"),
        ({"layers": ["tea"]}, "layers[0]"),
        ({"max_latency_ms": 0}, "max_latency_ms"),
        ({"max_cost_microdollars": True}, "max_cost_microdollars"),
        ({"sources": [7]}, "sources[0]"),
        ({"other": 1}, "other"),
    ],
)
def test_what_cannot_be_used_is_named(api, body, field):
    reply = send(api, **body)

    assert reply.status_code == 400
    assert reply.json()["errors"][0]["field"] == field


def test_the_risk_is_told_at_once(api):
    reply = send(api, "risk/")

    assert reply.json()["level"] == "critical"
    assert reply.json()["by"] == "rules"


def test_the_projects_level_holds_for_every_text(api, project):
    project.risk_level = "low"
    project.save()

    assert send(api, "risk/").json()["level"] == "low"


def test_a_layer_that_is_switched_off_never_runs(api, project):
    project.layers_off = ["nli"]
    project.save()

    told = finished(api, layers=["nli"])

    assert told["result"]["layers"][0]["reason"] == "switched_off"


def test_a_project_may_tell_meanings_apart_by_likeness(
    transactional_db, api, project, settings
):
    project.entropy_by = "cosine"
    project.save()

    with writing(settings, "The bridge opened in 1932.") as server:
        apart, alike = (
            finished(
                api, text=text, task="When did it open?", layers=["semantic_entropy"]
            )
            for text in ("Our dose is 5 mg.", "The bridge opened in 1932.")
        )

    assert apart["result"]["layers"][0]["reason"] == "answer_apart"
    (layer,) = alike["result"]["layers"]
    assert layer["score"] == pytest.approx(1.0)
    assert layer["details"]["by"] == "cosine"
    assert not any('"first"' in str(sent) for sent in written_requests(server))


def test_another_projects_run_does_not_exist(api, row):
    other = ApiKeyFactory(secret="vh_other_0123456789abcdef0123456789abcdef")

    reply = api.get(
        f"{URL}{row.pk}/",
        headers={"authorization": "Bearer vh_other_0123456789abcdef0123456789abcdef"},
    )

    assert other.project_id != row.project_id
    assert reply.status_code == 404


def test_the_same_idempotency_key_runs_once(api):
    first = api.post(
        f"{URL}verify/",
        {"text": TEXT},
        content_type="application/json",
        headers={"Idempotency-Key": "one"},
    )
    again = api.post(
        f"{URL}verify/",
        {"text": TEXT},
        content_type="application/json",
        headers={"Idempotency-Key": "one"},
    )

    assert again.json()["id"] == first.json()["id"]
    assert again.headers["Idempotent-Replayed"] == "true"
    assert Detection.objects.count() == 1


def test_a_finished_run_is_not_run_again(row):
    assert run_detection(detection_id=row.pk)
    assert not run_detection(detection_id=row.pk)


def test_a_row_whose_wake_up_was_lost_is_rung_again(
    row, django_capture_on_commit_callbacks
):
    Detection.objects.update(created_at="2020-01-01T00:00:00Z")

    assert DETECTIONS.reconcile() == 1


def test_a_failed_attempt_is_logged_without_the_text_of_its_error(row, monkeypatch):
    def run(detection_id):
        raise ValueError(f"cannot read {TEXT}")

    monkeypatch.setattr(detections, "run_stored_layers", run)
    with capture_logs() as logged:
        assert not run_detection(detection_id=row.pk)

    [event] = [line for line in logged if line["event"] == "work.attempt_failed"]
    assert event["task"] == "verification.detect"
    assert (event["error"], event["state"]) == ("ValueError", "pending")
    assert event["where"].startswith("test_detections.py:")
    assert TEXT not in str(event)


def test_asking_is_audited(row):
    event = AuditEvent.objects.get(action="verification.layers_asked")

    assert event.after["layers"] == []


def test_layers_run_over_a_stored_answer(api):
    api.post(
        "/api/v1/interactions/", a_run(id="run-1"), content_type="application/json"
    )
    run_verification(verification_id=Verification.objects.get().id)

    reply = api.post(
        "/api/v1/interactions/run-1/layers/",
        {"risk": "high"},
        content_type="application/json",
    )

    row = Detection.objects.get(pk=reply.json()["id"])
    assert row.interaction is not None
    assert run_detection(detection_id=row.pk)


def test_empty_text_passes_nothing(api):
    told = finished(api, text="   ")

    assert told["result"]["outcome"] != "passed"
