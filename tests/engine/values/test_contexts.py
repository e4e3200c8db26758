"""Values that stand at the place of another one, told by their words and company."""

import json

import pytest

from tests.builders import a_tool_call, an_interaction, verify

BERTH = {
    "berth": "BT-40",
    "arrives": "2031-05-03",
    "leaves": "2031-05-09",
    "harbour_fee": 61.5,
    "deposit": 140.0,
    "left_to_pay": 78.5,
}
KAYAKS = {
    "kayaks": [
        {
            "code": "KY-710",
            "model": "Otter",
            "skipper": "Ines Falk",
            "day": "2031-06-02",
        },
        {
            "code": "KY-820",
            "model": "Heron",
            "skipper": "Jon Marsh",
            "day": "2031-06-05",
        },
    ]
}
CARDS = {
    "cards": [
        {"card": "cd_a1", "product": "Harbour Blue", "last4": "4410"},
        {"card": "cd_b2", "product": "Harbour Silver", "last4": "7735"},
    ]
}
FOREIGN = {"currency": "EUR", "trips": [{"trip": "TP-3", "fare": 48.0}]}
VISITS = [
    {"id": "VS-31", "start": "2031-03-04T09:10:00", "kind": "check"},
    {"id": "VS-32", "start": "2031-03-11T15:40:00", "kind": "skin test"},
]


def accused(answer, *shown, policy=None, task="Help me."):
    """Return the texts of the unsupported values of an answer."""
    calls = [a_tool_call("get_it", {}, json.dumps(one)) for one in shown]
    run = an_interaction(answer, *calls, task=task, system_instructions=policy)
    return [one.text for one in verify(run).values if str(one.status) == "unsupported"]


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        # Each stands behind the label of the other one.
        (
            "- Harbour fee: $140.00\n- Deposit: $61.50",
            ["$140.00", "$61.50"],
        ),
        ("- Harbour fee: $61.50\n- Deposit: $140.00", []),
        # In front of the word that it is called by.
        ("I took a $61.50 deposit and a $140.00 harbour fee.", ["$61.50", "$140.00"]),
        ("I took a $140.00 deposit and a $61.50 harbour fee.", []),
        # Below the head of its column.
        (
            "| Berth | Arrives | Leaves |\n|---|---|---|\n| BT-40 | May 9 | May 3 |",
            ["May 9", "May 3"],
        ),
        (
            "| Berth | Arrives | Leaves |\n|---|---|---|\n| BT-40 | May 3 | May 9 |",
            [],
        ),
    ],
)
def test_values_behind_each_others_labels_are_wrong(answer, wrong):
    assert accused(answer, BERTH) == wrong


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("- Otter: June 5, with Ines Falk\n- Heron: June 2, with Jon Marsh", 2),
        ("- Otter: June 2, with Ines Falk\n- Heron: June 5, with Jon Marsh", 0),
        # Ids first: the names and days beside them are of one object each.
        ("1. KY-820, Otter, June 2\n2. KY-710, Heron, June 5", 2),
        ("1. KY-710, Otter, June 2\n2. KY-820, Heron, June 5", 0),
        # What is named in one breath is no exchange.
        ("Ines Falk and Jon Marsh paddle on June 2 and June 5.", 0),
    ],
)
def test_values_beside_each_others_things_are_wrong(answer, wrong):
    assert len(accused(answer, KAYAKS)) == wrong


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("Your Harbour Silver ending in 4410 is frozen.", ["4410"]),
        ("Your Harbour Blue ending in 4410 is frozen.", []),
        # The other one is spoken of as well, so that the words may be of it.
        ("I moved it from Harbour Silver to Harbour Blue (4410).", []),
    ],
)
def test_digits_beside_the_name_of_another_object_are_wrong(answer, wrong):
    assert accused(answer, CARDS) == wrong


@pytest.mark.parametrize(
    ("answer", "policy", "wrong"),
    [
        ("The fare of TP-3 is $48.00.", "Changes cost $5.", ["$48.00"]),
        ("The fare of TP-3 is €48.00.", "Changes cost $5.", []),
        ("A change costs $48.00.", "Changes cost $48.", []),
    ],
)
def test_an_amount_is_in_the_currency_that_an_object_around_it_names(
    answer, policy, wrong
):
    assert accused(answer, FOREIGN, policy=policy) == wrong


@pytest.mark.parametrize(
    "answer",
    [
        "VS-31 is on March 4. Your skin test on March 11 at 3:40 PM stays as it is.",
        "VS-31 is on March 4. If you like, March 11 at 3:40 PM is also open.",
    ],
)
def test_what_is_said_of_another_record_in_its_words_is_not_accused(answer):
    assert accused(answer, VISITS) == []


def test_a_day_in_front_of_a_colon_is_read():
    shown = {"bills": [{"bill": "BL-1", "day": "2031-04-12", "sum": 20.0}]}

    assert accused("- April 12: $20.00", shown) == []
    assert accused("- April 17: $20.00", shown) == ["April 17"]


@pytest.mark.parametrize(
    ("answer", "shown", "wrong"),
    [
        # A word of a record's name with another one, which no text has together.
        ("I froze your **Harbour Copper** card.", CARDS, ["Harbour Copper"]),
        ("I froze your **Harbour Blue** card.", CARDS, []),
        # Set off by brackets or commas.
        ("Ines Falk (Rescue Team) leads.", KAYAKS, ["Rescue Team"]),
        ("One dog, Bello, is on board.", KAYAKS, ["Bello"]),
        ("It is 15:40 (UTC) there.", VISITS, []),
        # A label spelt with accents.
        ("- **Capitán:** Ruiz", {"capitan": "Lugo"}, ["Ruiz"]),
        ("- **Capitán:** Lugo", {"capitan": "Lugo"}, []),
        # The whole name of a person of whom the tools have the title as well.
        ("You see Dr. Ada Quill.", {"doctor": "Dr. Ada Berg"}, ["Dr. Ada Quill"]),
    ],
)
def test_names_that_nobody_has_are_told_by_where_they_stand(answer, shown, wrong):
    found = accused(answer, shown)

    assert [one.removeprefix("Dr. ") for one in found] == [
        one.removeprefix("Dr. ") for one in wrong
    ]


@pytest.mark.parametrize(
    ("answer", "shown", "wrong"),
    [
        ("You are at position 9.", {"list": "WL-1", "position": 6}, ["9"]),
        ("You are at position 6.", {"list": "WL-1", "position": 6}, []),
        ("8 seats left.", {"tour": "TO-1", "seats_open": 7}, ["8"]),
        ("It weighs 2.75 kg.", {"parcel": "PC-1", "weight_grams": 2750}, []),
        ("Call 612 40 07 19.", {"phone": "612 40 07 18"}, ["612 40 07 19"]),
        ("Call 612 40 07 18.", {"phone": "612 40 07 18"}, []),
        (
            "It goes to Flat 6, 14 Elder Road.",
            {"address": "Flat 2, 14 Elder Road, York"},
            ["Flat 6, 14 Elder Road"],
        ),
        ("- 05.08.: 9,00 €", {"rows": [{"day": "2031-08-05", "eur": 9.0}]}, []),
        (
            "A ticket is $30.00 plus a $4.50 fee, so $103.50 for 3.",
            {"ticket": {"price": 30.0, "fee": 4.5}},
            [],
        ),
    ],
)
def test_numbers_are_held_against_the_fields_that_they_are_called_by(
    answer, shown, wrong
):
    assert accused(answer, shown) == wrong


def test_business_days_are_read_where_their_word_stands_behind():
    policy = "Refunds take up to 10 business days."

    assert (
        accused("Cela prend 10 jours ouvrables.", {"id": "RF-1"}, policy=policy) == []
    )


def test_amounts_behind_any_code_of_a_currency_are_held_against_their_labels():
    bill = {"currency": "SEK", "cabin": 1420.0, "linen": 95.0}

    assert accused("- Cabin: SEK 1,420\n- Linen: SEK 95", bill) == []
    assert accused("- Cabin: SEK 95\n- Linen: SEK 1,420", bill) == [
        "SEK 95",
        "SEK 1,420",
    ]


def test_one_word_of_a_persons_name_is_no_name_of_another_one():
    seats = [
        {"seat": "ST-71", "holder": "Mila Dorn"},
        {"seat": "ST-82", "holder": "Tom Dorn"},
    ]
    task = "Put ST-82 in the name of Zelda Dorn."

    assert accused("ST-82 is in the name of Zelda Dorn.", seats, task=task) == []


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        # Texts of one list say nothing of each other.
        (
            "Free slots:\n- Monday 9:00 AM\n- Tuesday 2:15 PM\n- Friday 11:40 AM",
            {"slots": ["Monday 9:00 AM", "Tuesday 2:15 PM", "Friday 11:40 AM"]},
        ),
        # Another field has the hour too, and may be of anybody.
        (
            "You see Ada Berg tomorrow at 10:00 AM.",
            {
                "people": [
                    {"name": "Ada Berg", "hours": "Mon-Fri 8am-5pm"},
                    {"name": "Ivo Lind", "hours": "Tue 10am-6pm"},
                ],
                "slots": ["9:00 AM", "10:00 AM"],
            },
        ),
        # Keys have no accents.
        (
            "La fecha estimada de entrega es **22 de enero de 2031**.  \n"
            "Número de seguimiento: **OL-2031-78901**.  \n"
            "Dirección de envío: Calle 100 #15-20, Lima.",
            {
                "fecha_estimada_entrega": "2031-01-22",
                "direccion_envio": "Calle 100 #15-20, Lima",
                "tracking": "OL-2031-78901",
            },
        ),
        # Terms of a sum stand in no place of their own, and what is said again tells
        # nothing of where it was said.
        (
            "| Lamp, Rope | 40511, 40522 | $19.50 + $72.25 = $91.75 |",
            {
                "items": [
                    {"name": "Lamp", "item_id": "40511", "price": 19.5},
                    {"name": "Rope", "item_id": "40522", "price": 72.25},
                ]
            },
        ),
        (
            "It has Winter Boots, and a Glass Vase.\n\nIf you want the size of the"
            " Glass Vase, or the colour of the Winter Boots, say so.",
            {
                "items": [
                    {"name": "Glass Vase", "options": {"colour": "green"}},
                    {"name": "Winter Boots", "options": {"size": "8"}},
                ]
            },
        ),
    ],
)
def test_values_that_one_place_is_as_good_for_are_not_exchanged(answer, shown):
    assert accused(answer, shown) == []
