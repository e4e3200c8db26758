"""States of a thing that no tool returned, and those that are no longer its own."""

import json

import pytest

from tests.builders import a_tool_call, an_interaction, verify

POLICY = "A crate is sealed, shipped, delivered or frozen."
LINES = [
    {"line_id": "LN-41", "phone": "612 40 07 18", "status": "Suspended"},
    {"line_id": "LN-42", "phone": "612 40 07 19", "status": "Suspended"},
]


def accused(answer, *shown, policy=POLICY):
    """Return the texts of the unsupported values of an answer."""
    calls = [
        a_tool_call("update_it" if at else "get_it", {}, json.dumps(one))
        for at, one in enumerate(shown)
    ]
    run = an_interaction(answer, *calls, system_instructions=policy)
    return [one.text for one in verify(run).values if str(one.status) == "unsupported"]


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("Crate CR-8801 is in 'delivered' status.", ["delivered"]),
        ("I found crate CR-8801. It’s still frozen.", ["frozen"]),
        ("I closed CR-8801. Its status has been updated to 'on hold'.", ["on hold"]),
        ("Your crate is now marked as **delivered**.", ["delivered"]),
        ("Crate CR-8802 is in 'delivered' status.", ["CR-8802", "delivered"]),
        # No thing is named that the tools have, and no thing is in that state.
        ("Your crate is still **frozen**.", ["frozen"]),
        ("Crate CR-8802 is still frozen.", ["CR-8802", "frozen"]),
        ("I see that crate CR-8801 is in 'frozen' status.", ["frozen"]),
        ("I see crate CR-8801, which is currently in 'frozen' status.", ["frozen"]),
        ("Crate CR-8801 has been delivered.", ["delivered"]),
        ("The status of your crate is now frozen.", ["frozen"]),
        ("Crates of your kind that are frozen cannot be opened.", []),
        ("Crate CR-8801 is in 'queued' status.", []),
        # Said in other words, or of what may be.
        ("Crate CR-8801 is in 'waiting' status.", []),
        ("Crate CR-8801 can be opened if it is in 'delivered' status.", []),
        ("Crate CR-8801 is still shipped by rail.", []),
    ],
)
def test_a_state_that_only_the_policy_has_is_not_that_of_a_thing(answer, wrong):
    crate = {"crate_id": "CR-8801", "state": "TX", "status": "queued"}

    assert accused(answer, crate) == wrong


@pytest.mark.parametrize(
    ("answer", "shown", "wrong"),
    [
        # What stands behind the state, with an id of its own, is not what has it.
        (
            "I sealed CR-8801. Its status is now 'open', and the fee goes to PAY_501.",
            [
                [
                    {"crate_id": "CR-8801", "status": "open", "paid_by": "PAY_501"},
                    {"crate_id": "CR-8803", "status": "open", "paid_by": "PAY_501"},
                ],
                {"crate_id": "CR-8801", "status": "sealed", "paid_by": "PAY_501"},
                {"payment_id": "PAY_501", "kind": "card"},
            ],
            ["open"],
        ),
        # A line by its telephone number.
        (
            "Your line 612 40 07 18 has been resumed and is now Suspended.",
            [LINES, LINES[0] | {"status": "Active"}],
            ["Suspended"],
        ),
        # The newest of its kind, which a later look-up shows.
        (
            "It was paid. The bill is now marked as Overdue.",
            [
                [
                    {"bill_id": "BL-1", "status": "Overdue"},
                    {"bill_id": "BL-2", "status": "Overdue"},
                ],
                {"bill_id": "BL-2", "status": "Paid"},
            ],
            ["Overdue"],
        ),
    ],
)
def test_a_state_that_was_replaced_is_not_that_of_its_thing(answer, shown, wrong):
    assert accused(answer, *shown) == wrong
