"""An answer says which one it follows by either id, in whatever order they come."""

import json

import pytest

from tests.factories import ProjectFactory
from tests.ingest.runs import a_run, an_interaction
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.services import record_interaction
from verifyhub.verification.selectors import attempts_before, earlier_attempts

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
