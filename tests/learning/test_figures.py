"""Priors, advice and effects: what they count, and their limits."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.builders import an_interaction, verify
from tests.factories import ProjectFactory
from tests.learning.answers import LISTED, UNSURE, accepted_and_judged, judged
from verifyhub.engine.decisions.replay import facts_of, goes_to_review
from verifyhub.engine.thresholds import Thresholds
from verifyhub.learning.models import HoldOut
from verifyhub.learning.selectors import (
    accepted_answers,
    advice,
    agent_priors,
    effects,
    outlook,
    priors,
)
from verifyhub.review.queue.policy import needs_review


@pytest.mark.django_db
def test_advice_needs_twenty_decisions(project):
    accepted_and_judged(project, right=12, wrong=7)

    assert advice(project, now=timezone.now()) == []
    assert accepted_answers(project, now=timezone.now()).is_few


@pytest.mark.django_db
def test_advice_takes_the_mildest_value_that_catches_as_much(project):
    accepted_and_judged(project, right=30, wrong=12)

    (one,) = advice(project, now=timezone.now())

    assert (one.name, one.now, one.value) == ("uncertain_below_confidence", 0.6, 0.7)
    assert (one.caught.count, one.extra.count) == (12, 0)


@pytest.mark.django_db
def test_no_advice_where_a_stricter_value_hits_right_and_wrong_alike(project):
    for human in ["accept", "reject"] * 20:
        judged(project, UNSURE, human_verdict=human)

    assert advice(project, now=timezone.now()) == []


@pytest.mark.django_db
def test_no_advice_from_another_projects_decisions(project):
    accepted_and_judged(ProjectFactory(), right=30, wrong=12)

    assert advice(project, now=timezone.now()) == []


@pytest.mark.django_db
def test_no_advice_that_the_projects_preset_would_swallow(project):
    accepted_and_judged(project, right=30, wrong=12)
    project.strictness = "lenient"
    project.save()

    assert advice(project, now=timezone.now()) == []


@pytest.mark.django_db
def test_the_outlook_counts_the_newest_answers(project):
    accepted_and_judged(project, right=3, wrong=2)

    found = outlook(project, {"uncertain_below_confidence": 0.7}, now=timezone.now())

    assert (found.now, found.then, found.answers) == (0, 2, 5)


@pytest.mark.parametrize(
    "answer",
    [
        "It is in `a.py`.",
        "It is in `a.py` and `ghost.py`.",
        "See `g1.py`, `g2.py`, `g3.py`, `g4.py`.",
        "All tests pass.",
        "Nothing to be named here.",
    ],
)
def test_an_answer_goes_to_review_as_the_queues_policy_has_it(answer):
    report = verify(an_interaction(answer, LISTED))

    assert goes_to_review(facts_of(report), Thresholds()) == needs_review(report)


@pytest.mark.django_db
def test_a_persons_word_goes_before_the_machines(project):
    judged(project, human_verdict="reject")
    judged(project)

    (row,) = priors(project, now=timezone.now()).agents

    assert (row.answers.count, row.answers.total, row.looked_at) == (1, 2, 1)


@pytest.mark.django_db
def test_names_that_people_call_invented_do_not_stand(project):
    judged(project, counted=4, unverified=1, moved=1)

    (row,) = priors(project, now=timezone.now()).agents

    assert (row.names.count, row.names.total) == (2, 4)


@pytest.mark.django_db
def test_a_poor_record_adds_doubt_and_a_good_one_lifts_nothing(project):
    for _ in range(30):
        judged(project, human_verdict="reject")
    poor = agent_priors(project, agents=["coder"], now=timezone.now())["coder"]
    for _ in range(200):
        judged(project, agent="star", human_verdict="accept")
    good = agent_priors(project, agents=["star"], now=timezone.now())["star"]
    run = an_interaction("It is in `ghost.py` and in `a.py`.", LISTED)
    plain = verify(run).as_dict()

    with_poor, with_good = (verify(run, prior=one).as_dict() for one in (poor, good))

    signs = {check["name"]: check for check in with_poor["checks"]}["local_signals"]
    assert "poor_record" in signs["details"]["doubts"]
    assert signs["details"]["prior"]["answers"] == 30
    for report in (with_poor, with_good):
        assert report["verdict"] == plain["verdict"]
        assert report["confidence"] == plain["confidence"]


@pytest.mark.django_db
def test_a_short_record_is_no_doubt(project):
    for _ in range(5):
        judged(project, human_verdict="reject")

    assert not agent_priors(project, agents=["coder"], now=timezone.now())[
        "coder"
    ].is_poor
    assert agent_priors(project, agents=["nobody"], now=timezone.now()) == {}


@pytest.mark.django_db
def test_an_effect_of_few_sessions_says_so(project):
    HoldOut.objects.create(project=project, kind="gaps", share=10, salt="s")
    for number in range(30):
        judged(project, session_key=f"s{number % 3}", arms={"gaps": number % 3 == 0})

    gaps = next(
        one for one in effects(project, now=timezone.now()) if one.kind == "gaps"
    )

    assert gaps.sessions == (2, 1)
    assert gaps.is_few
    assert (gaps.measures[0].told.total, gaps.measures[0].held_out.total) == (20, 10)


@pytest.mark.django_db
def test_a_record_looks_at_the_newest_answers_only(project, monkeypatch):
    monkeypatch.setitem(agent_priors.__globals__, "OF_AGENT", 2)
    now = timezone.now()
    for days, human in enumerate(["accept", "accept", "reject", "reject"]):
        judged(project, human_verdict=human, answered_at=now - timedelta(days=days))

    prior = agent_priors(project, agents=["coder"], now=now)["coder"]

    assert (prior.stood, prior.answers) == (2, 2)
