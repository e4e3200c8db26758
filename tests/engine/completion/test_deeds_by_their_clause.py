"""An accused claim of deeds is marked where the clause that is wrong stands."""

from tests.engine.completion.builders import call, check


def test_only_the_clause_that_no_call_bears_out_is_accused():
    answer = "I cancelled order A-17, and your seat 12C has been upgraded."

    (claim,) = check(answer, call("cancel_order", "{}", order_id="A-17"))

    assert claim.status == "unattempted"
    assert answer[slice(*claim.span)] == claim.text
    assert claim.text.strip() == "your seat 12C has been upgraded"


def test_a_claim_with_one_status_is_marked_as_a_whole():
    answer = "I cancelled order A-17, and your seat 12C has been upgraded."

    (claim,) = check(answer, call("get_order", "{}", order_id="A-17"))

    assert claim.text == answer
