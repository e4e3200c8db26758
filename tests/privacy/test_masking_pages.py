"""People choose what is masked, and look at what was; each look is recorded."""

import pytest

from tests.builders import an_interaction
from tests.client.secrets import planted
from verifyhub.accounts.models import SecretsKept
from verifyhub.audit.models import AuditEvent
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.services import record_interaction

PAGE, API = "/p/acme/settings/secrets/", "/api/v1/masking/"
GIVEN, WORD = planted()["environment"]
CHOICE = {
    "secrets": "sealed",
    "personal": ["email"],
    "patterns": "staff: EMP-####\n\n",
    "shown_to": "lead",
}


def test_a_lead_chooses_and_the_next_run_follows_it(browse, lead, project):
    said = browse(lead).post(PAGE, CHOICE, follow=True)

    project.refresh_from_db()
    run = an_interaction("EMP-1234 is jane@example.org.")
    row, _ = record_interaction(project=project, api_key=None, interaction=run)
    assert "Saved." in said.content.decode()
    assert row.answer.startswith("‹staff:")
    assert "‹email:" in row.answer
    event = AuditEvent.objects.get(action="accounts.masking_set")
    assert event.after["secrets_kept"] == "sealed"


@pytest.mark.parametrize("line", ["no colon", "staff: *abc", "Staff: EMP-####", "a: b"])
def test_a_form_that_cannot_be_used_is_refused_with_its_line(browse, lead, line):
    said = browse(lead).post(PAGE, CHOICE | {"patterns": line})

    assert said.status_code == 422
    assert f"“{line}” cannot be used" in said.content.decode()


def test_reviewers_do_not_choose(browse, reviewer):
    assert browse(reviewer).get(PAGE).status_code == 403


def test_programs_choose_as_people_do(api, project):
    body = {
        "secrets": "as_sent",
        "personal": ["iban"],
        "patterns": [{"name": "staff", "pattern": "EMP-####"}],
        "shown_to": "lead",
        "sends_unmasked": True,
    }

    put = api.put(API, body, content_type="application/json")

    assert put.status_code == 200
    assert api.get(API).json() == put.json() == body
    body["patterns"][0]["pattern"] = "*"
    assert api.put(API, body, content_type="application/json").status_code == 400


@pytest.fixture
def sealed(project) -> Interaction:
    project.secrets_kept = SecretsKept.SEALED
    project.save()
    run = an_interaction(f"It says {GIVEN}.")
    return record_interaction(project=project, api_key=None, interaction=run)[0]


def test_an_admin_looks_at_what_masks_stand_for_and_it_is_recorded(
    browse, admin, sealed
):
    client, page = browse(admin), f"/p/acme/answers/{sealed.id}/secrets/"
    answer = client.get(f"/p/acme/answers/{sealed.id}/").content.decode()
    asked = client.get(page).content.decode()
    assert page in answer
    assert WORD not in asked + answer
    assert not AuditEvent.objects.filter(action="privacy.values_shown").exists()

    shown = client.post(page)

    assert WORD in shown.content.decode()
    assert "no-store" in shown.headers["Cache-Control"]
    event = AuditEvent.objects.get(action="privacy.values_shown")
    assert (event.actor, event.object_id) == (admin, str(sealed.id))
    assert WORD not in str(event.after)


def test_nobody_below_the_chosen_role_looks(browse, lead, sealed):
    page = f"/p/acme/answers/{sealed.id}/secrets/"

    assert browse(lead).post(page).status_code == 403
    assert (
        page not in browse(lead).get(f"/p/acme/answers/{sealed.id}/").content.decode()
    )


def test_a_lost_secret_key_shows_nothing(browse, admin, sealed, settings):
    settings.SECRET_KEY = "x" * 50
    client = browse(admin)

    shown = client.post(f"/p/acme/answers/{sealed.id}/secrets/").content.decode()

    assert "no longer has" in shown
    assert WORD not in shown
