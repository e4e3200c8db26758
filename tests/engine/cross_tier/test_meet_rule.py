"""The pipeline with a model behind it: it may lower a verdict, never raise one."""

import json

from hypothesis import given
from hypothesis import strategies as st

from tests.builders import a_tool_call, an_interaction, verify
from tests.engine.llm.endpoints import a_model_at
from tests.model_server import a_call, an_honest_submission, model_server, send_json
from verifyhub.engine.ports import ModelReply
from verifyhub.engine.reports import Action, Outcome, Verdict
from verifyhub.engine.thresholds import Thresholds

ANSWER = "The dates are parsed in `dates.py`, and nowhere else in this folder."
RUN = an_interaction(ANSWER, a_tool_call("list", output="dates.py\n"))
INVENTED = an_interaction(
    "See `dates.py`, `a.py`, `b.py`, `c.py` and `d.py`, which hold the whole parser.",
    a_tool_call("list", output="dates.py\n"),
)


class Judge:
    """Says what `reply` makes of the request."""

    name = "judge"

    def __init__(self, reply):
        self.reply = reply

    def ask(self, asked):
        request = {"messages": [{"content": asked.system}, {"content": asked.user}]}
        return ModelReply(text=json.dumps(self.reply(request)))


def honest(**changes):
    return Judge(lambda request: an_honest_submission(request, **changes))


def evil(request):
    """Accept every name, as an attacker in the answer would like."""
    sound = an_honest_submission(request)
    return {**sound, "verified": sound["mentions"], "unverified": [], "confidence": 1}


def check(report):
    return next(check for check in report.checks if check.name == "cross_tier")


def test_a_sound_opinion_adds_completeness():
    report = verify(RUN, model=honest(completeness=0.8))

    assert report.completeness == 0.8
    assert report.verdict is Verdict.ACCEPT


def test_a_model_cannot_raise_confidence():
    alone = verify(RUN)

    report = verify(RUN, model=honest(confidence=1))

    assert report.confidence == alone.confidence


def test_a_model_can_lower_confidence():
    report = verify(RUN, model=honest(confidence=0.1))

    assert report.confidence == 0.1
    assert report.decision.action is Action.REFORMULATE


def test_gaps_become_follow_ups():
    report = verify(RUN, model=honest(completeness=0.5, gaps=["a", "b", "c"]))

    assert report.decision.action is Action.FOLLOW_UP
    assert len(report.decision.follow_ups) == 2
    assert report.verdict is Verdict.UNCERTAIN


def test_a_contradiction_asks_to_clarify():
    report = verify(RUN, model=honest(warnings=["CONTRADICTION: two folders"]))

    assert report.decision.action is Action.CLARIFY
    assert report.verdict is Verdict.REJECT


def test_an_evil_judge_verifies_nothing():
    lenient = Thresholds.with_overrides(
        {
            "sends_back": "source",
            "retry_above_unverified": 9,
            "reformulate_below_confidence": 0.1,
        }
    )

    report = verify(INVENTED, model=Judge(evil), thresholds=lenient)

    assert check(report).reason == "judge_misled"
    assert [m.text for m in report.mentions if m.evidence] == ["dates.py"]
    assert report.verdict is Verdict.UNCERTAIN


@given(
    verified=st.lists(st.text()),
    confidence=st.floats(0, 1),
    gaps=st.lists(st.text(), max_size=3),
)
def test_whatever_a_judge_says_the_ledgers_names_stand(verified, confidence, gaps):
    def reply(request):
        sound = an_honest_submission(request, confidence=confidence, gaps=gaps)
        return {**sound, "verified": sound["verified"] + verified + ["a.py"]}

    alone = verify(INVENTED)

    report = verify(INVENTED, model=Judge(reply))

    assert report.mentions == alone.mentions
    assert report.confidence <= alone.confidence
    assert report.verdict is Verdict.REJECT


def test_a_short_answer_is_not_worth_a_call():
    report = verify(an_interaction("`dates.py`"), model=Judge(evil))

    assert check(report).outcome is Outcome.SKIPPED
    assert check(report).reason == "short_answer"


def test_an_outage_leaves_the_ledgers_findings_and_accepts_nothing():
    with model_server(lambda handler, _: send_json(handler, {}, status=503)) as server:
        report = verify(RUN, model=a_model_at(server.base_url))

    assert check(report).outcome is Outcome.INCONCLUSIVE
    assert report.completeness is None
    assert (report.confidence, report.verdict) == (
        verify(RUN).confidence,
        Verdict.UNCERTAIN,
    )
    assert report.gaps == ("Verification could not be completed",)


def test_the_whole_way_over_the_wire():
    def respond(handler, request):
        send_json(handler, a_call(an_honest_submission(request)))

    with model_server(respond) as server:
        report = verify(RUN, model=a_model_at(server.base_url))

    assert check(report).outcome is Outcome.PASSED
    assert check(report).details["model"] == "m"
