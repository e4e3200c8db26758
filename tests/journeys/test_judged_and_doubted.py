"""What models say of an answer never accepts it alone, and always says what to do."""

import pytest

from tests.journeys.answers import sent
from tests.model_server import (
    a_call,
    a_text,
    an_honest_goal,
    an_honest_submission,
    send_json,
    the_material,
)
from tests.stored import BOTH_TIERS, configured_model
from verifyhub.review.models import ReviewItem

pytestmark = pytest.mark.django_db
ANSWER = "The dates are parsed in `tide.py`, and nowhere else in this folder."


def replying(said, goal):
    """Return a model that sorts names soundly; of claims it always says VERIFIED."""

    def respond(handler, request):
        if not request.get("tools"):
            send_json(handler, a_text("VERIFIED"))
        elif request["tools"][0]["function"]["name"] == "submit_verification":
            send_json(handler, a_call(an_honest_submission(request, **said)))
        else:
            said_of_goal = an_honest_goal(the_material(request)) | goal
            send_json(handler, a_call(said_of_goal))

    return respond


@pytest.fixture
def judged(settings, api):
    """Send an answer while a model says something of it and of its goal."""

    def send(answer=ANSWER, *, said=None, goal=None, **fields):
        respond = replying(said or {}, goal or {})
        with configured_model(settings, respond, models=BOTH_TIERS):
            return sent(api, answer, **fields)

    return send


@pytest.mark.parametrize(
    ("said", "goal", "action", "told"),
    [
        ({"completeness": 0.05, "gaps": []}, {}, "retry", ""),
        ({"completeness": 0.0, "gaps": []}, {}, "retry", ""),
        ({"warnings": ["CONTRADICTION: Two things."]}, {}, "clarify", "Two things."),
        ({}, {"issues": ["No line is given."]}, "clarify", "No line is given."),
        ({}, {"goalAchieved": False, "issues": []}, "retry", "point by point"),
    ],
)
def test_what_a_model_finds_wrong_sends_the_answer_back_with_words(
    judged, said, goal, action, told
):
    _, verdict = judged(said=said, goal=goal)

    decision = verdict["decision"]
    assert decision["action"] == action
    assert decision["additional_context"].strip()
    assert told in decision["additional_context"]
    assert verdict["verdict"] != "accept"


def test_the_task_is_the_goal_where_none_is_stated(judged):
    _, verdict = judged(goal={"goalAchieved": False, "issues": ["No line is given."]})

    goal = verdict["goal"]
    assert (goal["goal"], goal["stated"]) == ("Have a look.", False)
    assert (goal["state"], goal["source"]) == ("not_achieved", "model")
    assert verdict["decision"]["reason"] == "goal_not_achieved"


def test_a_judges_verified_removes_no_denial_that_the_evidence_shows(judged):
    source = {"title": "Terms", "text": "Basic tickets are not refundable."}

    row, verdict = judged("Basic tickets are refundable.", sources=[source])

    assert verdict["claims"][0]["status"] != "verified"
    assert verdict["verdict"] != "accept"
    assert ReviewItem.objects.filter(interaction=row).exists()
