"""Claims of fact through the server: checked with sources, judged, decided, kept."""

import pytest

from tests.ingest.runs import a_run
from verifyhub.verification.models import ClaimVerdict, Verification
from verifyhub.verification.services import run_verification

URL = "/api/v1/interactions/"
MANUAL = {"title": "Manual", "text": "The tax is 19 percent since 2007."}
TRUE = "The tax is 19 percent since 2007."
FALSE = "The tax is 16 percent since 2007."


def verdict(api, **changes):
    run = a_run(**{"answer": TRUE, "sources": [MANUAL]} | changes)
    reply = api.post(URL, run, content_type="application/json")
    assert reply.status_code == 202
    run_verification(verification_id=Verification.objects.get().id)
    return Verification.objects.get().report


def test_a_run_with_sources_has_its_claims_checked(api):
    report = verdict(api)

    assert [claim["status"] for claim in report["claims"]] == ["verified"]
    assert report["claims"][0]["evidence"]["title"] == "Manual"
    row = ClaimVerdict.objects.get()
    assert (row.status, row.start, row.end) == ("verified", 0, len(TRUE))


def test_a_run_without_sources_is_answered_as_before(api):
    report = verdict(api, sources=None)

    assert report["claims"] == []
    assert "claims" not in {check["name"] for check in report["checks"]}


def test_a_project_may_check_none(api, project):
    project.claims_checked = "never"
    project.save()

    assert verdict(api)["claims"] == []


def test_a_project_may_check_against_tool_outputs_alone(api, project):
    project.claims_checked = "always"
    project.save()
    call = {"tool": "read", "input": {"path": "m"}, "output": MANUAL["text"]}

    report = verdict(api, sources=None, tool_calls=[{**call, "status": "ok"}])

    assert report["claims"][0]["evidence"]["origin"] == "tool_call"


@pytest.mark.parametrize(
    ("sends_back", "action", "reason"),
    [
        ("untrue", "accept", "faults_tolerated"),
        ("wrong", "retry", "check_failed"),
    ],
)
def test_local_signs_doubt_and_send_back(api, project, sends_back, action, reason):
    project.thresholds = {"sends_back": sends_back}
    project.save()

    report = verdict(api, answer=FALSE)

    assert "CLAIM_DOUBTED" in {warning["code"] for warning in report["warnings"]}
    assert (report["decision"]["action"], report["decision"]["reason"]) == (
        action,
        reason,
    )


def test_evidence_lifts_no_verdict(api):
    report = verdict(api)

    assert report["verdict"] == "uncertain"
