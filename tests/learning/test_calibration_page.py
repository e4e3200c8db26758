"""The calibration page: what it shows, what it teaches, and who may act."""

from xml.etree import ElementTree

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import MembershipFactory, ProjectFactory
from tests.learning.decided import boastful, capped, decided
from verifyhub.learning.models import (
    BlockingRule,
    CalibrationModel,
    CalibrationSample,
)
from verifyhub.learning.selectors import calibrators_in_force
from verifyhub.learning.services import activate_calibration, fit_calibration

pytestmark = pytest.mark.django_db


def address(name, *args) -> str:
    return reverse(f"learning:{name}", args=["acme", *args])


def seen(client) -> str:
    return client.get(address("calibration")).content.decode()


def test_an_empty_project_is_told_what_a_fit_takes(viewer, project):
    page = seen(viewer)

    assert "Every score is uncalibrated" in page
    assert "100 for a check, at least 20 that call the answer correct" in page
    assert "needs 19" in page


def test_a_check_with_too_few_decisions_says_how_many_are_missing(lead, project):
    decided(project, boastful(63))

    page = seen(lead)

    assert "37 more are needed for a fit" in page
    assert "Uncalibrated" in page
    assert "Fit now" not in page


def test_a_fitted_check_shows_figures_diagrams_and_their_tables(
    viewer, project, fitted
):
    decided(project, boastful(300))
    model = fitted()

    page = seen(viewer)

    assert f"{model.measured_before.brier:.4f}" in page
    assert f"{model.measured_after.ece:.4f}" in page
    assert page.count("<table") == 4
    for which in ("before", "after"):
        assert address("calibration-plot", model.id, which) in page
    assert "Activate" not in page


@pytest.mark.parametrize("which", ["before", "after"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_diagram_is_an_image_in_both_themes(viewer, project, fitted, which, theme):
    decided(project, boastful(300))

    reply = viewer.get(
        address("calibration-plot", fitted().id, which), {"theme": theme}
    )

    assert reply["Content-Type"] == "image/svg+xml"
    texts = {
        one.text for one in ElementTree.fromstring(reply.content).iter() if one.text
    }
    assert "correct according to reviewers" in texts
    assert any(text.startswith("n=") for text in texts)


def test_no_other_diagram_is_there(viewer, project, fitted):
    decided(project, boastful(300))
    model = fitted()
    decided(theirs := ProjectFactory(), boastful(300))
    other = fit_calibration(
        project=theirs, check="verdict", actor=None, now=timezone.now()
    )

    for id_, which in ((model.id, "between"), (other.id, "before")):
        assert viewer.get(address("calibration-plot", id_, which)).status_code == 404


def test_a_lead_fits_activates_and_returns(lead, project):
    decided(project, boastful(300))
    assert "Fit now" in seen(lead)

    lead.post(address("calibration-fit"), {"check": "verdict"})
    model = CalibrationModel.objects.get()
    assert "Activate platt 1" in seen(lead)

    lead.post(address("calibration-activate", model.id))
    assert calibrators_in_force(project)["verdict"].version == "platt 1"
    assert "Return to raw scores" in seen(lead)

    lead.post(address("calibration-return", "previous"), {"check": "verdict"})
    assert calibrators_in_force(project) == {}


def test_a_refused_fit_says_why_with_numbers(lead, project):
    tenth = [
        (at / 10 + 0.05, hit < 2 * at + 1) for hit in range(20) for at in range(10)
    ]
    decided(project, tenth * 2)

    page = lead.post(
        address("calibration-fit"), {"check": "verdict"}, follow=True
    ).content.decode()

    assert "the fit was no better than the raw scores" in page
    assert "Brier score" in page
    assert "Refused" in page
    assert "Activate" not in page


def test_a_calibration_that_makes_a_profile_impossible_says_the_arithmetic(
    lead, project, fitted
):
    decided(project, capped(400, 0.6), check="semantic_entropy")
    model = fitted("semantic_entropy")

    page = lead.post(
        address("calibration-activate", model.id), follow=True
    ).content.decode()

    assert "no text could pass where the risk is critical" in page
    assert "below the floor 0.95" in page
    assert calibrators_in_force(project) == {}


def test_decisions_that_were_taken_back_are_named(viewer, project, reviewer, fitted):
    samples = decided(project, boastful(300))
    activate_calibration(model=fitted(), actor=reviewer)
    CalibrationSample.objects.filter(pk=samples[0].pk).update(active=False)

    assert "1 decision behind platt 1 has been undone" in seen(viewer)


def test_a_lead_switches_blocking_on_and_off(lead, project):
    decided(project, boastful(300))
    assert "No answer is blocked by its score." in seen(lead)

    lead.post(address("blocking-on"), {"check": "verdict", "percent": "5"})
    rule = BlockingRule.objects.get()
    page = seen(lead)
    assert f"At most 5 % false blocks, n = {rule.n}." in page

    lead.post(address("blocking-off"))
    assert "No answer is blocked by its score." in seen(lead)


@pytest.mark.parametrize(
    "asked",
    [
        {"check": "verdict", "percent": "0"},
        {"check": "verdict", "percent": "51"},
        {"check": "weather", "percent": "5"},
        {"check": "mention", "percent": "5"},
    ],
)
def test_what_cannot_be_promised_is_not_switched_on(lead, project, asked):
    decided(project, boastful(300))
    decided(project, boastful(300), check="mention")

    page = lead.post(address("blocking-on"), asked, follow=True).content.decode()

    assert "a share above 0 and up to 50 percent" in page
    assert not BlockingRule.objects.exists()


def test_only_leads_act(viewer, project, fitted):
    decided(project, boastful(300))
    model = fitted()

    for name, args in (
        ("calibration-fit", ()),
        ("calibration-activate", (model.id,)),
        ("calibration-return", ("previous",)),
        ("blocking-on", ()),
        ("blocking-off", ()),
    ):
        assert viewer.post(address(name, *args)).status_code == 403


def test_another_projects_version_is_not_there(lead, project):
    decided(theirs := ProjectFactory(), boastful(300))
    model = fit_calibration(
        project=theirs, check="verdict", actor=None, now=timezone.now()
    )

    assert lead.post(address("calibration-activate", model.id)).status_code == 404
    assert "platt 1" not in seen(lead)


def test_strangers_do_not_find_the_page(client, project):
    client.force_login(MembershipFactory(project=ProjectFactory()).user)

    assert client.get(address("calibration")).status_code == 404


def test_more_checks_and_versions_take_no_more_queries(
    lead, project, reviewer, fitted, django_assert_max_num_queries
):
    for check in ("verdict", "grounding", "cross_tier", "completion"):
        decided(project, boastful(200), check=check)
        for _ in range(3):
            activate_calibration(model=fitted(check), actor=reviewer)

    with django_assert_max_num_queries(16):
        page = seen(lead)

    assert "platt 3" in page
