"""Which answers are queued, why, and how urgently."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.review.conftest import GREP, newest_run
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.review.models import ReviewItem
from verifyhub.review.queue import open_items, words_of
from verifyhub.review.queue.policy import needs_review, reasons, risk
from verifyhub.verification.services import reverify, run_verification
from verifyhub.verification.steps import FinishedVerification


def report(**changes):
    return VerificationReport.from_dict({"verdict": "accept", **changes})


def name(text="ghost.py", reason="not_found"):
    return {
        "text": text,
        "kind": "file",
        "key": text,
        "spans": [],
        "status": "unverified",
        "reason": reason,
    }


def claim(status="contradicted", kind="tests"):
    text = "All tests pass."
    return {"text": text, "span": [0, len(text)], "status": status, "kind": kind}


def an_open_domain_check(**details):
    checks = [
        {
            "name": "cross_tier",
            "outcome": "inconclusive",
            "reason": "unreachable",
            "details": details,
        }
    ]
    warned = {
        "code": "DOMAIN_CHECK_OPEN",
        "message": "",
        "details": {"checks": ["cross_tier"]},
    }
    return report(verdict="uncertain", checks=checks, warnings=[warned])


@pytest.mark.parametrize(
    ("uncertain", "kind"),
    [
        (
            report(
                verdict="uncertain",
                confidence=0.5,
                warnings=[{"code": "LOW_CONFIDENCE", "message": ""}],
            ),
            "low_confidence",
        ),
        (
            report(
                verdict="uncertain",
                completeness=0.3,
                decision={"action": "follow_up", "reason": ""},
            ),
            "incomplete",
        ),
        (an_open_domain_check(given_up_after=6), "domain_check_open"),
    ],
)
def test_what_a_model_holds_up_reaches_a_person(uncertain, kind):
    assert needs_review(uncertain)
    assert kind in {reason.kind for reason in reasons(uncertain)}


def test_an_outage_alone_fills_no_queue():
    assert not needs_review(an_open_domain_check())


def test_absent_names_are_counted_in_words(item):
    assert words_of(item.reason_facts, []) == ["2 names not found in the trace"]
    assert item.reason_kinds == ["unverified_names"]


def test_accepted_answers_are_not_queued(answered):
    answered(answer="See `shop/pricing.py`, `shop/tax.py` and `compute_price()`.")

    assert not ReviewItem.objects.exists()


def test_answers_with_nothing_to_check_are_not_queued(answered):
    answered(answer="I do not know.", tool_calls=[])

    assert not ReviewItem.objects.exists()


def test_opening_twice_keeps_one_item(item):
    run = item.verification
    again = FinishedVerification(
        run.interaction, run.id, run.verdict_object, verification=run, attempt=1
    )
    open_items([again])

    assert ReviewItem.objects.get() == item


def test_a_second_verification_takes_the_item_over(item, reviewer):
    run = reverify(interaction=item.interaction, actor=reviewer)
    run_verification(verification_id=run.id)

    (kept,) = ReviewItem.objects.all()
    assert (kept.pk, kept.state) == (item.pk, ReviewItem.State.OPEN)
    assert kept.verification == newest_run(item.interaction)


def test_names_of_the_task_do_not_queue_an_answer():
    assert not needs_review(
        report(verdict="uncertain", mentions=[name(reason="task_only")])
    )


def test_contradicted_claim_comes_first_and_says_what_happened():
    found = reasons(report(mentions=[name()], completion_claims=[claim()]))

    assert words_of([reason.as_fact() for reason in found], []) == [
        "says tests pass, the last run failed",
        "“ghost.py” not found in the trace",
    ]


def test_contradiction_outranks_two_absent_names():
    contradicted = risk(report(completion_claims=[claim()]))

    assert contradicted > risk(report(mentions=[name(), name()]))


@given(st.integers(0, 30), st.integers(0, 5))
def test_every_finding_raises_the_risk(names, claims):
    fewer = report(mentions=[name()] * names, completion_claims=[claim()] * claims)
    more = report(mentions=[name()] * (names + 1), completion_claims=[claim()] * claims)

    assert 0 <= risk(fewer) <= risk(more) < 1.0001


def test_look_alike_names_are_called_by_their_name():
    found = reasons(report(mentions=[name(text="requеsts", reason="look_alike")]))

    assert found[0].kind == "look_alike"


def test_the_trace_is_what_counts_not_its_length(answered):
    answered(tool_calls=[GREP | {"output": GREP["output"] + "noise\n" * 1000}])

    (item,) = ReviewItem.objects.all()
    assert words_of(item.reason_facts, []) == ["2 names not found in the trace"]
