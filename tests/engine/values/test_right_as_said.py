"""Values that are right, however the answer spells, parts or enumerates them."""

import json

import pytest

from tests.builders import a_tool_call, an_interaction, verify

STALL = {"stall": "ST-701", "hint": "Salle d'été", "fee": 40.0}
CRATE = {
    "crate_id": "CR-88",
    "status": "packing",
    "goods": [
        {"sku": "GD-1", "name": "Oil Lamp", "status": "queued"},
        {"sku": "GD-2", "name": "Tin Cup", "status": "queued"},
    ],
}
HOME = {"guest_id": "GU-31", "street": "12 Alder Road", "unit": "Suite 40"}


def accused(answer, *shown, tool="get_it", policy=None, task="Help me."):
    """Return the texts of the unsupported values of an answer."""
    calls = [
        a_tool_call(tool if at else "get_it", {}, json.dumps(one))
        for at, one in enumerate(shown)
    ]
    run = an_interaction(answer, *calls, task=task, system_instructions=policy)
    return [one.text for one in verify(run).values if str(one.status) == "unsupported"]


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("It takes 3\u20115 working days.", []),
        ("It takes 3\u20116 working days.", ["3\u20116 working days"]),
        ("Your stall is ST\u2011701.", []),
        ("Your stall is ST\u2011702.", ["ST\u2011702"]),
    ],
)
def test_hyphens_at_which_no_line_ends_are_hyphens(answer, wrong):
    assert accused(answer, STALL, policy="It takes 3 to 5 working days.") == wrong


@pytest.mark.parametrize(
    ("answer", "shown", "wrong"),
    [
        ("- **Hint**: Salle d'ete", [STALL], []),
        ("- **Hint**: Salle d'été", [STALL | {"hint": "Salle d'ete"}], []),
        # `was` is neither Washington nor several of it.
        (
            "Order #HB-7001 was sent to a Rye address.",
            [
                {"email": "a@b.example", "address": {"city": "Kent", "state": "WA"}},
                {"order_id": "#HB-7001", "address": {"city": "Rye", "state": "NY"}},
            ],
            [],
        ),
        ("Ring +44 7 123-4560.", [{"phone": "+44 7 123 4560"}], []),
        ("Ring +44 7 123-4561.", [{"phone": "+44 7 123 4560"}], ["+44 7 123-4561"]),
        # A state with brackets is read whole.
        (
            "It was changed. The state is now open (colour changed).",
            [
                {"parcel_id": "PX-1", "state": "open"},
                {"parcel_id": "PX-1", "state": "open (colour changed)"},
            ],
            [],
        ),
        # That of the crate is that of what lies in it.
        ("The rest (like the Tin Cup) is still packing.", [CRATE], []),
        ("CR-88 is queued.", [CRATE], []),
        # Sums of sums.
        (
            "| CR-1 | $3.05 |\n| CR-2 | $10.25 + $4.10 = $14.35 |\n"
            "| CR-3 | $7.05 + $1.20 = $8.25 |\n\nTotal: $25.65",
            [
                {"crate": "CR-1", "goods": [{"price": 3.05}]},
                {"crate": "CR-2", "goods": [{"price": 10.25}, {"price": 4.1}]},
                {"crate": "CR-3", "goods": [{"price": 7.05}, {"price": 1.2}]},
                {"crate": "CR-4", "goods": [{"price": 5.05}, {"price": 2.2}]},
            ],
            [],
        ),
        (
            "I looked at (#PX-5101, #PX-5102) so far.",
            [
                {"email": "a@b.example", "orders": ["#PX-5101", "#PX-5102"]},
                {"order_id": "#PX-5101", "town": "Ghent"},
                {"order_id": "#PX-5102", "town": "Gouda"},
            ],
            [],
        ),
        # What it is says of which of them it is.
        (
            "The invoice IN-9101 is late. So your line is frozen.",
            [
                {"line_id": "LN-41", "status": "frozen"},
                {"invoice_id": "IN-9101", "status": "late"},
            ],
            [],
        ),
    ],
)
def test_right_values_are_not_accused(answer, shown, wrong):
    assert accused(answer, *shown, tool="update_it") == wrong


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("It goes to 12 Alder Road, Suite 40.", []),
        ("It goes to 12 Alder Road, Suite 41.", ["Suite 41"]),
        ("It goes to 14 Alder Road, Suite 40.", ["14 Alder Road"]),
        ("It goes to 14 Alder Road, Suite 41.", ["14 Alder Road, Suite 41"]),
    ],
)
def test_of_an_address_in_parts_the_wrong_part_is_told(answer, wrong):
    assert accused(answer, HOME) == wrong


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("Use any debit card, or some cash.", []),
        ("It accepts any Visa/Mastercard.", []),
        ("Put your name or “Guest arriving” on it.", []),
        ("You paid with a debit card.", ["debit card"]),
        ("- **Reason for Spoilage**: rain", []),
        ("It was left there for Spoilage.", ["Spoilage"]),
    ],
)
def test_what_is_any_of_its_kind_and_the_end_of_a_label_name_nothing(answer, wrong):
    assert accused(answer, {"paid_with": "paypal_77", "why": "rain"}) == wrong


@pytest.mark.parametrize(
    ("task", "wrong"),
    [("Meet at 2031-05-04T10:00.", []), ("Help me.", ["May 4, 2031"])],
)
def test_a_day_and_hour_that_the_user_said_are_of_no_row(task, wrong):
    rows = [
        {"row": "RW-1", "leaves": "2031-05-03T10:00"},
        {"row": "RW-2", "leaves": "2031-05-04T15:00"},
    ]

    assert accused("It is on May 4, 2031, at 10:00.", rows, task=task) == wrong


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("There is only one t-shirt in it.", []),
        ("It weighs two t.", ["two"]),
    ],
)
def test_a_letter_before_a_hyphen_is_no_unit(answer, wrong):
    chest = {"chest_id": "CH-901", "goods": [{"name": "T-Shirt"}, {"name": "Lute"}]}
    assert accused(answer, chest) == wrong


def a_valve(item_id, grip, price):
    options = {"grip": grip, "color": "black"}
    return {"item_id": item_id, "name": "Valve", "price": price, "options": options}


@pytest.mark.parametrize("sign", ["→", "=>"])
def test_behind_an_arrow_stands_no_field_of_what_is_in_front(sign):
    old = a_valve("4401889012", "Left Thread", 31.5)
    others = [
        a_valve("4402889012", "Round Bayonet", 42.25),
        a_valve("4403889012", "Round Bayonet", 47.25),
        old,
    ]
    answer = (
        "- Valve (original item ID: 4401889012, Left Thread compatible, black, $31.50) "
        f"{sign} New: Round Bayonet compatible, black (item ID: 4403889012, $47.25)"
    )
    order = {"order_id": "#Q5501", "items": [old]}
    valves = {"product_id": "9001", "variants": {one["item_id"]: one for one in others}}
    assert accused(answer, order, valves) == []


RIDE = {"txn_id": "TX-41", "shop": "Tram", "amount": 24.0, "points": 24}
BOOK = {"txn_id": "TX-42", "shop": "Quill", "amount": 12.0, "points": 60}


@pytest.mark.parametrize(
    ("points", "wrong"), [("60", []), ("24", []), ("84", ["84"]), ("61", ["61"])]
)
def test_points_are_earned_at_the_rate_that_is_told(points, wrong):
    answer = (
        "You earn 5 points per dollar on green purchases, and 2 points/dollar else.\n"
        "1. Tram – $12.00 – TX-43 should give " + points + " points."
    )
    shown = [RIDE, BOOK, {"txn_id": "TX-43", "shop": "Tram", "amount": 12.0}]
    policy = "Green purchases earn 5 points per dollar, others 2 points."

    assert accused(answer, *shown, policy=policy) == wrong


def test_a_look_into_a_file_leaves_the_values_of_records_to_be_checked():
    look = a_tool_call("shell", {"command": "cat fees.md"}, "No fees.")
    records = [a_tool_call("get_it", {}, json.dumps(one)) for one in (RIDE, BOOK, HOME)]
    run = an_interaction("Transaction TX-44 gave 24 points.", *records, look)

    wrong = [one for one in verify(run).values if str(one.status) == "unsupported"]
    assert [one.text for one in wrong] == ["TX-44"]


LEDGER = "line,account,amount\nL-1,6120,3850.00\nL-2,6120,1240.00\nL-3,7200,-350.50\n"
REPORT = "account,total\n6120,5090.00\n7200,-350.50\n"


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("The report says 5090.00 for 6120.", []),
        ("The report says 5190.00 for 6120.", ["5190.00"]),
        ("6120: 3850.00 + 1240.00 + (−350.50) = **4739.50**", []),
        ("6120: 3850.00 + 1240.00 + (−350.50) = **4739.60**", ["4739.60"]),
        ("6120: 3850.00 + 1340.00 = **5190.00**", ["1340.00", "5190.00"]),
    ],
)
def test_what_stands_in_files_of_tables_is_checked(answer, wrong):
    def read(path, text):
        return a_tool_call("read_file", {"path": path}, text)

    def unsupported(*calls):
        run = an_interaction(answer, *calls)
        values = verify(run).values
        return [one.text for one in values if str(one.status) == "unsupported"]

    tables = (read("ledger.csv", LEDGER), read("report.csv", REPORT))
    code = read("totals.py", "def total(): ...")

    assert unsupported(*tables) == wrong
    assert unsupported(*tables, code) == []


SHELF = {"files": [{"file_id": "file_notes_may", "owner_id": "user_it_desk"}]}


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("I opened `file_notes_may` of user_it_desk.", []),
        ("I opened `file_notes_june`.", ["file_notes_june"]),
        ("It is owned by user_it_lead.", ["user_it_lead"]),
        # No id of this run begins so.
        ("It is a case of out_of_office.", []),
    ],
)
def test_ids_of_words_are_those_that_records_have(answer, wrong):
    assert accused(answer, SHELF, tool="list_files") == wrong


def test_a_letter_among_records_is_a_paper_and_no_code():
    letter = a_tool_call("read_file", {"path": "move.txt"}, "Moved to Dale Street 4.")
    saved = a_tool_call(
        "update_profile", {"street": "Dale Street 4"}, '{"id": "PR-7711"}'
    )
    run = an_interaction("Profile PR-7712 has the new address.", letter, saved)

    wrong = [one.text for one in verify(run).values if str(one.status) == "unsupported"]
    assert wrong == ["PR-7712"]


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("Wind: 13.0 km/h from the west.", []),
        ("Wind: 14.0 km/h from the west.", ["14.0"]),
        ("Up from 42.3% to 65.2%, which is 54% higher.", []),
        ("Up from 42.3% to 65.2%, which is 58% higher.", ["58%"]),
    ],
)
def test_speeds_and_ratios_are_read_in_each_process_alike(answer, wrong):
    weather = {"city": "Rye", "wind_kph": 13.0, "before": "42.3%", "after": "65.2%"}

    assert accused(answer, weather) == wrong
