"""Programs read alerts and reports of their own project."""

import pytest
from django.utils import timezone
from jsonschema import Draft202012Validator

from tests.factories import ProjectFactory
from verifyhub.reports.api.views import ALERT, REPORT
from verifyhub.reports.models import Alert
from verifyhub.reports.services.alerts import evaluate_rules
from verifyhub.reports.services.weekly import make_report

pytestmark = pytest.mark.django_db


def test_alerts_are_listed_by_state(api, rule, answers):
    rule()
    answers(reject=4)
    evaluate_rules(now=timezone.now())

    standing = api.get("/api/v1/alerts/?state=standing").json()["results"]

    assert [(one["value"], one["unit"]) for one in standing] == [(1.0, "share")]
    assert api.get("/api/v1/alerts/?state=over").json()["results"] == []
    refused = api.get("/api/v1/alerts/?measure=luck")
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["field"] == "measure"


def test_reports_are_listed_and_read(api, project, answers):
    answers(reject=1)
    made = make_report(project=project, now=timezone.now())

    (listed,) = api.get("/api/v1/reports/").json()["results"]

    assert listed["id"] == str(made.id)
    assert api.get(f"/api/v1/reports/{made.id}/").json() == listed


def test_another_project_sees_none_of_it(api, rule, answers):
    foreign = make_report(project=ProjectFactory(), now=timezone.now())
    assert api.get(f"/api/v1/reports/{foreign.id}/").status_code == 404
    assert api.get("/api/v1/reports/").json()["results"] == []
    rule()
    answers(reject=4)
    evaluate_rules(now=timezone.now())
    Alert.objects.update(project=foreign.project)

    assert api.get("/api/v1/alerts/").json()["results"] == []


@pytest.mark.parametrize(("name", "example"), [("Alert", ALERT), ("Report", REPORT)])
def test_the_examples_of_the_description_fit_it(client, db, name, example):
    document = client.get("/api/openapi.json").json()

    schema = {"$ref": f"#/components/schemas/{name}", **document}

    Draft202012Validator(schema).validate(example)
