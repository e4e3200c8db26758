"""Decisions by programs: as the key itself, once, of the version that was seen."""

import pytest
from django.test import Client

from tests.factories import ApiKeyFactory, ReviewItemFactory
from tests.review.test_decide import invented
from verifyhub.review.models import Override, ReviewItem

SECRET = "vh_judge_0123456789abcdef0123456789abcdef"


@pytest.fixture
def judge(project):
    ApiKeyFactory(
        project=project, name="judge", secret=SECRET, scopes=["review", "read"]
    )
    return Client(headers={"authorization": f"Bearer {SECRET}"})


def url(item, tail=""):
    return f"/api/v1/review/items/{item.id}/{tail}"


def post(client, item, body, tail="decisions/", **headers):
    return client.post(
        url(item, tail), body, content_type="application/json", headers=headers
    )


def test_a_key_overrides_and_is_named(judge, item):
    reply = post(judge, item, {"version": 0, "verdict": "accept", "reason": "Exists."})

    assert reply.status_code == 200
    assert reply.json()["decisions"][0]["by"] == "key judge"
    shown = judge.get(url(item)).json()
    assert (shown["state"], shown["resolved_by"]) == ("overridden", "key judge")


def test_a_preview_tells_and_keeps_nothing(judge, item):
    name = invented(item)
    body = {
        "version": 0,
        "mentions": [{"index": name.index, "status": "unverified"}],
        "reason": "No.",
    }

    reply = post(judge, item, body, "decisions/preview/")

    reach = [e["text"] for e in reply.json()["effects"] if e["type"] == "reach"]
    assert reach[0].startswith("Shared with other sessions once a second person")
    assert not Override.objects.exists()


def test_an_act_is_undone(judge, item):
    act = post(judge, item, {"version": 0, "agree": True}).json()["act"]

    reply = post(judge, item, {"version": 1, "act": act}, "decisions/undo/")

    assert reply.json()["state"] == "open"
    item.refresh_from_db()
    assert item.state == ReviewItem.State.OPEN


def test_a_stale_version_is_a_conflict(judge, item):
    reply = post(judge, item, {"version": 7, "agree": True})

    assert reply.status_code == 409
    assert not Override.objects.exists()


def test_what_is_deleted_while_it_is_decided_is_a_conflict(judge, item, monkeypatch):
    def read_and_delete(_request, item_id):
        read = ReviewItem.objects.get(pk=item_id)
        ReviewItem.objects.filter(pk=item_id).delete()
        return read

    monkeypatch.setattr("verifyhub.review.api.decisions._project_item", read_and_delete)

    reply = post(judge, item, {"version": 0, "agree": True})

    assert reply.status_code == 409
    assert "was deleted" in reply.json()["detail"]


def test_the_same_idempotency_key_decides_once(judge, item):
    headers = {"Idempotency-Key": "one"}

    first = post(judge, item, {"version": 0, "agree": True}, **headers)
    again = post(judge, item, {"version": 0, "agree": True}, **headers)

    assert again.json() == first.json()
    assert again.headers["Idempotent-Replayed"] == "true"
    assert Override.objects.count() == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"agree": True}, "version"),
        ({"version": 0, "verdict": "accept"}, "reason"),
        ({"version": 0, "colour": "red"}, "colour"),
        ({"version": 0, "agree": 1}, "agree"),
        ({"version": 0, "mentions": [{"index": 0}]}, "mentions[0].status"),
        ({"version": 0, "claims": [{"index": True, "status": "x"}]}, "claims[0].index"),
        ({"version": 0, "note": "a\x00b"}, "note"),
        ({"version": 0}, "decision"),
    ],
)
def test_a_wrong_field_is_named(judge, item, body, field):
    reply = post(judge, item, body)

    assert reply.status_code == 400
    assert reply.json()["errors"][0]["field"] == field


def test_a_key_may_not_judge_its_own_answer(judge, item, project):
    item.interaction.api_key = project.api_keys.get(name="judge")
    item.interaction.save()

    assert post(judge, item, {"version": 0, "agree": True}).status_code == 403


def test_the_scope_review_is_needed(api, item, api_key):
    api_key.scopes = ["ingest", "read"]
    api_key.save()

    assert post(api, item, {"version": 0, "agree": True}).status_code == 403


def test_items_of_another_project_are_not_found(judge, db):
    foreign = ReviewItemFactory()

    assert judge.get(url(foreign)).status_code == 404
    assert post(judge, foreign, {"version": 0, "agree": True}).status_code == 404
