"""A verdict and the news of it commit together or not at all."""

import pytest
from django.db import connection

from tests.ingest.runs import a_call, a_run
from verifyhub.common.row_queue import MAX_ATTEMPTS, SPARE_ATTEMPTS
from verifyhub.events.models import Event
from verifyhub.verification.models import Detection, Verification
from verifyhub.verification.services import (
    VERIFICATIONS,
    run_detection,
    run_verification,
)
from verifyhub.verification.steps import AFTER_VERIFICATION

URL = "/api/v1/interactions/"


def sent(api, **fields):
    api.post(URL, a_run(**fields), content_type="application/json")
    return Verification.objects.get()


def told():
    connection.check_constraints()
    return {one.type: one for one in Event.objects.order_by("position")}


def test_a_verdict_is_told_with_what_it_holds(api):
    run = sent(
        api,
        id="run-1",
        answer="See `shop/pricing.py` and `shop/tax.py`.",
        tool_calls=[a_call(tool="ls", output="shop/pricing.py")],
    )

    run_verification(verification_id=run.id)

    event = told()["verification.completed"]
    run.refresh_from_db()
    assert event.subject["verification"] == str(run.id)
    assert event.subject["name"] == "run-1"
    assert event.data["verification"]["verdict"] == run.verdict
    assert event.data["verification"]["verified"] == ["shop/pricing.py"]
    assert event.data["verification"]["unverified"] == ["shop/tax.py"]


def test_an_orchestrators_answer_is_told_as_such_too(api):
    run = sent(api, answer="All of it works.", verification_type="orchestrator")

    run_verification(verification_id=run.id)

    data = told()["orchestrator.answered"].data
    assert data["synthesizedAnswer"] == "All of it works."
    assert {"confidence", "completeness", "gaps", "unverifiedMentions"} <= data.keys()


def test_where_the_verdict_is_not_written_nothing_is_told(api, add_step):
    run = sent(api)

    def refuse(_finished):
        raise RuntimeError

    add_step(AFTER_VERIFICATION, refuse)

    run_verification(verification_id=run.id)

    assert told() == {}


@pytest.mark.parametrize("attempts", [0, MAX_ATTEMPTS - 1])
def test_only_the_last_failure_is_told(api, attempts):
    run = sent(api)
    Verification.objects.update(attempts=attempts)
    held = VERIFICATIONS.claim(run.id)

    VERIFICATIONS.release(held, "Broken: on purpose")

    failed = told().get("verification.failed")
    assert (failed is not None) == (attempts > 0)
    if failed:
        assert failed.data["error"] == "Broken: on purpose"


def test_layers_that_were_asked_for_are_told_with_their_row(api, project):
    row = Detection.objects.create(project=project, text="Water boils at 100 degrees.")

    run_detection(detection_id=row.id)

    event = told()["detection.completed"]
    assert event.subject == {"detection": str(row.id)}
    assert event.data["detection"]["riskLevel"]
    assert event.data["detection"]["passed"] is None


def test_a_worker_that_is_lost_for_good_is_told(api):
    run = sent(api)
    Verification.objects.update(attempts=MAX_ATTEMPTS + SPARE_ATTEMPTS - 1)
    VERIFICATIONS.claim(run.id)
    Verification.objects.update(lease_until="2020-01-01T00:00:00Z")

    VERIFICATIONS.reconcile()

    assert told()["verification.failed"].subject["verification"] == str(run.id)
