"""Leads tell every session on a page of their own, and by API."""

import pytest

from tests.factories import ProjectFactory
from tests.markup import markup
from verifyhub.audit.models import AuditEvent
from verifyhub.memory.models import Constraint, MemoryEntry
from verifyhub.memory.selectors import session_context
from verifyhub.memory.services import (
    EntryValuesError,
    correct_name,
    edit_entry,
    prefer,
    retract_shared,
)

pytestmark = pytest.mark.django_db

PAGE = "/p/acme/memory/shared/"
INVENTED = {
    "name": "mind-auth",
    "kind": "package",
    "status": "unverified",
    "suggestion": "mind-engine",
    "reason": "It was never published.",
}


def told(project):
    found = session_context(project=project, session_key="new", task="", budget=2000)
    return found.context.text


def corrected(project, actor, **changes):
    return correct_name(project=project, actor=actor, **{**INVENTED, **changes})


def patch(api, entry, **changes):
    return api.patch(
        f"/api/v1/shared/{entry.id}/", changes, content_type="application/json"
    )


def test_a_lead_corrects_a_name_and_all_are_told(browse, lead, project):
    client = browse(lead)

    assert client.post(f"{PAGE}correct/", INVENTED).status_code == 302

    page = client.get(PAGE).content.decode()
    assert "It was never published." in page
    assert "<code>mind-engine</code>" in page
    assert 'use "mind-engine"; there is no package "mind-auth"' in told(project)
    assert "never published" not in told(project)


def test_a_lead_tells_a_preference(browse, lead, project):
    browse(lead).post(f"{PAGE}prefer/", {"text": "Write British English."})

    assert "- Write British English." in told(project)


@pytest.mark.parametrize(
    ("form", "sent"),
    [
        ("prefer", {"text": " "}),
        ("prefer", {"text": "x" * 501}),
        ("prefer", {"text": "two\u2028lines"}),
        ("prefer", {"text": "x", "expires_at": "2001-01-01T00:00"}),
        ("correct", {**INVENTED, "kind": "spell"}),
        ("correct", {**INVENTED, "reason": "x" * 501}),
    ],
)
def test_what_cannot_be_told_is_refused_and_kept_to_mend(
    browse, lead, project, form, sent
):
    reply = browse(lead).post(f"{PAGE}{form}/", sent)

    assert reply.status_code == 422
    assert "errorlist" in reply.content.decode()
    assert not MemoryEntry.objects.exists()


def test_it_is_retracted_and_told_again_with_its_history(browse, lead, project):
    entry, client = corrected(project, lead), browse(lead)

    client.post(f"{PAGE}{entry.id}/retract/")
    without = told(project)
    client.post(f"{PAGE}{entry.id}/restore/")

    page = markup(client.get(PAGE))
    assert "mind-auth" not in without
    assert "mind-auth" in told(project)
    acts = ("Restored", "Retracted", "Name judged")
    places = [page.index(f"<strong>{act}") for act in acts]
    assert places == sorted(places)
    assert "<del>retracted</del> → <ins>active</ins>" in page


def test_the_second_of_two_retractions_says_so(browse, lead, project):
    entry = corrected(project, lead)
    retract_shared(entry=entry, actor=lead)

    reply = browse(lead).post(f"{PAGE}{entry.id}/retract/", follow=True)

    assert "It was changed by someone else first" in reply.content.decode()


def test_an_empty_page_says_what_it_is_for(browse, viewer, project):
    assert "Shared memory is empty" in browse(viewer).get(PAGE).content.decode()


@pytest.mark.parametrize("role", ["viewer", "reviewer"])
def test_others_see_it_and_change_nothing(browse, lead, project, role, request):
    entry = corrected(project, lead)
    client = browse(request.getfixturevalue(role))

    page = client.get(PAGE).content.decode()

    assert "mind-auth" in page
    assert "<form" not in page.partition('id="main"')[2].partition("</main>")[0]
    for act in ("prefer/", "correct/", f"{entry.id}/retract/"):
        assert client.post(PAGE + act, INVENTED).status_code == 403


def test_another_projects_entries_are_not_there(browse, lead, project):
    entry = corrected(ProjectFactory(), lead, name="their-name")
    client = browse(lead)

    assert "their-name" not in client.get(PAGE).content.decode()
    assert client.post(f"{PAGE}{entry.id}/retract/").status_code == 404


def test_who_is_of_another_project_finds_no_page(browse, outsider, lead, project):
    entry = corrected(project, lead)
    client = browse(outsider)

    assert client.get(PAGE).status_code == 404
    for act in ("prefer/", "correct/", f"{entry.id}/retract/"):
        assert client.post(PAGE + act, INVENTED).status_code == 404
    assert "mind-auth" in told(project)


def test_hostile_text_is_text(browse, lead, project):
    prefer(project=project, text="<b>x</b>\u202e", reason="<i>why</i>", actor=lead)

    page = browse(lead).get(PAGE).content.decode()

    assert "<b>x" not in page
    assert "<i>why" not in page
    assert "\u202e" not in page


def test_queries_do_not_grow_with_the_entries(
    browse, lead, project, django_assert_num_queries, django_assert_max_num_queries
):
    client = browse(lead)
    prefer(project=project, text="One.", actor=lead)
    with django_assert_max_num_queries(40) as few:
        client.get(PAGE)
    for number in range(10):
        prefer(project=project, text=f"Preference {number}.", actor=lead)

    with django_assert_num_queries(len(few)):
        client.get(PAGE)


def test_an_edited_suggestion_is_its_constraints_too(browse, lead, project):
    entry = corrected(project, lead)

    browse(lead).post(
        f"/p/acme/memory/entries/{entry.id}/edit/",
        {
            "suggestion": "mind-core",
            "reason": "Renamed.",
            "seen": entry.updated_at.strftime("%Y-%m-%dT%H:%M:%S.%f%z"),
        },
    )

    entry.refresh_from_db()
    assert (entry.suggestion, entry.reason) == ("mind-core", "Renamed.")
    assert Constraint.objects.get().suggestion == "mind-core"
    assert 'use "mind-core"' in told(project)
    event = AuditEvent.objects.get(action="memory.entry_edited")
    assert event.before == {"suggestion": "mind-engine", "reason": INVENTED["reason"]}


def test_a_correction_that_does_not_rule_leaves_the_constraint(lead, project):
    earlier = corrected(project, lead)
    corrected(project, lead, suggestion="mind-core")
    earlier.refresh_from_db()

    values = {"suggestion": "mind-other"}
    edit_entry(entry=earlier, values=values, loaded_at=earlier.updated_at, actor=lead)

    assert Constraint.objects.get().suggestion == "mind-core"


def test_a_preference_stays_one_that_can_be_told(lead, project):
    entry = prefer(project=project, text="One.", actor=lead)

    with pytest.raises(EntryValuesError):
        edit_entry(
            entry=entry,
            values={"text": "x" * 501},
            loaded_at=entry.updated_at,
            actor=lead,
        )


def test_the_api_edits_what_is_told(api, lead, project):
    entry = corrected(project, lead)

    reply = patch(api, entry, suggestion="mind-core", reason="Renamed.")

    assert reply.status_code == 200
    assert (reply.json()["suggestion"], reply.json()["reason"]) == (
        "mind-core",
        "Renamed.",
    )
    assert Constraint.objects.get().suggestion == "mind-core"


def test_the_api_sets_an_end_and_takes_it_back_by_null(api, lead, project):
    entry = corrected(project, lead, reason="Renamed.")

    ending = patch(api, entry, expires_at="2099-01-01T00:00").json()
    lasting = patch(api, entry, expires_at=None).json()

    assert ending["expires_at"] == "2099-01-01T00:00:00Z"
    assert (lasting["expires_at"], lasting["reason"]) == (None, "Renamed.")


def test_the_api_tells_again_what_was_retracted(api, lead, project):
    entry = corrected(project, lead)
    retract_shared(entry=entry, actor=lead)

    assert patch(api, entry, state="active").json()["state"] == "active"
    assert "mind-auth" in told(project)
    assert patch(api, entry, state="active").status_code == 400


@pytest.mark.parametrize(
    "wrong",
    [{"text": "other"}, {"suggestion": "a\u2028b"}, {"expires_at": "2001-01-01"}],
)
def test_the_api_says_which_value_cannot_be(api, lead, project, wrong):
    reply = patch(api, corrected(project, lead), **wrong)

    assert reply.status_code == 400
    assert reply.json()["errors"][0]["field"] == next(iter(wrong))


def test_the_api_edits_no_foreign_entry(api, lead, project):
    assert patch(api, corrected(ProjectFactory(), lead), reason="x").status_code == 404
