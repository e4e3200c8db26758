"""What was there before a change is not there now, and the other way round."""

import json

import pytest

from tests.builders import a_tool_call, an_interaction, verify

CLIENT = {"client": "K-20", "mobile": "555-0141"}
MOVED = {"client": "K-20", "mobile": "555-0199", "previous": "555-0141"}
PLANS = {"plans": [{"code": "PL-10", "fee": 19.0}, {"code": "PL-20", "fee": 31.0}]}
SWITCHED = {"line": "L-7", "old_plan": "PL-20", "new_plan": "PL-10", "new_fee": 19.0}
LESSON = {"lesson_id": "LS-3", "start": "2031-09-04T16:00", "price": 40.0}
LATER = {"lesson_id": "LS-3", "start": "2031-09-05T11:30", "price": 44.0}
NOTED = {"lesson_id": "LS-3", "note": "bring the book"}
LEADS = {
    "leads": [{"lead_id": "LD-10", "level": "L3"}, {"lead_id": "LD-20", "level": "L3"}]
}
RAISED = {"lead_id": "LD-20", "level": "L2"}


def accused(answer, *shown, given=None, policy=None):
    """Return the texts of the unsupported values; the first call looks."""
    calls = [
        a_tool_call(
            *(("update_it", given or {}) if at else ("get_it", {})), json.dumps(one)
        )
        for at, one in enumerate(shown)
    ]
    run = an_interaction(answer, *calls, task="Help me.", system_instructions=policy)
    return [one.text for one in verify(run).values if str(one.status) == "unsupported"]


@pytest.mark.parametrize(
    ("answer", "shown", "wrong"),
    [
        # The write returns both, and no earlier call shows the old one.
        ("Your number has been changed to 555-0141.", ({}, MOVED), ["555-0141"]),
        ("Your number has been changed to 555-0199.", ({}, MOVED), []),
        ("It was changed from 555-0141 to 555-0199.", ({}, MOVED), []),
        ("It was changed from PL-10 to PL-20.", (PLANS, SWITCHED), ["PL-10", "PL-20"]),
        # The price of the plan that was left, under the head of its column.
        (
            "| | Before | After |\n|---|---|---|\n| Fee | $19 | $31 |",
            (PLANS, SWITCHED),
            ["$19", "$31"],
        ),
        (
            "| | Before | After |\n|---|---|---|\n| Fee | $31 | $19 |",
            (PLANS, SWITCHED),
            [],
        ),
        # The new one under the label of the old one.
        (
            "LS-3 is changed.\n- Previous price: $44\n- New price: $40",
            (LESSON, LATER),
            ["$44", "$40"],
        ),
        (
            "LS-3 is changed.\n- Previous price: $40\n- New price: $44",
            (LESSON, LATER),
            [],
        ),
        # A further write that does not show the field.
        ("Done: the new start is 4:00 PM.", (LESSON, LATER, NOTED), ["4:00 PM"]),
        # Moved, in another language.
        ("Урок перенесён на 11:30.", (LESSON, LATER), []),
        ("Урок перенесен на 16:00.", (LESSON, LATER), ["16:00"]),
        # That another record still has it.
        ("LD-20 was raised to L3.", (LEADS, RAISED), ["L3"]),
    ],
)
def test_an_old_value_is_not_the_new_one(answer, shown, wrong):
    given = {"mobile": "555-0199"} if shown[-1] is MOVED else {}

    assert accused(answer, *shown, given=given, policy="Levels are L1 to L4.") == wrong


def test_what_another_record_of_the_kind_still_has_is_not_replaced():
    cars = {"cars": [{"car": "C-1", "state": "free"}, {"car": "C-2", "state": "free"}]}
    answer = "I've blocked C-1. The red one is still free."

    assert accused(answer, cars, {"car": "C-1", "state": "blocked"}) == []
