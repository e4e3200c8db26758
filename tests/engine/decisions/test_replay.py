"""A stored report is judged anew by the policy that judged it first."""

import json

import pytest

from tests.builders import a_tool_call, an_interaction, verify
from verifyhub.engine.decisions.replay import facts_of, goes_to_review, replayed
from verifyhub.engine.thresholds import Thresholds

LISTED = a_tool_call("list", output="a.py\nb.py\nc.py\nd.py\n")
ANSWERS = [
    "It is in `a.py`.",
    "It is in `a.py`, `b.py` and `ghost.py`.",
    "See `g1.py`, `g2.py`, `g3.py`, `g4.py` and `g5.py`.",
    "All tests pass. It is in `a.py`.",
    "Nothing to be named here.",
    "See `a.py` and `ghost.py`.",
]


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"uncertain_below_confidence": 0.8},
        {"uncertain_below_confidence": 0.0, "reformulate_below_confidence": 0.0},
        {"retry_above_unverified": 0},
        {"minimum_grade": "B"},
        {"minimum_grade": "A", "max_retries": 0},
    ],
)
@pytest.mark.parametrize("attempt", [1, 3])
def test_other_cut_offs_give_what_a_new_verification_would_give(
    answer, changed, attempt
):
    run = an_interaction(answer, LISTED)
    thresholds = Thresholds(**changed)
    facts = facts_of(verify(run, attempt=attempt))

    again = replayed(json.loads(json.dumps(facts)), thresholds)

    assert again == verify(run, thresholds=thresholds, attempt=attempt).verdict


@pytest.mark.parametrize("sends_back", ["source", "wrong", "doubtful"])
def test_a_wrong_value_is_judged_anew_as_the_cut_offs_say(sends_back):
    run = an_interaction("The rent is $99.", a_tool_call("get_plot", {}, '{"rent": 7}'))
    thresholds = Thresholds(sends_back=sends_back)
    facts = facts_of(verify(run))

    assert replayed(facts, thresholds) == verify(run, thresholds=thresholds).verdict
    assert goes_to_review(facts, thresholds)


@pytest.mark.parametrize("answer", ANSWERS)
def test_a_report_made_under_a_strict_grade_can_be_judged_more_mildly(answer):
    run = an_interaction(answer, LISTED)
    strict = verify(run, thresholds=Thresholds(minimum_grade="A"))

    assert replayed(facts_of(strict), Thresholds()) == verify(run).verdict


def test_facts_hold_no_text_of_the_answer():
    run = an_interaction("It is in `secret_name.py`. All tests pass.", LISTED)

    assert "secret_name" not in json.dumps(facts_of(verify(run)))
