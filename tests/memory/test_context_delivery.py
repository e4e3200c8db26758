import datetime as dt
import hashlib
import json

import pytest
from django.utils import timezone

from tests.factories import ConstraintFactory
from tests.memory.reports import mention, remember
from verifyhub.engine.memory.formats import BEGIN, END
from verifyhub.learning.models import Arm, HoldOut
from verifyhub.memory.models import ContextDelivery
from verifyhub.memory.services import DELIVERY_RETENTION, deliver_context

pytestmark = pytest.mark.django_db


def delivered(project, session="new", **asked):
    asked = {"task": "", "budget": 1000, "format": "text", **asked}
    return deliver_context(project=project, session_key=session, **asked)


def test_what_was_delivered_is_recorded_with_its_hash(project):
    constraint = ConstraintFactory(project=project, text="mind-auth")
    session = remember(project, mention("mind-engine", status="verified")).session

    told = delivered(project, session.key).delivered

    row = ContextDelivery.objects.get()
    assert row.sha256 == told.sha256 == hashlib.sha256(told.body.encode()).hexdigest()
    assert row.session == session
    assert row.counts == {"constraints": 1, "findings": 1}
    assert row.constraint_ids == [constraint.id]
    assert len(row.entry_ids) == 1


def test_the_same_text_has_the_same_hash(project):
    ConstraintFactory(project=project)

    first, second = delivered(project), delivered(project)

    assert first.delivered.sha256 == second.delivered.sha256
    assert first.id != second.id


def test_json_carries_its_own_hash(project):
    ConstraintFactory(project=project)

    body = json.loads(delivered(project, format="json").delivered.body)

    assert body["sha256"] == ContextDelivery.objects.get().sha256


def test_markdown_stands_between_markers_with_names_as_code(project):
    ConstraintFactory(project=project, text="mind`auth", suggestion="mind-engine")

    lines = delivered(project, format="markdown").delivered.body.splitlines()

    assert (lines[0], lines[-1]) == (BEGIN, END)
    assert '- use `"mind-engine"`; there is no file `"mind\\u0060auth"`.' in lines


def test_mcp_is_the_result_of_reading_a_resource(project):
    ConstraintFactory(project=project, text="mind-auth")

    told = delivered(project, "team/a b", format="mcp").delivered

    content = json.loads(told.body)["contents"][0]
    assert content["uri"] == "verifyhub://context/team%2Fa%20b"
    assert content["mimeType"] == "text/markdown"
    assert "mind-auth" in content["text"]


@pytest.mark.parametrize("kind", ["text", "json", "markdown", "mcp"])
def test_the_api_names_the_hash_as_the_entity_tag(api, project, kind):
    ConstraintFactory(project=project)

    reply = api.get("/api/v1/sessions/new/context/", {"format": kind})

    assert reply.headers["ETag"] == f'"{ContextDelivery.objects.get().sha256}"'


def test_a_context_that_is_known_already_is_not_sent_again(api, project):
    ConstraintFactory(project=project)
    url = "/api/v1/sessions/new/context/"
    tag = api.get(url).headers["ETag"]

    again = api.get(url, headers={"if-none-match": tag})

    assert (again.status_code, again.content) == (304, b"")
    ConstraintFactory(project=project, text="other")
    assert api.get(url, headers={"if-none-match": tag}).status_code == 200


def test_old_deliveries_are_forgotten(project):
    delivered(project)
    delivered(project)
    old = ContextDelivery.objects.order_by("created_at").first()
    age = timezone.now() - dt.timedelta(days=91)
    ContextDelivery.objects.filter(pk=old.pk).update(created_at=age)

    assert DELIVERY_RETENTION.apply(now=timezone.now()) == 1
    assert ContextDelivery.objects.count() == 1


def test_a_session_is_not_told_what_it_is_held_out_from(project):
    ConstraintFactory(project=project)
    HoldOut.objects.create(project=project, kind="constraints", share=50, salt="s")
    Arm.objects.create(
        project=project, session_key="s", kind="constraints", held_out=True
    )

    told = delivered(project, "s")

    assert told.context.text == ""
    assert ContextDelivery.objects.get().held_out == ["constraints"]


def test_a_real_name_near_the_invented_one_is_told_first(project):
    real = {**mention("mind-engine", status="verified"), "grade": "B"}
    session = remember(project, real, mention("mind-engin")).session

    text = delivered(project, session.key).context.text

    assert '- "mind-engine" exists, nearest to it; there is no package' in text


def test_the_api_shares_a_preference_and_takes_it_back(api, project):
    made = api.post(
        "/api/v1/shared/",
        {"kind": "preference", "text": "Write British English."},
        content_type="application/json",
    )
    text = delivered(project).context.text

    gone = api.delete(f"/api/v1/shared/{made.json()['id']}/")

    assert (made.status_code, gone.status_code) == (201, 204)
    assert "British" in text
    assert delivered(project).context.text == ""


def test_the_api_refuses_a_preference_of_two_lines(api, project):
    reply = api.post(
        "/api/v1/shared/",
        {"kind": "preference", "text": "one\ntwo"},
        content_type="application/json",
    )

    assert reply.status_code == 400
    assert reply.json()["errors"][0]["field"] == "text"
