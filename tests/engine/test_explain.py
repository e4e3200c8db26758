"""What a verdict says in plain words."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import a_command, a_tool_call, an_interaction, verify
from tests.engine.decisions.test_cascade import SURE, Judge
from tests.engine.goals.test_check import missed
from verifyhub.engine.decisions.explain import explain
from verifyhub.engine.goals.check import GoalInputs
from verifyhub.engine.pipeline import Judges
from verifyhub.engine.ports import ModelError
from verifyhub.engine.verdicts import VerificationReport

LISTED = a_tool_call("list", output="a.py\nb.py\n")


def explained(answer, *calls, **fields):
    return verify(an_interaction(answer, *calls, **fields)).explanation


def test_what_was_found_and_what_stayed_open_are_both_said():
    text = explained("See `a.py` and `b.py`.", LISTED)

    assert text.startswith(
        "2 names were compared with what the agent's tools returned."
    )
    assert "No check failed." in text
    assert "whether the goal was achieved is not known (no model is set up" in text
    assert text.endswith("No retry is requested.")


def test_names_that_failed_stand_as_json_strings():
    text = explained("See `a.py` and `gho\u202est.py`.", LISTED)

    assert '"gho\\u202est.py" was not found in any of it.' in text


def test_more_than_three_names_are_counted():
    text = explained("See `q.py`, `w.py`, `e.py`, `r.py` and `t.py`.", LISTED)

    assert '"q.py", "w.py", "e.py" and 2 more were not found' in text
    assert "The agent is asked to retry" in text


def test_work_that_the_tools_deny_is_named():
    text = explained("All tests pass.", a_command("pytest", "1 failed in 0.1s"))

    assert "1 claim of work done was compared" in text
    assert 'The tool calls contradict "All tests pass." ' in text


def test_a_name_and_a_claim_are_two_things():
    run = a_command("pytest", "1 failed in 0.1s")
    text = explained("All tests of `a.py` pass.", LISTED, run)

    assert "1 name and 1 claim of work done were compared" in text


def test_a_missed_goal_is_named_with_its_issues():
    run = an_interaction("In `a.py`.", LISTED, goal="Give the line.")

    text = verify(run, goal_inputs=GoalInputs(model=missed())).explanation

    assert 'The goal was judged as not achieved: "No module is named."' in text


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ({"confidence": 0.5}, None, "A stronger model is only 50% sure of the answer"),
        ({"confidence": 0.2}, None, "A stronger model is only 20% sure of the answer"),
        ({}, {"confidence": 0.1}, "A second model is only 10% sure of the answer"),
        ({}, {"confidence": 0.3}, "two models disagree about the answer"),
        (
            {"completeness": 0.3, "gaps": ["the zones"]},
            None,
            'A model rates the answer 30% complete: "the zones" is missing',
        ),
    ],
)
def test_what_a_model_lowered_is_named(first, second, said):
    models = Judges(
        model=Judge(**first), second=Judge(**second) if second is not None else None
    )

    text = verify(SURE, judges=models).explanation

    assert said in text
    assert "Nothing that was checked failed" not in text


def test_a_name_that_a_model_does_not_accept_is_named():
    report = verify(SURE, model=Judge()).as_dict()
    check = next(check for check in report["checks"] if check["name"] == "cross_tier")
    check["outcome"], check["details"]["doubted"] = "failed", ["dates.py"]

    text = explain(VerificationReport.from_dict(report))

    assert 'A stronger model does not accept "dates.py".' in text
    assert "Nothing that was checked failed" not in text


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("budget", "the project's budget is used up"),
        ("unreachable", "the model could not be reached"),
    ],
)
def test_a_missing_opinion_is_said_to_be_asked_for_again(reason, words):
    text = verify(SURE, model=Judge(ModelError(reason, "down"))).explanation

    assert f"no stronger model checked the meaning ({words})" in text
    assert "the missing opinion is requested again" in text


def test_layers_that_give_too_little_are_said_with_what_is_asked_for():
    report = verify(an_interaction("See `a.py`.", LISTED)).as_dict()
    report["warnings"] = [{"code": "LAYERS_BELOW_FLOOR", "message": ""}]
    report["detection"] = {
        "risk": {"level": "low", "by": "rules"},
        "outcome": "failed",
        "confidence": 0.3,
        "floor": 0.6,
        "layers": [],
    }

    text = explain(VerificationReport.from_dict(report))

    assert "The detection layers give 30%; the floor is 60%." in text


def test_an_answer_with_nothing_to_check_is_not_said_to_have_passed():
    text = explained("I do not know.")

    assert text.startswith("The answer contains no name, claim or value")
    assert "failed" not in text
    assert "a person should review the answer before use" in text


@given(answer=st.text(max_size=200), task=st.text(max_size=50))
def test_every_answer_gets_two_to_five_plain_sentences(answer, task):
    text = explained(answer, LISTED, task=task)

    bare = re.sub(r'"(?:[^"\\]|\\.)*"', "NAME", text)
    assert 2 <= len(re.findall(r"(?:\.|NAME)(?=\s[A-Z]|$)", bare)) <= 5
    assert text.isprintable()
    for quoted in re.findall(r'"(?:[^"\\]|\\.)*"', text):
        json.loads(quoted)
