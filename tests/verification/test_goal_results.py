"""Results of goal checks: kept with the interaction and in a log nobody can change."""

import pytest
from django.db import IntegrityError, connection, transaction

from tests.builders import a_tool_call, an_interaction
from tests.model_server import a_call, an_honest_goal, send_json, the_material
from tests.stored import BOTH_TIERS, configured_model, verify_stored
from verifyhub.engine.llm.configure import ModelSettings
from verifyhub.verification.models import Verification, VerificationLog
from verifyhub.verification.services import reverify, run_verification

pytestmark = pytest.mark.django_db

LISTED = a_tool_call("list", output="dates.py\n")
GOAL = "Name the module that parses dates."


def respond_with(**changes):
    def respond(handler, request):
        said = an_honest_goal(the_material(request)) | changes
        send_json(handler, a_call(said, name="submit_goal_verification"))

    return respond


def verified(settings, project, respond, answer="In `dates.py`.", **fields):
    run = an_interaction(answer, LISTED, **{"goal": GOAL, **fields})
    with configured_model(settings, respond, models=BOTH_TIERS) as server:
        return verify_stored(project, run).interaction, server.requests


def test_a_missed_goal_is_logged_and_kept_with_the_interaction(settings, project):
    respond = respond_with(goalAchieved=False, issues=["No line is given."])

    row, requests = verified(settings, project, respond)

    log = VerificationLog.objects.get()
    assert (log.project, log.interaction, log.type) == (project, row, "agent")
    assert log.goal == GOAL
    assert log.result["goalAchieved"] is False
    assert log.result["issues"] == ["No line is given."]
    (kept,) = row.verification_results
    assert (kept["id"], kept["attempt"]) == (str(log.id), 1)
    assert len(requests) == 1


def test_a_second_verification_adds_to_the_list(settings, project):
    row, _ = verified(settings, project, respond_with())
    settings.MODELS = ModelSettings(base_url="", models={})
    claim = an_interaction("All tests pass.", LISTED, goal="Make them pass.", id="b")
    other = verify_stored(project, claim).interaction
    again = reverify(interaction=other, actor=None)
    run_verification(verification_id=again.id)

    row.refresh_from_db()
    other.refresh_from_db()
    assert [kept["verification"] for kept in other.verification_results] == [1, 2]
    assert [kept["source"] for kept in other.verification_results] == ["ledger"] * 2
    assert len(row.verification_results) == 1


def test_what_was_not_checked_is_not_logged(project):
    run = an_interaction("In `dates.py`.", LISTED, goal=GOAL)

    verify_stored(project, run)

    assert Verification.objects.get().report["goal"]["state"] == "not_checked"
    assert not VerificationLog.objects.exists()


def test_an_outage_is_logged_as_inconclusive(settings, project):
    verified(settings, project, lambda handler, _: send_json(handler, {}, status=500))

    log = VerificationLog.objects.get()
    assert (log.result["state"], log.result["goalAchieved"]) == ("inconclusive", None)
    assert log.result["confidence"] is None


@pytest.mark.parametrize("change", ["update", "delete"])
def test_a_log_can_be_neither_changed_nor_deleted(settings, project, change):
    verified(settings, project, respond_with())
    rows = VerificationLog.objects.all()

    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        rows.update(goal="other") if change == "update" else rows.delete()


def test_the_log_cannot_be_truncated_by_the_program(db):
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL verifyhub.truncate_audit = 'off'")

        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
            cursor.execute("TRUNCATE verification_verificationlog")


def test_the_api_takes_a_goal_and_shows_its_results(settings, project, api):
    body = {
        "id": "run-1",
        "task": "Which?",
        "answer": "All tests pass.",
        "goal": "Make the tests pass.",
    }
    api.post("/api/v1/interactions/", body, content_type="application/json")
    run_verification(verification_id=Verification.objects.get().id)

    shown = api.get("/api/v1/interactions/run-1/").json()

    assert shown["goal"] == "Make the tests pass."
    assert shown["verification_results"][0]["goalAchieved"] is False
    assert shown["verdict"]["goal"]["issues"] == [
        "No tool call did this: All tests pass."
    ]
