"""Four steps over a stored answer or a task, each kept as it ends."""

import pytest

from tests.factories import InteractionFactory, ProjectFactory
from tests.ingest.runs import a_call, a_run
from tests.verification.writing_model import writing
from verifyhub.verification.models import Deliberation, Verification
from verifyhub.verification.services import run_deliberation, run_verification

URL = "/api/v1/deliberations/"
INTERACTIONS = "/api/v1/interactions/"
JSON = "application/json"
WRONG = "Prices are in `shop/pricing.py`; `shop/taxes.py` adds the tax."
RIGHT = "Prices are in `shop/pricing.py`; `shop/cart.py` uses them."
SOURCE = "The tower was finished in 1889."


def done(reply):
    row = Deliberation.objects.get(id=reply.json()["id"])
    run_deliberation(deliberation_id=row.id)
    row.refresh_from_db()
    return row


@pytest.fixture
def answered(api):
    call = a_call(tool="ls", input={}, output="shop/pricing.py\nshop/cart.py\n")
    body = a_run(id="run-1", answer=WRONG, tool_calls=[call])
    api.post(INTERACTIONS, body, content_type=JSON)
    run_verification(verification_id=Verification.objects.get().id)


def test_an_answer_is_the_draft_and_its_synthesis_is_verified(api, answered, settings):
    with writing(settings, "The tax file is in no listing.", RIGHT):
        reply = api.post(f"{INTERACTIONS}run-1/deliberate/")
        row = done(reply)

    assert reply.status_code == 202
    assert row.state == "finished"
    assert [step["name"] for step in row.steps] == [
        "draft",
        "critique",
        "fact_check",
        "synthesis",
    ]
    assert row.step("draft")["text"] == WRONG
    assert row.step("synthesis")["text"] == RIGHT
    assert row.step("synthesis")["details"]["offered"] is True
    read = api.get(reply["Location"]).json()
    assert read["steps"] == row.steps
    assert read["page"].endswith(f"/deliberations/{row.id}/")


def test_without_a_model_the_fact_check_alone_runs(api):
    body = {
        "task": "When was the tower finished?",
        "draft": f"{SOURCE} It has three floors.",
        "sources": [SOURCE],
    }

    row = done(api.post(URL, body, content_type=JSON))

    assert [step["state"] for step in row.steps] == [
        "done",
        "skipped",
        "done",
        "skipped",
    ]
    assert row.step("critique")["reason"] == "no_model"
    shown, unshown = row.step("fact_check")["details"]["claims"]
    assert (shown["status"], shown["evidence"]["text"]) == ("verified", SOURCE)
    assert unshown["status"] == "unknown"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "task"),
        ({"task": "x", "drafted": "y"}, "drafted"),
        ({"task": "x", "sources": [1]}, "sources[0]"),
    ],
)
def test_what_cannot_be_used_is_named(api, body, field):
    reply = api.post(URL, body, content_type=JSON)

    assert reply.status_code == 400
    assert reply.json()["errors"][0]["field"] == field


def test_of_another_project_there_is_none(api):
    InteractionFactory(client_id="run-1")
    row = Deliberation.objects.create(project=ProjectFactory(), task="theirs")

    assert api.post(f"{INTERACTIONS}run-1/deliberate/").status_code == 404
    assert api.get(f"{URL}{row.id}/").status_code == 404
