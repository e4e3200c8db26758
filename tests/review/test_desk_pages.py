"""What the desk keeps for people: reasons, drafts, keys; and that the sheet is true."""

import json
import re
from pathlib import Path

import pytest

from tests.markup import markup
from verifyhub.audit.models import AuditEvent
from verifyhub.review.answer_page.keys import KEYS
from verifyhub.review.models import Draft, Override, ReasonCode

PACKAGE = Path(__file__).parents[2] / "verifyhub"
REASONS = "/p/acme/review/reasons/"


def draft(client, item, version, content):
    return client.post(
        f"/p/acme/answers/{item.interaction_id}/draft/",
        json.dumps({"version": version, "content": content}),
        content_type="application/json",
    )


def test_every_key_of_the_sheet_does_something():
    script = "".join(
        (PACKAGE / f"static/js/{name}.js").read_text() for name in ("review", "queue")
    )
    pages = "".join(
        path.read_text() for path in (PACKAGE / "templates/review").glob("*.html")
    )
    done = set(re.findall(r'data-action="([a-z-]+)"', pages))
    done |= set(re.findall(r'^    "?([a-z-]+)"?: \(\) =>', script, re.MULTILINE))

    actions = {key.action for key in KEYS if len(key.key) == 1}

    assert actions <= done
    assert len({key.key for key in KEYS}) == len(KEYS)


def test_leads_add_rename_order_and_retire_reasons(browse, lead, project):
    client = browse(lead)

    client.post(REASONS, {"label": "Wrong tenant"})
    url = f"{REASONS}wrong_tenant/"
    client.post(url, {"act": "rename", "label": "Another tenant's"})
    for _ in range(20):
        client.post(url, {"act": "up"})
    client.post(f"{REASONS}exists/", {"act": "retire"})

    rows = list(ReasonCode.objects.order_by("position", "id"))
    assert (rows[0].code, rows[0].label) == ("wrong_tenant", "Another tenant's")
    assert ReasonCode.objects.get(code="exists").retired_at is not None
    assert AuditEvent.objects.filter(action="review.reason_retired").count() == 1


def test_old_decisions_keep_a_retired_reason(browse, lead, item, answered):
    client = browse(lead)
    client.post(
        f"/p/acme/answers/{item.interaction_id}/override/",
        {"version": 0, "verdict": "accept", "reason_codes": ["exists"]},
    )
    client.post(f"{REASONS}exists/", {"act": "retire"})

    page = markup(client.get(f"/p/acme/answers/{item.interaction_id}/"))

    assert Override.objects.get().reason_codes == ["exists"]
    assert '<span class="tag">It exists, I looked</span>' in page
    other = answered(task="And the tax?")
    choices = markup(client.get(f"/p/acme/answers/{other.id}/"))
    assert 'name="reason_codes"' in choices
    assert 'value="exists"' not in choices


@pytest.mark.parametrize("label", ["", "x" * 81, "invented"])
def test_an_unusable_reason_is_refused_and_kept_in_the_field(browse, lead, label):
    response = browse(lead).post(REASONS, {"label": label})

    assert response.status_code == 422
    assert f'value="{label}"' in response.content.decode()


def test_reviewers_may_not_edit_reasons(browse, reviewer):
    assert browse(reviewer).get(REASONS).status_code == 403


def test_a_draft_is_kept_per_person_and_never_over_a_newer_one(browse, reviewer, item):
    client = browse(reviewer)

    first = draft(client, item, 0, {"override": {"reason": "a"}})
    second = draft(client, item, 1, {"note": {"note": "b"}})
    stale = draft(client, item, 1, {"override": {"reason": "old"}})

    assert [first.status_code, second.status_code, stale.status_code] == [200, 200, 409]
    assert Draft.objects.get().content == {
        "override": {"reason": "a"},
        "note": {"note": "b"},
    }


@pytest.mark.parametrize(
    "body", ["[]", "{", '{"version": true, "content": {}}', '{"version": 0}']
)
def test_a_body_that_is_no_draft_is_refused(browse, reviewer, item, body):
    response = browse(reviewer).post(
        f"/p/acme/answers/{item.interaction_id}/draft/",
        body,
        content_type="application/json",
    )

    assert response.status_code == 400


def test_keys_are_remembered_per_person(browse, reviewer, item):
    response = browse(reviewer).post(
        "/p/acme/review/keys/", {"mode": "off", "next": "//evil.example/"}
    )

    reviewer.refresh_from_db()
    assert reviewer.key_mode == "off"
    assert response.url == "/"
