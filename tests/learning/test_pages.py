"""The learning pages: what they show, who may change what, and that it is undone."""

import pytest
from django.urls import reverse

from tests.factories import MembershipFactory, ProjectFactory
from tests.learning.answers import accepted_and_judged
from verifyhub.accounts.models import Project, Role
from verifyhub.learning.models import AppliedAdvice, HoldOut, LabelledExample

pytestmark = pytest.mark.django_db


def address(name, *args) -> str:
    return reverse(f"learning:{name}", args=["acme", *args])


def test_an_empty_project_is_told_what_will_stand_here(viewer, project):
    page = viewer.get(address("page")).content.decode()

    for words in (
        "Too few decisions for advice",
        "No decisions yet",
        "No score can be compared with a decision yet",
        "No answers yet",
        "All sessions receive feedback",
    ):
        assert words in page


def test_strangers_do_not_find_the_page(client, project):
    client.force_login(MembershipFactory(project=ProjectFactory()).user)

    assert client.get(address("page")).status_code == 404


def test_a_viewer_sees_and_changes_nothing(viewer, an_answer, teach):
    teach(an_answer())
    example = LabelledExample.objects.get()

    assert "The file is generated" in viewer.get(address("page")).content.decode()
    refused = viewer.post(address("example-act", example.id, "retire"))
    assert refused.status_code == 403
    assert viewer.post(address("hold-out", "gaps"), {"share": 5}).status_code == 403


def test_an_example_is_retired_and_put_back(lead, an_answer, teach):
    teach(an_answer())
    example = LabelledExample.objects.get()

    lead.post(address("example-act", example.id, "retire"))
    example.refresh_from_db()
    assert (example.state, example.active) == ("retired", False)

    fragment = lead.post(
        address("example-act", example.id, "restore"), headers={"HX-Request": "true"}
    )
    example.refresh_from_db()
    assert example.active
    assert f'id="example-{example.id}"' in fragment.content.decode()


def test_the_example_of_another_project_is_not_there(lead, an_answer, teach):
    teach(an_answer(project=ProjectFactory()))
    example = LabelledExample.objects.get()

    found = lead.post(address("example-act", example.id, "retire"))

    assert found.status_code == 404


def test_examples_are_searched_and_filtered(lead, an_answer, teach):
    teach(an_answer(), reason="Made at build time.")
    teach(an_answer(), reason="Of another branch.")

    found = lead.get(address("example-list"), {"search": "branch"}).content.decode()

    assert "Of another branch." in found
    assert "Made at build time." not in found


def test_hostile_text_of_an_example_is_shown_as_text(lead, an_answer, teach):
    teach(an_answer(task="<script>alert(1)</script>"), reason="<b>bold</b>")

    page = lead.get(address("page")).content.decode()

    assert "<script>alert" not in page
    assert "<b>bold" not in page


def test_a_lead_follows_advice_and_takes_it_back(lead, project):
    accepted_and_judged(project, right=30, wrong=12)
    page = lead.get(address("page")).content.decode()
    assert "Set the confidence below which an answer is uncertain" in page

    lead.post(
        address("advice-apply"),
        {"name": "uncertain_below_confidence", "value": "0.7"},
    )
    project.refresh_from_db()
    assert project.thresholds == {"uncertain_below_confidence": 0.7}

    lead.post(address("advice-undo", AppliedAdvice.objects.get().id))
    assert Project.objects.get(pk=project.pk).thresholds == {}


def test_what_is_not_advised_is_not_set(lead, project):
    lead.post(address("advice-apply"), {"name": "minimum_grade", "value": "A"})

    assert Project.objects.get(pk=project.pk).thresholds == {}


def test_a_lead_holds_sessions_out(lead, project):
    lead.post(address("hold-out", "constraints"), {"share": 20})
    assert HoldOut.objects.get(kind="constraints").share == 20

    lead.post(address("hold-out", "constraints"), {"share": 51})
    assert HoldOut.objects.get(kind="constraints").share == 20
    assert lead.post(address("hold-out", "weather"), {"share": 5}).status_code == 404


def test_the_outlook_says_how_many_would_go_to_review(lead, project):
    accepted_and_judged(project, right=6, wrong=4)

    said = lead.get(
        address("outlook"), {"name": "uncertain_below_confidence", "value": "0.7"}
    ).content.decode()

    assert "4 of the last 10 answers would go to review; now it is 0." in said


def test_an_unusable_value_says_so(lead, project):
    said = lead.get(
        address("outlook"), {"name": "uncertain_below_confidence", "value": "7"}
    )

    assert "This value is invalid" in said.content.decode()


def test_the_settings_page_says_what_its_values_hold_up(client, project):
    member = MembershipFactory(project=project, role=Role.ADMIN)
    client.force_login(member.user)
    accepted_and_judged(project, right=6, wrong=4)

    page = client.get(reverse("memory:settings", args=["acme"])).content.decode()

    assert "0 of the last 10 answers" in page
    assert 'data-outlook="uncertain_below_confidence"' in page
