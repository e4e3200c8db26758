"""One answer and its tool calls to one report."""

import json

from tests.builders import a_command, a_read, an_interaction, verify
from verifyhub.engine.reports import Action, ClaimStatus, Status, Verdict


def test_name_that_a_tool_returned_is_verified_with_its_place():
    listing = a_command("ls src", "src/app.py\nsrc/model.py\n")

    report = verify(an_interaction("The code is in `src/model.py`.", listing))

    mention = report.mentions[0]
    place = mention.evidence[0]
    assert mention.status is Status.VERIFIED
    assert (place.tool_call, place.field) == (0, "output")
    assert listing.output[place.span[0] : place.span[1]] == "model.py"


def test_invented_name_is_unverified_with_the_nearest_real_name():
    listing = a_command("ls src", "src/app.py\nsrc/model_store.py\n")

    report = verify(an_interaction("See `src/model_stores.py`.", listing))

    mention = report.mentions[0]
    assert mention.status is Status.UNVERIFIED
    assert mention.suggestion == "src/model_store.py"
    assert next(w.code for w in report.warnings) == "UNVERIFIED_FILE"


def test_more_than_three_inventions_ask_for_a_retry_that_names_them():
    answer = "`a_one.py`, `b_two.py`, `c_three.py` and `d_four.py` hold it."

    report = verify(an_interaction(answer, a_command("ls", "main.py")))

    assert report.verdict is Verdict.REJECT
    assert report.decision.action is Action.RETRY
    assert '"c_three.py"' in report.decision.additional_context


def test_third_attempt_fails_with_the_limit_as_reason():
    answer = "`a_one.py`, `b_two.py`, `c_three.py` and `d_four.py` hold it."

    report = verify(an_interaction(answer), attempt=3)

    assert report.decision.action is Action.FAIL
    assert report.decision.reason == "max_retries_exceeded"


def test_answer_with_nothing_to_check_is_uncertain_without_confidence():
    report = verify(an_interaction("All good."))

    assert report.verdict is Verdict.UNCERTAIN
    assert report.confidence is None
    assert report.coverage == 0.0
    assert [w.code for w in report.warnings] == ["NOTHING_TO_CHECK"]


def test_verdict_object_is_plain_json():
    report = verify(an_interaction("See `src/app.py`.", a_read()))

    assert json.loads(json.dumps(report.as_dict()))["schema"] == 1


def test_claim_that_the_run_contradicts_rejects_the_answer():
    run = a_command("pytest", "Exit code 1\n3 failed, 2 passed in 0.1s")

    report = verify(an_interaction("I ran the tests and all tests pass.", run))

    assert report.completion_claims[0].status is ClaimStatus.CONTRADICTED
    assert report.verdict is Verdict.REJECT
    assert report.decision.action is Action.CLARIFY
    assert "CONTRADICTED_CLAIM" in [warning.code for warning in report.warnings]


def test_claim_of_work_that_no_call_attempted_is_sent_back():
    listing = a_command("ls", "src/app.py")
    answer = "The code is in `src/app.py`. I ran the tests and all tests pass."

    report = verify(an_interaction(answer, listing))

    assert report.completion_claims[0].status is ClaimStatus.UNATTEMPTED
    assert report.verdict is Verdict.REJECT
    assert report.decision.reason == "unattempted_claim"
