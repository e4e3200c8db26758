"""Codes, names and years that nobody gave, and amounts that are a guess."""

import json

import pytest

from tests.builders import a_tool_call, an_interaction, verify

CRUISE = {
    "id": "CR-8120",
    "from": "BGO",
    "to": "TOS",
    "date": "2031-06-03",
    "cabins": [{"name": "Fjord", "price": 180}, {"name": "Aft", "price": 140}],
}
LEGS = [
    {"leg_id": "LG411", "from": "BGO", "to": "SVG", "price": 60},
    {"leg_id": "LG520", "from": "SVG", "to": "TOS", "price": 95},
]
FORECAST = {"city": "Bergen", "chance_of_rain": "15", "degrees": "60"}
POLICY = "Refunds go to a gift card or a voucher. Each guest pays $30 and a fee of $50."


def accused(answer, shown=CRUISE, given=None, task="Help me.", policy=None):
    """Return the texts of the unsupported values of an answer."""
    call = a_tool_call("find_it", given or {}, json.dumps(shown))
    run = an_interaction(answer, call, task=task, system_instructions=policy)
    return [one.text for one in verify(run).values if one.status == "unsupported"]


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("CR-8120 sails BGO-TOS.", []),
        ("CR-8120 sails BGO-HAU.", ["HAU"]),
        ("CR-8120 sails HAU-TOS.", ["HAU"]),
        ("CR-8120 (a FAQ-style note) sails BGO-TOS.", []),
    ],
)
def test_two_codes_that_a_hyphen_joins_are_read_each(answer, wrong):
    assert accused(answer) == wrong


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("- Out: LG411 (BGO-SVG, $60) + LG520 (SVG-TOS, $95)", []),
        ("- Out: LG411 (BGO-SVG, $95) + LG520 (SVG-TOS, $60)", ["$95", "$60"]),
    ],
)
def test_an_amount_in_brackets_is_of_the_thing_in_front(answer, wrong):
    assert accused(answer, LEGS) == wrong


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("It sails on 2031-06-03.", []),
        ("It sails on 2032-06-03.", ["2032-06-03"]),
    ],
)
def test_a_day_without_a_year_is_in_the_year_of_the_records(answer, wrong):
    assert accused(answer, task="Which one sails on June 3?") == wrong


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("Hello Runa Dahl, CR-8120 is free.", []),
        ("Hello Runa Holm, CR-8120 is free.", ["Runa Holm"]),
        ("Hello Sigrid, CR-8120 is free.", ["Sigrid"]),
    ],
)
@pytest.mark.parametrize(
    ("task", "given"),
    [
        ("My name is Runa Dahl.", {}),
        ("name: runa dahl\nphone: none", {}),
        ("Runa Dahl here.", {"first_name": "Runa", "last_name": "Dahl"}),
        ("Runa Dahl here.", {"guest_name": "Runa Dahl"}),
    ],
)
def test_a_person_is_called_as_the_user_or_a_call_says(task, given, answer, wrong):
    assert accused(answer, given=given, task=task) == wrong


def test_a_way_to_pay_that_the_policy_does_not_name_is_unsupported():
    paid = "The refund of CR-8120 goes to your {}."

    assert accused(paid.format("voucher"), policy=POLICY) == []
    assert accused(paid.format("debit card"), policy=POLICY) == ["debit card"]


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("Each guest pays $30, so 2 guests pay $60.", []),
        ("An upgrade is typically $60-$100.", ["$60", "$100"]),
        ("The upgrade is estimated at $60 to $100.", ["$60", "$100"]),
        ("A guest pays $30. CR-8120 without it is ~$290.", ["$290"]),
        ("A guest pays $30 and a fee of $50, so ~$80.", []),
    ],
)
def test_a_guess_is_calculated_from_what_the_answer_tells_alone(answer, wrong):
    assert accused(answer, policy=POLICY) == wrong


def test_a_name_is_read_behind_a_word_with_a_hyphen():
    shown = [{"id": "TN-1", "item": "Dome Tent", "poles": "two-pole"}]

    assert accused("TN-1 is a two-pole Dome Tent.", shown) == []
    assert accused("TN-1 is a two-pole Rice Cooker.", shown) == ["Rice Cooker"]


def test_a_chance_is_no_share_of_the_number_beside_it():
    assert (
        accused("There is a 15 percent chance of rain at 60 degrees.", FORECAST) == []
    )
    assert accused("There is a 25 percent chance of rain at 60 degrees.", FORECAST) == [
        "25 percent"
    ]


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("The mast at Tern Point is a museum.", []),
        ("The mast at Tern Point is a theme park.", ["theme park"]),
        ("The mast at Tern Point is painted orange.", ["orange"]),
        ("They play opera there.", ["opera"]),
        ("Walk through the park and the garden there.", []),
    ],
)
def test_sights_colours_and_music_are_held_against_their_kind(answer, wrong):
    sight = {"name": "Tern Point", "kind": "Museum", "paint": "teal", "music": "Pop"}

    assert accused(answer, [sight]) == wrong


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("Your savings are in “Rainy Day”.", []),
        ("Your savings are in “Family Savings”.", ["Family Savings"]),
    ],
)
def test_a_quoted_name_with_a_word_of_nobody_is_unsupported(answer, wrong):
    pots = [{"pot": "PT-1", "kind": "Savings", "nickname": "Rainy Day"}]

    assert accused(answer, pots) == wrong


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("The ferry leaves at 9:25 am and returns at 4:10 pm.", []),
        ("The ferry leaves at 4:10 pm and returns at 9:25 am.", ["4:10 pm", "9:25 am"]),
    ],
)
def test_who_leaves_departs_outbound_and_who_returns_inbound(answer, wrong):
    ferry = {
        "line": "Otter Line",
        "outbound_departure_time": "09:25",
        "inbound_departure_time": "16:10",
    }

    assert accused(answer, [ferry]) == wrong


def test_how_many_were_asked_for_names_no_object():
    later = [{"line": "Otter Line", "seats": "2", "hour": "18:40", "price": "75"}]
    first = [
        {"line": "Otter Line", "seats": "2", "hour": "07:40", "price": "60"},
        {"line": "Heron Line", "seats": "2", "hour": "08:10", "price": "52"},
    ]
    calls = [
        a_tool_call("find_ferries", {}, json.dumps(first)),
        a_tool_call("find_ferries", {"seats": "2"}, json.dumps(later)),
    ]
    run = an_interaction("Otter Line leaves at 6:40 pm for $75.", *calls)

    assert [one.text for one in verify(run).values if one.status == "unsupported"] == []


def test_a_rating_of_as_much_as_a_party_says_nothing_of_a_name():
    inns = [
        {"inn": "IN-1", "name": "Bella Costa Greek", "rating": 4.5, "kitchen": "Greek"},
        {"inn": "IN-2", "name": "Trattoria Bay", "rating": 4.2, "kitchen": "Greek"},
        {"inn": "IN-3", "name": "Greek Corner", "rating": 4.0, "kitchen": "Greek"},
    ]
    answer = "Bella Costa Greek has a table for 4 people."
    assert accused(answer, inns, task="A table for 4 people.") == []


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("- Mug (piece ID: PC-510772) - $8", []),
        ("- Mug (piece ID: PC-510991) - $8", ["PC-510991"]),
    ],
)
def test_an_order_that_lists_all_ids_says_of_none_whose_it_is(answer, wrong):
    order = {
        "order_id": "OD-7",
        "pieces": [
            {"piece_id": "PC-510772", "name": "Mug", "price": 8.0},
            {"piece_id": "PC-510991", "name": "Bowl", "price": 12.0},
        ],
        "parcels": [{"piece_ids": ["PC-510772", "PC-510991"]}],
    }
    assert accused(answer, order) == wrong


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("Your sauna is booked at 6:30 pm.", []),
        ("Your sauna is booked at 6 pm.", ["6 pm"]),
        ("You asked for 6 pm, and your sauna is booked at 6:30 pm.", []),
    ],
)
def test_what_a_call_made_of_its_input_is_what_counts(answer, wrong):
    call = a_tool_call("book_sauna", {"hour": "18:00"}, '[{"hour": "18:30"}]')
    run = an_interaction(answer, call, task="Book the sauna at 6 pm.")

    assert [
        one.text for one in verify(run).values if one.status == "unsupported"
    ] == wrong


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("Tern Tide by Runa Dahl is on it.", ["Tern Tide"]),
        ("You get a warm Samovar in it.", ["Samovar"]),
        ("It is 80 degrees Fahrenheit.", []),
    ],
)
def test_names_are_read_at_the_head_of_a_sentence_and_behind_any_word(answer, wrong):
    shown = [{"song": "Gull Rock", "artist": "Runa Dahl", "degrees": 80}]

    assert accused(answer, shown) == wrong
