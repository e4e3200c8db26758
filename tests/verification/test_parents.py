"""An answer says which one it follows by either id, in whatever order they come."""

import json

import pytest

from tests.factories import ProjectFactory
from tests.ingest.runs import a_run, an_interaction
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.services import record_interaction
from verifyhub.verification.models import Verification
from verifyhub.verification.selectors import attempts_before, earlier_attempts
from verifyhub.verification.services import run_due, run_verification
from verifyhub.verification.services.engine_run import load_runs
from verifyhub.verification.services.run import VERIFICATIONS
from verifyhub.verification.services.run import _finish as finish

pytestmark = pytest.mark.django_db
URL = "/api/v1/interactions/"


def post(api, **fields):
    return api.post(URL, json.dumps(a_run(**fields)), content_type="application/json")


def test_a_parent_may_be_named_by_the_servers_id(api):
    post(api)
    first = Interaction.objects.get()

    reply = post(api, id="second", parent=str(first.id))

    second = Interaction.objects.get(client_id="second")
    assert reply.status_code == 202
    assert earlier_attempts(second) == [first]


def test_a_parent_that_is_not_there_is_refused_by_field(api):
    reply = post(api, id="second", parent="nobody")

    [error] = reply.json()["errors"]
    assert (reply.status_code, error["field"]) == (422, "parent")
    assert not Interaction.objects.exists()


def test_a_parent_of_another_project_is_not_there(api):
    row, _ = record_interaction(
        project=ProjectFactory(), api_key=None, interaction=an_interaction(id="theirs")
    )

    assert post(api, parent="theirs").status_code == 422
    assert post(api, parent=str(row.id)).status_code == 422


def test_a_parent_that_is_expected_is_linked_when_it_comes(api):
    assert post(api, id="part", parent="whole", parent_expected=True).status_code == 202

    post(api, id="whole")

    part, whole = (Interaction.objects.get(client_id=id_) for id_ in ("part", "whole"))
    assert earlier_attempts(part) == [whole]


READ = {
    "tool": "read",
    "input": {"path": "dates.py"},
    "output": "def parse_iso(text):",
    "status": "ok",
}
PART = {"id": "part", "parent": "whole", "parent_expected": True, "session": None}


def verify_all():
    while Verification.objects.filter(state="pending").exists():
        run_due()


def newest(name):
    rows = Verification.objects.filter(interaction__client_id=name)
    return rows.order_by("-number").first()


def test_what_was_verified_before_its_parent_came_is_verified_once_more(api):
    post(api, **PART, answer="`parse_iso` reads them.", tool_calls=[])
    verify_all()
    alone = newest("part").unverified_count

    post(api, id="whole", session=None, tool_calls=[READ])
    verify_all()

    again = newest("part")
    assert (alone, again.number, again.unverified_count) == (1, 2, 0)
    assert newest("whole").number == 1


def test_a_parent_that_comes_while_an_answer_is_verified_is_seen_in_the_end(api):
    post(api, **PART, answer="`parse_iso` reads them.", tool_calls=[])
    held = VERIFICATIONS.claim(newest("part").id)
    [begun] = load_runs([held.row_id])
    post(api, id="whole", session=None, tool_calls=[READ])
    run_verification(verification_id=newest("whole").id)

    assert finish([begun.result()], {held.row_id: held}) == 1
    verify_all()

    again = newest("part")
    assert (again.number, again.unverified_count) == (2, 0)


def test_what_knew_its_parent_is_verified_once(api):
    post(api, id="whole", session=None, tool_calls=[READ])
    post(api, **PART, answer="`parse_iso` reads them.", tool_calls=[])
    verify_all()

    assert (newest("part").number, newest("part").unverified_count) == (1, 0)


def test_answers_that_follow_each_other_end(api):
    post(api, **PART)
    verify_all()
    post(api, id="whole", parent="part", session=None)
    verify_all()

    assert (newest("part").number, newest("whole").number) == (2, 1)


def test_the_lines_of_a_bulk_come_in_any_order(api):
    lines = [a_run(id="second", parent="first"), a_run(id="first")]

    reply = api.post(
        "/api/v1/bulk/",
        "\n".join(map(json.dumps, lines)),
        content_type="application/x-ndjson",
    )
    summary = json.loads(reply.getvalue().splitlines()[-1])["summary"]

    second, first = (Interaction.objects.get(client_id=one["id"]) for one in lines)
    assert summary["bulk"]["created"] == 2
    assert earlier_attempts(second) == [first]


def test_attempts_of_many_answers_are_found_by_three_queries(
    project, django_assert_max_num_queries
):
    rows = [
        record_interaction(
            project=project,
            api_key=None,
            interaction=an_interaction(id=str(number), parent=str(number - 1)),
        )[0]
        for number in range(8)
    ]

    with django_assert_max_num_queries(3):
        found = attempts_before(rows)

    assert [len(found[row.id]) for row in rows] == list(range(8))
