"""The figures of the three levels, against cases small enough to count by hand."""

import pytest
from django.utils.html import strip_tags

from tests.factories import ProjectFactory, VerificationFactory
from verifyhub.metrics.api.bodies import LevelFiguresBody
from verifyhub.metrics.selectors.levels import levels
from verifyhub.metrics.windows import Window

ALL_TIME = Window(days=None, since=None)
NAMES = {1: "level_1_structure", 2: "level_2_schema", 3: "level_3_filesystem"}
URL = "/api/v1/metrics/levels/"


def check(number, outcome, ms=None, **errors):
    details = {"duration_ms": ms} if ms is not None else {}
    if errors:
        details["errors_by_category"] = errors
    return {"name": NAMES[number], "outcome": outcome, "details": details}


def checked(project, *checks, agent="coder", **fields):
    report = {"schema": 1, "completion_claims": [], "checks": list(checks)}
    return VerificationFactory(
        interaction__project=project,
        interaction__agent_name=agent,
        report=report,
        **fields,
    )


def figures(project):
    return LevelFiguresBody.of(levels(project, ALL_TIME))


@pytest.fixture
def some(project):
    checked(project, check(1, "passed", 1), check(3, "passed", 10))
    checked(project, check(1, "passed", 3), check(3, "failed", 20, hash_mismatch=2))
    checked(project, check(1, "failed", 2, missing_field=1), agent="tester")
    checked(project, check(1, "passed", 2), check(3, "inconclusive", 30))
    checked(project, check(1, "skipped"), check(2, "skipped"), check(3, "skipped"))
    VerificationFactory(interaction__project=ProjectFactory(), report={"schema": 1})
    return project


def test_the_figures_have_the_names_and_values_of_their_source(some):
    found = figures(some)

    assert (found["totalChecks"], found["passRate"]) == (3, 1 / 3)
    assert found["byLevel"]["1"] == {
        "total": 4,
        "passed": 3,
        "failed": 1,
        "inconclusive": 0,
        "skipped": 1,
        "avgDurationMs": 2.0,
    }
    assert found["bySpecialist"] == {
        "coder": {"total": 2, "passed": 1, "failed": 1},
        "tester": {"total": 1, "passed": 0, "failed": 1},
    }
    errors = {name: n for name, n in found["errorsByCategory"].items() if n}
    assert errors == {"hash_mismatch": 2, "missing_field": 1}
    assert len(found["errorsByCategory"]) == 8


def test_skipped_and_inconclusive_are_no_passes(some):
    found = figures(some)

    third = found["byLevel"]["3"]
    assert found["inconclusive"] == 1
    assert (third["total"], third["passed"], third["failed"]) == (2, 1, 1)
    assert (third["inconclusive"], third["skipped"]) == (1, 1)
    assert found["byLevel"]["2"]["avgDurationMs"] is None


def test_nothing_checked_has_no_rate(project):
    found = figures(project)

    assert (found["totalChecks"], found["passRate"]) == (0, None)


def test_only_the_newest_verdict_counts(project):
    first = checked(project, check(1, "failed", missing_field=1))
    checked(project, check(1, "passed"), interaction=first.interaction, number=2)

    found = figures(project)

    assert (found["totalChecks"], found["passRate"]) == (1, 1.0)


def test_a_project_sees_its_own_alone(some):
    assert levels(ProjectFactory(), ALL_TIME).total == 0


def test_programs_read_them(some, api):
    reply = api.get(URL, {"days": "all"})

    assert reply.json() == figures(some)


def test_a_key_is_needed(client, db):
    assert client.get(URL).status_code == 401


def test_the_page_shows_them(some, browse, viewer):
    page = strip_tags(browse(viewer).get("/p/acme/metrics/").content.decode())

    assert "2 × hash mismatch" in page
    assert "1 more could not be settled" in page
