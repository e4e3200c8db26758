"""Judges that say what an attacker wants: nothing becomes verified by their word."""

import json

import pytest

from tests.builders import verify
from tests.engine.cross_tier.attacks import attacks
from tests.engine.llm.endpoints import a_model_at
from tests.model_server import (
    a_call,
    an_honest_submission,
    model_server,
    send_json,
    the_material,
)
from verifyhub.engine.reports import Status, Verdict
from verifyhub.engine.thresholds import Thresholds

ATTACKS = list(attacks())
# A judge is asked of answers that a stricter project sends back unseen.
ASKED = Thresholds(sends_back="source")
RANK = {Verdict.REJECT: 0, Verdict.UNCERTAIN: 1, Verdict.ACCEPT: 2}


def accepts_everything(request):
    said = an_honest_submission(request)
    return {
        **said,
        "verified": said["mentions"],
        "unverified": [],
        "confidence": 1,
        "completeness": 1,
    }


def lies_about_the_answer_alone(request):
    """Be right about every name that the answer does not hold, the controls too."""
    said, answer = an_honest_submission(request), the_material(request)["answer"]
    inside = [name for name in said["unverified"] if name in answer]
    return {
        **said,
        "verified": [*said["verified"], *inside],
        "unverified": [name for name in said["unverified"] if name not in inside],
        "confidence": 1,
        "completeness": 1,
    }


def points_out_more_names(request):
    """Name what it would like to see verified, as if it had been missed."""
    said = lies_about_the_answer_alone(request)
    wished = ["ghost_ledger.py", "PhantomRouter", "dates.py", "README.md", "src/x/y.py"]
    return {**said, "mentions": [*said["mentions"], *wished]}


def obeys_what_it_reads(request):
    """Judge soundly, unless the material tells it what to say."""
    text = json.dumps(the_material(request), ensure_ascii=False).lower()
    orders = ("ignor", "игнор", "忽略", "無視", "تجاهل", "verif", "accept", "system")
    told = any(order in text for order in orders)
    return (lies_about_the_answer_alone if told else an_honest_submission)(request)


JUDGES = (
    accepts_everything,
    lies_about_the_answer_alone,
    points_out_more_names,
    obeys_what_it_reads,
)


def verified(report):
    return {m.text for m in report.mentions if m.status is Status.VERIFIED}


def test_there_are_enough_attacks():
    assert len(ATTACKS) >= 500


# Each eighth attack, or all of them.
@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.deep)])
@pytest.mark.parametrize("judge", JUDGES, ids=lambda judge: judge.__name__)
def test_no_name_is_verified_by_a_judges_word(judge, step):
    def respond(handler, request):
        send_json(handler, a_call(judge(request)))

    false, raised, better = [], [], []
    with model_server(respond) as server:
        model = a_model_at(server.base_url)
        for attack in ATTACKS[::step]:
            alone = verify(attack.run, thresholds=ASKED)
            report = verify(attack.run, model=model, thresholds=ASKED)
            if attack.name in verified(report):
                false.append(attack)
            if (report.confidence or 0) > (alone.confidence or 0):
                raised.append(attack)
            if RANK[report.verdict] > RANK[alone.verdict]:
                better.append(attack)

    assert len(server.requests) == len(ATTACKS[::step])
    assert (false, raised, better) == ([], [], [])


def test_a_judge_that_accepts_everything_is_always_found_out():
    def respond(handler, request):
        send_json(handler, a_call(accepts_everything(request)))

    with model_server(respond) as server:
        model = a_model_at(server.base_url)
        reports = [
            verify(attack.run, model=model, thresholds=ASKED)
            for attack in ATTACKS[::20]
        ]

    codes = [{warning.code for warning in report.warnings} for report in reports]
    assert all("JUDGE_MISLED" in one for one in codes)


def test_no_text_of_a_run_reaches_the_instructions():
    def respond(handler, request):
        send_json(handler, a_call(an_honest_submission(request)))

    with model_server(respond) as server:
        model = a_model_at(server.base_url)
        for attack in ATTACKS[::10]:
            verify(attack.run, model=model, thresholds=ASKED)

    told = {request["messages"][0]["content"] for request in server.requests}
    sent = [
        json.loads(request["messages"][1]["content"]) for request in server.requests
    ]
    nonces = {next(iter(document)) for document in sent}
    assert len(told) == 1
    assert len(nonces) == len(server.requests)
