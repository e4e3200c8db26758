"""Answers that read the request of a user back to have it confirmed."""

import json

import pytest

from tests.builders import a_tool_call, an_interaction, verify


def statuses(answer, task, *calls):
    """Return the values of an answer with their status."""
    values = verify(an_interaction(answer, *calls, task=task)).values
    return {one.text: str(one.status) for one in values}


def accused(answer, *turns, calls=()):
    """Return the texts of the unsupported values, and what they should be."""
    run = an_interaction(answer, *calls, task="\n\n".join(turns))
    return [
        (one.text, one.note)
        for one in verify(run).values
        if str(one.status) == "unsupported"
    ]


def test_values_of_a_request_are_the_users_where_nothing_was_called():
    found = statuses(
        "Please confirm: a kayak tour for 3 people from Port Elms on May 9 at 2 pm.",
        "Book a kayak tour from Port Elms on May 9 for 3 people, at 2 pm.",
    )
    assert found == dict.fromkeys(["3", "Port Elms", "May 9", "2 pm"], "user_said")


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("You'd like the kayak tour from Port Elms on May 8?", [("May 8", "")]),
        ("You want a kayak tour on May 9 at 3 pm, correct?", [("3 pm", "")]),
        ("Please confirm: a kayak tour for 4 people.", [("4", "3")]),
        ("Please confirm a kayak tour from Gull Rock.", [("Gull Rock", "")]),
        ("Sie möchten die kayak tour am 8. Mai buchen?", [("8. Mai", "")]),
        ("La kayak tour pour book est le 8 mai, est-ce correct ?", [("8 mai", "")]),
        # Nobody was told how many boats, and what is advised repeats no user.
        ("Please confirm the kayak tour with 2 boats.", []),
        ("The bay is 14.5 km long, and tours take 90 minutes.", []),
        ("If you want to go further, take the ferry at 8:15 am.", []),
        ("Please confirm that the port is 8080.", []),
    ],
)
def test_what_nobody_gave_is_wrong_where_the_request_is_read_back(answer, wrong):
    task = "Book a kayak tour from Port Elms on May 9 for 3 people, at 2 pm."
    assert accused(answer, task) == wrong


@pytest.mark.parametrize(
    ("turns", "answer", "wrong"),
    [
        (
            ["Set the sauna timer for 6 pm.", "No, make it 7 pm."],
            "You want the sauna timer set for 6 pm?",
            [("6 pm", "7 pm")],
        ),
        (
            ["Set the sauna timer for 6 pm.", "No, make it 7 pm."],
            "You want the sauna timer set for 7 pm?",
            [],
        ),
        (
            ["A piano lesson on the 4th.", "Actually, make that June 6."],
            "Please confirm: a piano lesson on June 4.",
            [("June 4", "June 6")],
        ),
        # Asked about, and not changed.
        (
            ["Set the sauna timer for 6 pm.", "Is the pool open until 9 pm?"],
            "You want the sauna timer set for 6 pm?",
            [],
        ),
        # Changed back.
        (
            ["The sauna timer for 6 pm.", "No, 7 pm.", "Wait, 6 pm was better."],
            "You want the sauna timer set for 6 pm?",
            [],
        ),
    ],
)
def test_what_the_user_has_changed_is_wrong(turns, answer, wrong):
    assert accused(answer, *turns) == wrong


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("You'd like to adopt Pepper from Fern Hollow?", []),
        ("You'd like to adopt Pepper from Gull Rock?", [("Gull Rock", "")]),
    ],
)
def test_tools_may_have_named_what_is_read_back(answer, wrong):
    shown = [{"pet": "Pepper", "shelter": "Fern Hollow"}]
    calls = [a_tool_call("find_pets", {}, json.dumps(shown))]
    assert accused(answer, "I would like to adopt a cat.", calls=calls) == wrong


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("Booking a kayak tour for 3 people.", [("3", "two")]),
        ("Booking a kayak tour for 2 people.", []),
        # How many they are is told by whatever speaks of them.
        ("Of the tours for 3 people, which one would you like?", [("3", "two")]),
    ],
)
def test_what_is_about_to_be_booked_is_what_the_user_said_last(answer, wrong):
    turns = [
        "Book a kayak tour from 14 Gull Street for 3 people.",
        "It is for two people.",
    ]
    shown = a_tool_call("find_tours", {}, '[{"tour": "Kayak", "sold": true}]')

    assert accused(answer, *turns, calls=[shown]) == wrong


@pytest.mark.parametrize("street", ["14 Gull Street", "41 Gull Street"])
def test_a_question_whether_to_book_reads_the_request_back(street):
    wrong = accused(
        f"Shall I book a kayak tour from {street}?",
        "Book a kayak tour from 14 Gull Street.",
    )
    assert wrong == ([] if street.startswith("14") else [(street, "")])


def test_a_word_in_capitals_that_everybody_knows_is_no_name_read_back():
    assert (
        accused("Please confirm: play the film Tide on TV.", "Play the film Tide.")
        == []
    )
