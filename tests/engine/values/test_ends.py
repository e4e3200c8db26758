"""Ways and spans told the wrong way round."""

import json

import pytest

from tests.builders import a_tool_call, an_interaction, verify

FERRY = {
    "from_port": "Bergen",
    "to_port": "Stavanger",
    "sails": "07:10",
    "start_date": "2031-05-04",
    "end_date": "2031-05-09",
}
HUT = {"hut": "Otter Creek", "pickup_date": "2031-05-11", "dropoff_date": "2031-05-14"}


def wrong(answer, *rows):
    call = a_tool_call("find", {}, json.dumps(rows or [FERRY]))
    values = verify(an_interaction(answer, call)).values
    return [one.text for one in values if one.status == "unsupported"]


@pytest.mark.parametrize(
    "answer",
    [
        "It sails at 7:10 am from Bergen to Stavanger.",
        "Departing from Bergen at 7:10 am and going to Stavanger.",
        "The pass is valid from May 4th at 7:10 to May 9th.",
        # The way back is of no record.
        "The return sails from Stavanger to Bergen.",
    ],
)
def test_ends_in_their_order_are_right(answer):
    assert wrong(answer) == []


@pytest.mark.parametrize(
    ("answer", "turned"),
    [
        ("It sails from Stavanger to Bergen.", ["Stavanger", "Bergen"]),
        ("It sails to Bergen from Stavanger.", ["Bergen", "Stavanger"]),
        ("Sie fährt von Stavanger nach Bergen.", ["Stavanger", "Bergen"]),
        ("Sale desde Stavanger hasta Bergen.", ["Stavanger", "Bergen"]),
        ("Valid from May 9th at 7:10 to May 4th.", ["May 9th", "May 4th"]),
    ],
)
def test_ends_the_wrong_way_round_are_wrong(answer, turned):
    assert wrong(answer) == turned


def test_ends_are_right_where_another_leg_has_them_so():
    back = {"from_port": "Stavanger", "to_port": "Bergen", "sails": "18:40"}

    assert wrong("One sails from Stavanger to Bergen.", FERRY, back) == []


def test_a_key_in_one_word_is_that_of_two_words():
    answer = "Key handed out on May 14th for Otter Creek. The drop off day is May 11th."

    assert wrong(answer, HUT) == ["May 14th", "May 11th"]
