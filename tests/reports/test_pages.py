"""A lead sets rules and the plan on pages; bad input names its field."""

import pytest

from tests.factories import MembershipFactory, ProjectFactory
from verifyhub.accounts.models import Role
from verifyhub.reports.models import AlertRule, ReportPlan

pytestmark = pytest.mark.django_db

RULE = {
    "name": "Flagged",
    "measure": "flagged_share",
    "threshold": "0.4",
    "agent": "",
    "hours": "24",
    "least": "20",
    "enabled": "on",
}


def test_a_lead_adds_changes_and_deletes_a_rule(browse, lead, project):
    page = browse(lead)
    member = MembershipFactory(project=project, role=Role.VIEWER)

    page.post("/p/acme/alerts/", {**RULE, "recipients": [str(member.pk)]})
    rule = AlertRule.objects.get()
    page.post(f"/p/acme/alerts/{rule.id}/", {**RULE, "threshold": "0.6"})
    changed = AlertRule.objects.get()
    assert (changed.threshold, list(changed.recipients.all())) == (0.6, [])
    page.post(f"/p/acme/alerts/{rule.id}/delete/")

    assert not AlertRule.objects.exists()


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("threshold", "1", "A share is never above 1."),
        ("threshold", "nan", "Enter a number."),
        ("threshold", "-1", "greater than or equal to 0"),
        ("measure", "luck", "not one of the available choices"),
        ("hours", "0", "greater than or equal to 1"),
        ("name", "", "This field is required."),
    ],
)
def test_bad_input_names_its_field_and_saves_nothing(
    browse, lead, project, field, value, said
):
    response = browse(lead).post("/p/acme/alerts/", {**RULE, field: value})

    assert response.status_code == 422
    assert said in " ".join(response.context["form"].errors[field])
    assert not AlertRule.objects.exists()


def test_a_figure_of_the_project_takes_no_agent(browse, lead, project):
    response = browse(lead).post(
        "/p/acme/alerts/", {**RULE, "measure": "budget_share", "agent": "coder"}
    )

    assert "agent" in response.context["form"].errors


def test_a_taken_name_is_said_beside_the_name(browse, lead, project):
    page = browse(lead)
    page.post("/p/acme/alerts/", RULE)

    response = page.post("/p/acme/alerts/", RULE)

    assert response.status_code == 422
    assert "name" in response.context["form"].errors


def test_another_projects_rule_is_not_there(browse, lead, project):
    foreign = AlertRule.objects.create(
        project=ProjectFactory(), name="x", measure="backlog_size", threshold=1
    )

    assert browse(lead).get(f"/p/acme/alerts/{foreign.id}/").status_code == 404
    assert browse(lead).post(f"/p/acme/alerts/{foreign.id}/delete/").status_code == 404


def test_a_lead_says_when_the_report_is_made(browse, lead, project):
    page = browse(lead)

    page.post(
        "/p/acme/reports/plan/",
        {"enabled": "on", "weekday": "4", "hour": "16", "time_zone": "Asia/Tokyo"},
    )

    plan = ReportPlan.objects.get()
    assert (plan.weekday, plan.hour, plan.time_zone) == (4, 16, "Asia/Tokyo")
    refused = page.post("/p/acme/reports/plan/", {"weekday": "9", "hour": "25"})
    assert set(refused.context["form"].errors) == {"weekday", "hour", "time_zone"}


def test_a_mail_server_that_is_missing_is_said(browse, lead, project, settings):
    settings.EMAIL_HOST = ""

    assert (
        "VERIFYHUB_EMAIL_HOST" in browse(lead).get("/p/acme/alerts/").content.decode()
    )
