"""Which object of a list an answer speaks of: the one that the run acted on."""

import json

import pytest

from tests.builders import a_tool_call, an_interaction, verify

ROOMS = [
    {"room_id": "R2", "kind": "quiet", "from": "10:00", "price": 24.0, "floor": 3},
    {"room_id": "R5", "kind": "large", "from": "12:30", "price": 18.0, "floor": 7},
]
SEARCH = a_tool_call("find_rooms", {}, json.dumps({"rooms": ROOMS}))
BOOKED = a_tool_call("book_room", {"room": "R2"}, '{"booking": "B-331"}')
STAY = a_tool_call(
    "get_stay", {"stay": "S-9"}, '{"stay": "S-9", "total": 334.6, "paid": 100.0}'
)
EXTENDED = a_tool_call(
    "extend_stay", {"stay": "S-9"}, '{"stay": "S-9", "total": 382.4, "paid": 100.0}'
)


def status_of(text, answer, *calls):
    values = verify(an_interaction(answer, *calls)).values
    (value,) = [one for one in values if one.text == text]
    return value


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("Booked (B-331). The room costs €24.", "supported"),
        # Another one's, and nothing else in the answer is of that.
        ("Booked (B-331). The room costs €18.", "unsupported"),
        ("Booked (B-331). The room is on floor 7.", "unsupported"),
        # A word, an id or another value of that one, or what both have.
        ("Booked (B-331). The large room would have cost €18.", "supported"),
        ("Booked (B-331). R5 costs €18.", "supported"),
        ("Booked (B-331). There was one at 12:30 for €18.", "supported"),
        ("Booked (B-331) for €24; I had a room at €18.", "supported"),
        ("Booked (B-331). Another room costs €18.", "supported"),
    ],
)
def test_what_is_told_is_told_of_the_one_that_was_acted_on(answer, status):
    text = "7" if "floor" in answer else "€24" if "costs €24" in answer else "€18"

    assert status_of(text, answer, SEARCH, BOOKED).status == status


def test_nothing_is_chosen_where_the_run_only_looked():
    looked = a_tool_call("get_room", {"room": "R2"}, '{"room_id": "R2"}')

    assert status_of("€18", "A room costs €18.", SEARCH, looked).status == "supported"


def test_what_is_calculated_of_a_record_is_of_the_time_of_its_terms():
    stale = status_of("€234.60", "Extended. Now €234.60 is left.", STAY, EXTENDED)
    assert (stale.status, stale.reason) == ("unsupported", "replaced")
    fresh = status_of("€282.40", "Extended. Now €282.40 is left.", STAY, EXTENDED)
    assert fresh.status == "derived"
    difference = status_of("€47.80", "Extended for €47.80.", STAY, EXTENDED)
    assert difference.status == "derived"


def test_a_reference_is_no_number_that_its_key_has():
    night = a_tool_call("get_stay", {}, '{"stay": "ST-40", "rate": 140.0}')

    assert status_of("$140", "Your stay is $140.", night).status == "supported"
