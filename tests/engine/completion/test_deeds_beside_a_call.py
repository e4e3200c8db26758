"""Claims of what a call did beside the deed that it is named after."""

import pytest

from tests.engine.completion.builders import call, statuses

CANCELLED = call(
    "cancel_booking",
    '{"booking": "BK-204", "status": "cancelled", "payments":'
    ' [{"type": "refund", "amount": 80, "method": "visa_5512880"}]}',
    booking="BK-204",
)
FAILED = call("update_booking", "Error: rooms differ", booking="BK-9", room="R2")
LOST = call(
    "report_card",
    '{"success": true, "new_card": "C-2-N"}',
    card="C-2",
    issue="lost",
    replacement=True,
)


def test_money_may_go_to_an_account_that_only_the_result_names():
    answer = "A refund of $80 has been processed to your card (ID: visa_5512880)."

    assert statuses(answer, CANCELLED) == ["supported"]


def test_money_goes_to_no_account_that_no_result_names():
    answer = "A refund of $80 has been processed to your card (ID: visa_7140012)."

    assert statuses(answer, CANCELLED) == ["unattempted"]


@pytest.mark.parametrize(
    ("status", "expected"),
    [("cancelled", ["supported"]), ("on hold", ["contradicted"])],
)
def test_a_status_that_was_set_is_the_one_that_the_last_call_returned(status, expected):
    answer = f"The booking status has been updated to '{status}'."

    assert statuses(answer, FAILED, CANCELLED) == expected


def test_an_id_behind_another_subject_is_of_that_clause():
    answer = (
        "The booking status has been updated to 'cancelled', and the refund of $80.00"
        " will be sent to your card (ID: visa_5512880)."
    )

    assert statuses(answer, CANCELLED) == ["supported"]


def test_a_card_that_is_reported_as_lost_is_blocked_and_replaced():
    answer = "I've blocked your card and reported it as lost."

    assert statuses(answer, LOST) == ["supported"]
    assert statuses("A replacement has been ordered.", LOST) == ["unchecked"]
    assert statuses(answer, call("report_card", "{}", card="C-2", issue="worn")) == [
        "unattempted"
    ]


def test_an_id_is_confirmed_by_the_look_up_that_shows_it():
    found = call("find_guest_by_email", "ana_roy_4411", email="ana@acme.io")
    missed = call("find_guest_by_email", "Error: no such guest", email="ana@acme.io")
    answer = "I've confirmed your guest ID as ana_roy_4411."

    assert statuses(answer, found) == ["supported"]
    assert statuses(answer, missed) == ["contradicted"]
    assert statuses("I have confirmed your account, Ana.", found) == ["supported"]


def test_a_booking_that_returns_an_empty_list_has_made_none():
    refused = call("ReserveTable", "[]", place="Rossi", guests=4)

    assert statuses("Your table has been reserved.", refused) == ["contradicted"]
