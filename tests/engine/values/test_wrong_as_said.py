"""Values that are wrong, told by the field or the input that they are called by."""

import json

import pytest

from tests.builders import a_tool_call, an_interaction, verify

DOCTORS = [{"name": "Dr. Ada Berg, MD", "id": "DC-11"}]
INNS = [
    {"name": "Otter Inn", "stars": 2, "rank": 1, "night": 60.0},
    {"name": "Heron Inn", "stars": 3, "rank": 2, "night": 80.0},
]
LABEL = {"label": "https://post.example/l/RT-51.pdf", "token": "QR-RET-4a81c2e9"}


def accused(answer, shown, given=None, task="Help me."):
    """Return the texts of the unsupported values of an answer."""
    call = a_tool_call("find_it", given or {}, json.dumps(shown))
    values = verify(an_interaction(answer, call, task=task)).values
    return [one.text for one in values if str(one.status) == "unsupported"]


@pytest.mark.parametrize(
    ("answer", "shown", "wrong"),
    [
        ("You see Dr. Ada Berg.", DOCTORS, []),
        ("You see Dr. Omar Berg.", DOCTORS, ["Omar Berg"]),
        ("Otter Inn has 2 stars.", INNS, []),
        ("Otter Inn has 1 star.", INNS, ["1"]),
        # Of one of several no sum of all is told.
        ("1. **Otter Inn** (5 stars)\n2. **Heron Inn** (3 stars)", INNS, ["5"]),
        ("1. **Otter Inn**: nice\n2. **Inn Wessex**: nice", INNS, ["Inn Wessex"]),
        ("It zooms 8x.", [{"zoom": "5x"}, {"zoom": "10x"}], ["8x"]),
        ("It zooms 10x.", [{"zoom": "5x"}, {"zoom": "10x"}], []),
        ("Print https://post.example/l/RT-51.pdf.", LABEL, []),
        (
            "Print https://post.example/l/RT-52.pdf.",
            LABEL,
            ["https://post.example/l/RT-52.pdf"],
        ),
        ("Show QR-RET-4a81c2e9.", LABEL, []),
        ("Show QR-RET-4a81c2e8.", LABEL, ["QR-RET-4a81c2e8"]),
        ("It goes to your prepaid card.", {"method": "gift_card_51"}, ["prepaid card"]),
        (
            "A five-night stay.",
            {"from": "2031-05-04", "to": "2031-05-06"},
            ["five-night"],
        ),
        ("A two-night stay.", {"from": "2031-05-04", "to": "2031-05-06"}, []),
        ("It is $40.50.", {"price": 40.5, "country": "USA"}, []),
        ("It is £40.50.", {"price": 40.5, "country": "USA"}, ["£40.50"]),
        ("It is £40.50.", {"price": 40.5, "country": "UK"}, []),
        ("It is £40.50 USD.", {"price": 40.5, "currency": "USD"}, ["£40.50 USD"]),
    ],
)
def test_wrong_values_are_told_from_right_ones(answer, shown, wrong):
    assert accused(answer, shown) == wrong


@pytest.mark.parametrize(
    ("answer", "task", "wrong"),
    [
        ("Here is a table for a party of 5.", "A table, please.", []),
        ("Here is a table for a party of 4.", "A table, please.", ["4"]),
        ("- **Number of Guests:** 4", "A table, please.", ["4"]),
        # The user has said so.
        ("Here is a table for a party of 4.", "A table for 4, please.", []),
        # A field of the outputs is called so.
        ("It seats a party of 8.", "A table, please.", []),
    ],
)
def test_a_number_is_that_which_a_call_was_given_by_its_name(answer, task, wrong):
    table = {"table": "TB-9", "floor": 4, "max_party": 8}

    assert accused(answer, table, {"party_size": 5}, task) == wrong


def test_an_amount_is_not_said_by_a_user_in_another_currency():
    room = {"room": "RM-1"}

    assert accused("It is £150.", room, task="So it is $150?") == ["£150"]
    assert accused("It is $150.", room, task="So it is $150?") == []


SKY = {"town": "Kent", "humidity": "31", "wind": "17", "temperature": "54"}


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("Wind blows at 17 miles per hour, and humidity is 31 percent.", []),
        ("Wind blows at 31 miles per hour.", ["31"]),
        ("Humidity is 17 percent.", ["17 percent"]),
        ("Humidity is 54 percent.", ["54 percent"]),
    ],
)
def test_speeds_and_shares_are_not_told_in_each_others_units(answer, wrong):
    assert accused(answer, SKY) == wrong


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("I found 6, one is Stop A.", []),
        ("I found 5, one is Stop A.", ["5"]),
        ("You've got 7 set up, there's one called Stop A.", ["7"]),
        ("You have currently set 5 stops, one is Stop A.", ["5"]),
        ("I have for you 5 stops available.", ["5"]),
        # Some of them.
        ("I found 5 near your hotel.", []),
        # Of something else, which no word names.
        ("That is a total of 9.", []),
    ],
)
def test_what_is_listed_is_counted_without_a_noun_as_well(answer, wrong):
    rows = [{"stop": f"Stop {at}"} for at in "ABCDEF"]

    assert accused(answer, rows) == wrong


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("It includes an oil lamp along with a tin cup.", []),
        ("It includes an oil lamp along with a garden gnome.", ["garden gnome"]),
        ("The order contains an oil lamp and a gnome, and is packed.", ["gnome"]),
        # The user speaks of it, and nothing says that it is in there.
        ("It includes an oil lamp along with a ladder.", []),
        ("I like the oil lamp and a good book.", []),
    ],
)
def test_what_an_order_is_said_to_include_beside_a_known_thing(answer, wrong):
    goods = [{"name": "Oil Lamp"}, {"name": "Tin Cup"}]

    assert accused(answer, goods, task="Where is my ladder?") == wrong


BASKET = {
    "basket_id": "BK-7741",
    "items": [
        {"name": "Copper Kettle", "item_id": "88120031"},
        {"name": "Oak Tray", "item_id": "88120032"},
        {"name": "Cork Mat", "item_id": "88120033"},
    ],
}


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("- **Item:** Copper Kettle", []),
        ("- **Item:** Bamboo Flute", ["Bamboo Flute"]),
        ("- **Item to be returned:** Bamboo Flute", ["Bamboo Flute"]),
        ("1. Copper Kettle (Item ID: 88120031)", []),
        ("1. Flute (Item ID: 88120031)", ["Flute"]),
        ("The items are the zither and the oak tray.", ["zither"]),
        ("It includes a copper kettle, a zither, and more.", ["zither"]),
        ("It includes a copper kettle, an oak tray, and a cork mat.", []),
        ("I return the copper kettle and the sum of it.", []),
    ],
)
def test_a_thing_is_called_as_its_label_its_id_or_its_neighbours_tell(answer, wrong):
    assert accused(answer, BASKET) == wrong


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("I discovered 12 boats for you.", []),
        ("There's 12 boats to see. One of them is Skua.", []),
        ("I discovered 11 boats for you.", ["11"]),
        ("There's 7 boats available, you may take Skua.", ["7"]),
        ("I found 7 possible options. How about Skua?", ["7"]),
        ("I found 7 boats with a cabin.", []),
    ],
)
def test_what_was_found_is_as_much_as_the_last_list_has(answer, wrong):
    names = ["Skua", "Gannet", "Fulmar", *(f"Boat {one}" for one in "ABCDEFGHI")]

    assert accused(answer, [{"vessel": one} for one in names]) == wrong
