"""What rows, objects called by their key, and searches of services show of values."""

import json

import pytest

from tests.builders import a_tool_call, an_interaction, verify

COVER = {
    "policy_no": "AU-5591",
    "comprehensive": {"deductible": 250},
    "collision": {"deductible": 500},
}
LINES = {
    "po": "PO-4410",
    "lines": [
        {"sku": "BX-100", "qty": 40, "unit_cost": 12.75},
        {"sku": "BX-220", "qty": 15, "unit_cost": 31.0},
    ],
}
TICKETS = {
    "order_no": "TK-90817",
    "tickets": [{"barcode": f"T{number}", "price": 84.5} for number in range(4)],
}
ADS = {"id": "c_102", "name": "Summer Sale", "spend": 1320.0, "conversions": 88}
ROUNDS = {"next": {"recycling": "2031-04-22", "garden": "2031-04-29"}}
DONOR = {"donor_id": "DN-1180", "name": "Helen Marsh", "lifetime": 2350, "gift": 500}
SURVEY = {"id": "sv_12", "responses": 418, "promoters": 205, "detractors": 50}
MOTION = {"case": "24-cv-1187", "deadline": "2031-06-02", "requested": "2031-06-16"}
AGENCY = {"agent": "Lee", "phone": "+44 20 7946 0112"}


def status_of(text, answer, *shown, tool="get_all", given=None):
    calls = [a_tool_call(tool, given or {"q": "all"}, json.dumps(one)) for one in shown]
    run = an_interaction(answer, *calls)
    return next(str(one.status) for one in verify(run).values if one.text == text)


@pytest.mark.parametrize(
    ("text", "answer", "shown", "expected"),
    [
        ("$250", "Your comprehensive deductible is $250.", COVER, "supported"),
        ("$975", "PO-4410 came to $975 in total.", LINES, "derived"),
        ("$985", "PO-4410 came to $985 in total.", LINES, "unsupported"),
        ("$196", "For TK-90817, 2 tickets cost $196.", TICKETS, "unsupported"),
        ("$16.00", "Summer Sale cost $16.00 per conversion.", ADS, "unsupported"),
        ("April 29", "Your recycling is taken on April 29.", ROUNDS, "unsupported"),
        ("April 22", "Your recycling is taken on April 22.", ROUNDS, "supported"),
        ("21%", "Detractors make up 21%.", SURVEY, "unsupported"),
        (
            "14 days",
            "It was June 2; June 16, 2031 is 14 days later.",
            MOTION,
            "derived",
        ),
        ("+44 20 7946 0112", "Ring +44 20 7946 0112.", AGENCY, "supported"),
        ("+54 20 7946 0112", "Ring +54 20 7946 0112.", AGENCY, "unsupported"),
    ],
)
def test_values_follow_from_rows_and_objects(text, answer, shown, expected):
    assert status_of(text, answer, shown) == expected


@pytest.mark.parametrize("tool", ["jira__search", "POST /v2/orders/search"])
def test_the_search_of_a_service_shows_all_that_an_answer_knows(tool):
    found = {"issues": [{"key": "REQ-4402"}]}

    assert status_of("REQ-4403", "I found REQ-4403.", found, tool=tool) == "unsupported"


@pytest.mark.parametrize(
    ("text", "answer", "expected"),
    [
        ("two days", "SHP-6 comes two days later than planned.", "derived"),
        ("three days", "SHP-6 comes three days later than planned.", "unsupported"),
    ],
)
def test_a_day_that_moved_moved_by_so_many_days(text, answer, expected):
    before, after = {"id": "SHP-6", "eta": "2031-10-03"}, {"eta": "2031-10-05"}

    assert status_of(text, answer, before, after) == expected


def test_what_two_calls_of_one_object_show_differs_by_so_much():
    before, after = {"session": "S-4410", "fee": 3.2}, {"session": "S-4410", "fee": 4.8}
    answer = "The fee is now £4.80 (£1.60 more)."

    assert (
        status_of("£1.60", answer, before, after, given={"session": "S-4410"})
        == "derived"
    )


def test_the_last_digits_of_a_card_are_found_in_a_text():
    held = "Authorized $250.00 on Visa 6612"

    assert status_of("6612", "It is your Visa ending in 6612.", held) == "supported"


def test_what_was_made_for_a_thing_is_of_it():
    have = {"positions": [{"symbol": "NVLX", "qty": 55}]}
    sold = {"order_id": "OR-99120", "qty": 20}
    looked = a_tool_call("list_positions", {}, json.dumps(have))
    did = a_tool_call("place_order", {"symbol": "NVLX"}, json.dumps(sold))
    answer = "I sold 20 shares of NVLX."

    values = verify(an_interaction(answer, looked, did)).values

    assert {one.text: str(one.status) for one in values if one.text != "NVLX"} == {
        "20": "supported",
    }


def test_what_a_call_was_given_is_known_by_its_name_and_number():
    answer = "I asked for a MacBook Air 15 for you."
    given = {"item": "MacBook Air 15"}

    assert status_of("15", answer, {"request": "PR-6"}, given=given) == "unchecked"
