"""What is wrong by what stands beside it: counts, digits, names, states, days."""

import json

import pytest

from tests.builders import a_tool_call, an_interaction, verify
from verifyhub.engine.types import CallStatus

FERRIES = {"ferries": [{"ferry": "FE-11"}, {"ferry": "FE-12"}, {"ferry": "FE-13"}]}
ROWS = "\n- FE-11\n- FE-12\n- FE-13\n\nShall I book?"
ORDER = {
    "order_id": "ZX-4471",
    "items": [{"name": "Camp Stove", "model": "Boreas R20 Mark 3"}],
    "state": "on the way",
    "pay": {"method": "Debit Card", "last4": "6650"},
}
SPENT = {
    "rows": [
        {"id": "r-91", "day": "2031-07-02", "shop": "ALDER MARKET", "paid": 12.5},
        {"id": "r-92", "day": "2031-07-09", "shop": "ALDER MARKET", "paid": 31.0},
        {"id": "r-93", "day": "2031-07-21", "shop": "BIRCHWAY", "paid": 8.25},
    ]
}
LIST = (
    "You paid:\n- Jul 2 – Alder Market: $12.50\n- Jul 9 – Alder Market: $31\n"
    "- Jul 21 – {}: $8.25"
)
TRIP = {
    "trip": "TR-881",
    "pick_up": {"place": "Porto Airport"},
    "drop_off": {"place": "Lisbon Oriente"},
}
SHARED = {"file": "doc-7", "title": "Hiring Plan.xlsx", "role": "viewer"}
CLINIC = {
    "doctor": "Dr. Ilse Moreau",
    "place": "Bay 7, Eye Clinic",
    "mail": "omar.haddad@x.example",
}
LEAVE = {"request": "LV-552", "agent": "Ada Berg", "state": "waiting for approval"}


def statuses(answer, *shown, task="Help me.", failed=None):
    calls = [a_tool_call("get_it", {}, json.dumps(one)) for one in shown]
    if failed:
        text = f"Error: nothing found for {failed}"
        status = CallStatus.ERROR
        calls.append(a_tool_call("find_it", {"by": failed}, text, status=status))
    values = verify(an_interaction(answer, *calls, task=task)).values
    return {one.text: str(one.status) for one in values}


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        (f"I found four early ferries:{ROWS}", ["four"]),
        (f"I found three early ferries:{ROWS}", []),
        (f"Here are the ferries for four persons:{ROWS}", []),
        (f"Of the four boats, three go early:{ROWS}", []),
    ],
)
def test_a_count_that_the_list_behind_it_does_not_have_is_wrong(answer, wrong):
    found = statuses(answer, FERRIES)

    assert [text for text, status in found.items() if status == "unsupported"] == wrong


def test_a_number_that_only_a_failed_look_up_was_given_is_nobodys():
    answer = "I will call you on 555-013-4482."

    assert statuses(answer, CLINIC, failed="555-013-4482") == {
        "555-013-4482": "unsupported"
    }
    found = statuses("Il habite 9 rue des Halles.", CLINIC, failed="9 rue des Halles")
    assert found == {"9 rue des Halles": "unsupported"}


@pytest.mark.parametrize(
    ("answer", "shown", "text", "status"),
    [
        # The end of another id is no card.
        ("It goes to your card ending in 4471.", ORDER, "4471", "unsupported"),
        ("It goes to your card ending in 6650.", ORDER, "6650", "supported"),
        (
            "It goes to your credit card ending in 6650.",
            ORDER,
            "credit card",
            "unsupported",
        ),
        ("It goes to your Discover ending in 6650.", ORDER, "Discover", "unsupported"),
        (
            "It goes to your debit card ending in 6650.",
            ORDER,
            "debit card",
            "supported",
        ),
        # What an id is said to be.
        ("ZX-4471 (Water Filter) is late.", ORDER, "Water Filter", "unsupported"),
        ("ZX-4471 (Camp Stove) is late.", ORDER, "Camp Stove", "supported"),
        ("LV-552 (Sick Leave) is sent.", LEAVE, "Sick Leave", None),
        # Digits of a model that nobody has put together so.
        ("It is a Boreas R20 Mark 2.", ORDER, "Boreas R20 Mark 2", "unsupported"),
        # States that no word of the run has, and those that mean the same.
        ("It is awaiting pickup with Ann.", ORDER, "awaiting pickup", "unsupported"),
        ("ZX-4471 is now in collections.", ORDER, "in collections", "unsupported"),
        ("LV-552 is sent, currently **rejected**.", LEAVE, "rejected", "unsupported"),
        ("LV-552 is awaiting review.", LEAVE, "awaiting review", None),
        ("Your refund is in progress.", ORDER, "in progress", None),
        # One name of a list whose others are known.
        (LIST.format("Freshway"), SPENT, "Freshway", "unsupported"),
        (LIST.format("Birchway"), SPENT, "Birchway", "supported"),
        # Known words that stand together nowhere, under the label of another name.
        ("- Drop-off: Lisbon Airport", TRIP, "Lisbon Airport", "unsupported"),
        ("- Drop-off: Lisbon Oriente", TRIP, "Lisbon Oriente", "supported"),
        ("It is shared with Ann as editor.", SHARED, "editor", "unsupported"),
        # Parts of names.
        ("The Hiring Plan is shared.", SHARED, "Hiring Plan", "supported"),
        ("You see Dr. Moreau in Bay 7.", CLINIC, "Dr. Moreau", "supported"),
        ("You see Dr. Moreau in Bay 7.", CLINIC, "Bay 7", "supported"),
        ("I told Omar so.", CLINIC, "Omar", "supported"),
    ],
)
def test_names_digits_and_states_are_held_against_what_stands_beside(
    answer, shown, text, status
):
    assert statuses(answer, shown).get(text) == status


def test_a_weekday_beside_a_day_that_nobody_has_is_wrong_with_it():
    found = statuses("The ride is on Wednesday, July 16.", SPENT, TRIP)

    assert found == {"Wednesday": "unsupported", "July 16": "unsupported"}


VISIT = {"visit": "VS-20", "day": "2031-07-18"}  # a Friday


@pytest.mark.parametrize(
    ("day", "policy", "status"),
    [
        ("July 25", "Today is 2031-07-14.", "unsupported"),
        ("July 25", "Today is 2031-07-21.", "unchecked"),
        ("July 25", "", "unchecked"),
        ("July 18", "Today is 2031-07-14.", "supported"),
    ],
)
def test_a_weekday_of_which_the_run_has_the_day_is_no_other_day(day, policy, status):
    run = an_interaction(
        f"The visit VS-20 is on {day}.",
        a_tool_call("get_visit", {}, json.dumps(VISIT)),
        task="Friday suits me.",
        system_instructions=policy or None,
    )
    found = {one.text: str(one.status) for one in verify(run).values}
    assert found[day] == status


def test_an_amount_beside_the_day_of_another_row_is_wrong():
    assert statuses("You paid $31 on July 2.", SPENT)["$31"] == "unsupported"
    assert statuses("You paid $31 on July 9.", SPENT)["$31"] == "supported"
    found = statuses("You paid $31, and $12.50 on July 2.", SPENT)
    assert "unsupported" not in found.values()
