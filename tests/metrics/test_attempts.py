"""First attempts, retries, goals and what fails most often (requirement C6)."""

import pytest

from tests.factories import (
    InteractionFactory,
    ProjectFactory,
    ReviewItemFactory,
    VerificationFactory,
)
from verifyhub.metrics.api.bodies import GoalFiguresBody
from verifyhub.metrics.selectors.attempts import attempts
from verifyhub.metrics.windows import Window

pytestmark = pytest.mark.django_db
ALL = Window(days=None, since=None)


def judged(project, verdict="accept", *, codes=(), goal=None, **interaction):
    report = {"warnings": [{"code": code} for code in codes], "goal": goal}
    row = InteractionFactory(project=project, **interaction)
    return VerificationFactory(interaction=row, verdict=verdict, report=report)


def test_a_parent_counts_by_either_id(project):
    first = judged(project, "reject").interaction
    judged(project, "accept", parent=str(first.id))

    assert attempts(project, ALL).first.total == 1


def test_only_first_attempts_count_for_the_first_rate(project):
    judged(project, "reject", client_id="a")
    judged(project, "accept", client_id="b", parent="a")
    judged(project, "accept", client_id="c")

    found = attempts(project, ALL)

    assert (found.first.count, found.first.total) == (1, 2)
    assert (found.retries, found.mean_retries) == (1, 0.5)


def test_a_subtask_is_a_first_attempt(project):
    judged(project, client_id="a")
    judged(project, client_id="b", parent="a", task="Another task.")

    assert attempts(project, ALL).retries == 0


def test_goals_that_nobody_decided_are_not_counted(project):
    for state in ("achieved", "not_achieved", "inconclusive", "not_checked"):
        judged(project, goal={"state": state})

    goals = attempts(project, ALL).goals

    assert (goals.count, goals.total) == (1, 2)


def test_patterns_count_answers_and_not_warnings(project):
    judged(project, codes=["UNVERIFIED_FILE", "UNVERIFIED_FILE", "LOW_CONFIDENCE"])
    judged(project, codes=["UNVERIFIED_FILE"])

    rows = attempts(project, ALL).patterns

    assert [(row.code, row.answers.count) for row in rows] == [
        ("UNVERIFIED_FILE", 2),
        ("LOW_CONFIDENCE", 1),
    ]


def test_nothing_gives_no_share(project):
    judged(ProjectFactory())

    found = attempts(project, ALL)

    assert (found.first.value, found.mean_retries, found.patterns) == (None, None, [])


def test_the_api_gives_all_of_them(project, api):
    verdict = judged(project, "reject", codes=["UNVERIFIED_FILE"])
    ReviewItemFactory(verification=verdict, state="overridden", human_verdict="accept")

    body = api.get("/api/v1/metrics/goals/").json()

    assert body == GoalFiguresBody.of(attempts(project, ALL))
    assert body["firstAttempts"] == {"count": 0, "total": 1, "share": 0.0}
    assert body["overrides"] == {"count": 1, "total": 1, "share": 1.0}
    assert len(body["confidence"]) == 10


def test_the_page_shows_them(project, viewer, browse):
    judged(project, "reject", codes=["UNVERIFIED_FILE"])

    page = browse(viewer).get("/p/acme/metrics/progress/").content.decode()

    assert "First attempts accepted" in page
    assert "UNVERIFIED_FILE" in page
