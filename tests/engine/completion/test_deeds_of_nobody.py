"""Claims of deeds that no call did, in a run that looked something up."""

import pytest

from tests.engine.completion.builders import call, statuses

BILL = call("get_bill", '{"bill_id": "B-7", "total": 40, "status": "issued"}', id="B-7")


@pytest.mark.parametrize(
    "answer",
    [
        "An electrician visit was scheduled for tomorrow morning.",
        "Autopay is now set up for future bills.",
        "Your account password was reset as a precaution.",
        "Your mother has been called and knows about it.",
        "Your other subscription got cancelled along with it.",
        "A replacement kettle has been shipped to your office.",
        "I've picked an aisle seat for you.",
        "I have noted your allergy with the kitchen.",
    ],
)
def test_what_no_record_can_tell_is_a_deed_that_nobody_did(answer):
    assert statuses(answer, BILL) == ["unattempted"]


@pytest.mark.parametrize(
    "answer",
    [
        "The bill was issued to you.",
        "You got charged twice.",
        "The reason your bill has been issued is the plan.",
    ],
)
def test_what_a_record_may_tell_is_no_claim(answer):
    assert "unattempted" not in statuses(answer, BILL)


def test_a_call_that_cancels_orders_places_no_order():
    cancelled = call("cancel_order", '{"status": "cancelled"}', order_id="A-17")
    answer = "Your new kettle has been ordered."

    assert statuses(answer, cancelled) == ["unattempted"]
