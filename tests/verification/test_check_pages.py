"""Settings of claims and layers, and the page of the detection service."""

import pytest
from django.utils import timezone

from tests.ingest.runs import a_call, a_run
from verifyhub.audit.models import AuditEvent
from verifyhub.learning.models import CalibrationModel
from verifyhub.verification.models import Detection, Verification
from verifyhub.verification.services import run_detection, run_verification


def page_of(project, tail):
    return f"/p/{project.slug}/{tail}"


def chosen(**changes):
    return {"claims": "always", "layers": "by_risk", "risk": "", "profiles": ""} | (
        changes
    )


def test_a_lead_chooses_what_is_checked(lead, project, browse):
    reply = browse(lead).post(page_of(project, "settings/claims/"), chosen())

    project.refresh_from_db()
    assert reply.status_code == 302
    assert (project.claims_checked, project.layers_run) == ("always", "by_risk")
    assert AuditEvent.objects.filter(action="accounts.checks_set").exists()


def test_a_reviewer_may_not(reviewer, project, browse):
    assert browse(reviewer).get(page_of(project, "settings/claims/")).status_code == 403


@pytest.mark.parametrize(
    ("profiles", "said"),
    [
        ("[]", "not a JSON object"),
        ("{", "not JSON"),
        ('{"high": {"floor": 2}}', "high.floor"),
        ('{"huge": {}}', "huge"),
    ],
)
def test_a_profile_that_cannot_be_read_is_refused(
    lead, project, browse, profiles, said
):
    reply = browse(lead).post(
        page_of(project, "settings/claims/"), chosen(profiles=profiles)
    )

    assert reply.status_code == 422
    assert said in reply.content.decode()


def test_a_person_pastes_a_text_and_reads_the_result(reviewer, project, browse):
    client = browse(reviewer)

    reply = client.post(
        page_of(project, "detection/"),
        {
            "text": "The tax is 19 percent.",
            "sources": "One says so.\n---\nTwo says so.",
            "layers": ["multi_source"],
        },
    )

    row = Detection.objects.get()
    assert reply.headers["Location"].endswith(f"/detection/{row.pk}/")
    assert row.sources == ["One says so.", "Two says so."]
    waiting = client.get(reply.headers["Location"]).content.decode()
    assert "Check again" in waiting
    run_detection(detection_id=row.pk)
    assert "Several sources" in client.get(reply.headers["Location"]).content.decode()


def test_a_viewer_reads_and_does_not_ask(viewer, project, browse):
    client = browse(viewer)

    assert (
        "Check a text</"
        not in client.get(page_of(project, "detection/")).content.decode()
    )
    client.post(page_of(project, "detection/"), {"text": "x"})
    assert not Detection.objects.exists()


def test_polling_brings_nothing_while_it_runs(reviewer, project, browse):
    client = browse(reviewer)
    place = client.post(page_of(project, "detection/"), {"text": "Hello."}).headers[
        "Location"
    ]

    assert client.get(place, headers={"HX-Request": "true"}).status_code == 204


def test_a_reviewer_runs_the_layers_of_an_answer(api, reviewer, project, browse):
    api.post("/api/v1/interactions/", a_run(), content_type="application/json")
    run_verification(verification_id=Verification.objects.get().id)
    answer = page_of(project, f"answers/{Verification.objects.get().interaction_id}/")
    client = browse(reviewer)

    client.post(f"{answer}layers/", {"risk": "high"})
    run_detection(detection_id=Detection.objects.get().pk)

    assert "Requested by reviewer" in client.get(f"{answer}checks/").content.decode()


def test_settings_over_the_api(api, project):
    body = {
        "claims": "never",
        "layers": "by_risk",
        "layers_off": ["nli"],
        "entropy_by": "cosine",
        "risk": "high",
        "profiles": {"high": {"floor": 0.85}},
        "names": [{"value": "T3", "name": "gold tier"}],
        "deeds": [{"tool": "crm_update_17", "deed": "refund"}],
    }

    reply = api.put("/api/v1/checks/", body, content_type="application/json")

    assert reply.status_code == 200, reply.content
    assert api.get("/api/v1/checks/").json() == body


def test_a_profile_that_no_text_could_pass_is_refused_with_the_arithmetic(
    lead, project, browse
):
    CalibrationModel.objects.create(
        project=project,
        check_name="nli",
        number=1,
        kind="isotonic",
        parameters={"scores": [0.0, 1.0], "values": [0.1, 0.6]},
        state="active",
        n=60,
        right=30,
        sample_ids=[],
        before={},
        after={},
        since=timezone.now(),
        until=timezone.now(),
        activated_by="lead",
        activated_at=timezone.now(),
    )

    reply = browse(lead).post(
        page_of(project, "settings/claims/"),
        chosen(profiles='{"low": {"layers": ["nli"], "floor": 0.7}}'),
    )

    project.refresh_from_db()
    assert reply.status_code == 422
    assert "0.6" in reply.content.decode()
    assert project.risk_profiles == {}


def verdict_of(api, answer, tool, output, **given):
    call = a_call(tool=tool, input=given, output=output)
    reply = api.post(
        "/api/v1/interactions/",
        a_run(answer=answer, tool_calls=[call]),
        content_type="application/json",
    )
    row = Verification.objects.get(interaction_id=reply.json()["id"])
    run_verification(verification_id=row.id)
    row.refresh_from_db()
    return row.report


def test_pairs_of_the_settings_hold_in_the_next_verdict(lead, project, browse, api):
    client = browse(lead)
    place = page_of(project, "settings/claims/")
    pairs = {"names": "T3 = gold tier\nLOC-0017 = North Pier depot"}

    reply = client.post(place, chosen(deeds="crm_update_17 refund", **pairs))

    assert reply.status_code == 302
    assert "LOC-0017 = North Pier depot" in client.get(place).content.decode()
    moved = verdict_of(
        api, "It is in LOC-0017.", "get_parcel", '{"at": "north pier depot"}', id="P9"
    )
    assert [(one["text"], one["status"]) for one in moved["values"]] == [
        ("LOC-0017", "supported")
    ]
    paid = verdict_of(
        api, "I refunded order A-17.", "crm_update_17", "ok", order_id="A-17"
    )
    assert paid["completion_claims"][0]["status"] == "supported"
    event = AuditEvent.objects.get(action="accounts.checks_set")
    assert event.after["tool_deeds"] == [{"tool": "crm_update_17", "deed": "refund"}]


def test_a_line_of_pairs_that_cannot_be_used_is_named(lead, project, browse):
    reply = browse(lead).post(
        page_of(project, "settings/claims/"),
        chosen(names="T3 = gold tier\nT4", deeds="crm_update_17 conjure"),
    )

    page = reply.content.decode()
    project.refresh_from_db()
    assert reply.status_code == 422
    assert "Row 2: value and name must be texts" in page
    assert "Row 1: the deed must be one of" in page
    assert project.name_pairs == []


def test_pairs_over_the_api_are_refused_by_their_place(api, project):
    body = {
        "claims": "auto",
        "layers": "by_risk",
        "names": [{"value": "T3", "name": "gold"}, {"value": "x*", "name": "silver"}],
        "deeds": [{"tool": "crm", "deed": "conjure"}],
    }

    reply = api.put("/api/v1/checks/", body, content_type="application/json")

    assert reply.status_code == 400
    assert [one["field"] for one in reply.json()["errors"]] == ["names.1", "deeds.0"]
