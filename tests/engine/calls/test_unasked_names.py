"""Calls that were given a name in the place of the one that the user gave."""

from dataclasses import replace

import pytest

from tests.engine.completion.builders import call
from verifyhub.engine.completion.check import check_completion
from verifyhub.engine.ledger.build import build_ledger
from verifyhub.engine.types import Interaction, ToolCall

VISIT = "I'd like to see the Beech House flat on Friday."
VISITED = "Your visit has been scheduled."


def visit(place: str) -> ToolCall:
    return call("schedule_visit", '{"id": "V-12"}', property_name=place)


def statuses(task: str, answer: str, *calls: ToolCall) -> list[str]:
    numbered = tuple(replace(one, index=at) for at, one in enumerate(calls))
    run = Interaction(task=task, answer=answer, tool_calls=numbered)
    return [str(claim.status) for claim in check_completion(answer, build_ledger(run))]


def test_a_visit_to_another_place_is_not_the_one_asked_for():
    assert statuses(VISIT, VISITED, visit("Beech House")) == ["supported"]
    assert statuses(VISIT, VISITED, visit("Willow Court")) == ["unattempted"]


def test_a_name_that_the_claim_tells_is_held_for_what_it_is():
    answer = "Your visit to Willow Court has been scheduled."

    assert statuses(VISIT, answer, visit("Willow Court")) == ["supported"]


@pytest.mark.parametrize(
    "task",
    [
        "I'd like to see a flat on Friday.",
        "My name is Beech House, and I'd like to see a flat.",
        "I'd like to see the flat in WC on Monday with Friday as an alternative.",
        "I'd like to see the Willow Courts flat.",
    ],
)
def test_a_name_is_another_only_where_the_user_gave_one(task):
    assert statuses(task, VISITED, visit("Willow Court")) == ["supported"]


def test_a_name_is_known_by_half_of_its_words():
    task = "Two nights at the Amber Lodge Bergen, please."
    answer = "Your room is booked."

    def booked(hotel: str) -> ToolCall:
        return call("book_hotel", '{"ok": true}', hotel_name=hotel, location="Bergen")

    assert statuses(task, answer, booked("Amber Lodge")) == ["supported"]
    assert statuses(task, answer, booked("Harbour Bell Hotel")) == ["unattempted"]


def test_what_the_user_calls_a_thing_is_not_their_own_name():
    answer = "I have started playing that song."

    def played(song: str) -> ToolCall:
        return call("play_song", '{"ok": true}', song_name=song)

    asked = "The song's name is Meadow, please."
    assert statuses(asked, answer, played("Meadow")) == ["supported"]
    assert statuses(asked, answer, played("Red Tin Roof")) == ["unattempted"]


def test_a_name_from_nowhere_is_none_of_those_that_were_listed():
    task = "Find me a dentist in Leeds and book me in for ten."
    found = call("find_dentist", '[{"name": "Park Row Dental"}]', city="Leeds")
    answer = "Your appointment is confirmed."

    def booked(name: str) -> ToolCall:
        return call("book_appointment", '{"ok": true}', dentist_name=name, urgent=True)

    assert statuses(task, answer, found, booked("Park Row Dental")) == ["supported"]
    assert statuses(task, answer, found, booked("Elm Yard Smiles")) == ["unattempted"]


def test_what_is_switched_on_is_no_name():
    task = "Please block Your Business Card, it is lost."
    report = call("report_card", '{"ok": true}', issue="lost", request_new=True)

    assert statuses(task, "Your card has been blocked.", report) == ["supported"]


def test_a_name_that_a_tool_showed_is_known():
    offers = call("find_flats", '[{"name": "Willow Court"}]', town="Leeds")

    assert statuses(VISIT, VISITED, offers, visit("Willow Court")) == ["supported"]


def test_a_call_goes_where_the_search_went():
    task = "A bus from Bergen to Oslo, please."
    found = call("find_bus", '[{"leaves": "07:10"}]', origin="Bergen", goal="Oslo")
    answer = "Your ticket has been booked."

    def booked(goal: str) -> ToolCall:
        return call("book_ticket", '{"ok": true}', origin="Bergen", goal=goal)

    assert statuses(task, answer, found, booked("Oslo")) == ["supported"]
    assert statuses(task, answer, found, booked("Malmo")) == ["unattempted"]


def test_what_the_look_ups_of_its_field_do_not_list_is_from_nowhere():
    listed = call("find_films", '[{"film_name": "Salt Road"}]', genre="drama")
    answer = "I've rented the film for you."

    def rented(name: str) -> ToolCall:
        return call("rent_film", '{"ok": true}', film_name=name)

    assert statuses("Any drama.", answer, listed, rented("Salt Road")) == ["supported"]
    assert statuses("Any drama.", answer, listed, rented("Blue Hour")) == [
        "unattempted"
    ]


def test_words_that_only_begin_alike_do_not_make_a_name_known():
    task = "I will see the Beech House flat, please schedule it."

    assert statuses(task, VISITED, visit("Willow Court")) == ["unattempted"]


@pytest.mark.parametrize(
    ("amount", "status"),
    [("450", "supported"), ("38", "unattempted"), ("900", "supported")],
)
def test_an_amount_is_the_one_the_user_gave_or_made_of_known_ones(amount, status):
    paid = call("transfer_money", '{"ok": true}', to_account="savings", amount=amount)
    answer = "Your transfer has been made."

    assert statuses("Move 450 dollars to savings.", answer, paid) == [status]


def test_beside_hundreds_of_numbers_any_amount_may_be_made_of_known_ones():
    paid = call("transfer_money", '{"ok": true}', to_account="savings", amount="38")
    listed = call("list_payments", " ".join(f"{n}7000.5" for n in range(1, 302)))
    asked, answer = "Move 450 dollars to savings.", "Your transfer has been made."

    assert statuses(asked, answer, listed, paid) == ["supported"]


def test_thousands_of_ids_names_and_amounts_are_read_in_linear_time():
    asked = "Send 450 dollars to " + " or to ".join(
        f"Old{chr(97 + n % 26)}{chr(97 + n // 26)} Mill Quarry" for n in range(600)
    )
    calls = [
        one
        for n in range(2_000)
        for one in (
            call("find_ticket", f'{{"id": "tk-{n:05}x", "total": {n * 1.17:.2f}}}'),
            call(
                "update_ticket",
                '{"ok": true}',
                ticket_id=f"tk-{n:05}x",
                city=f"Willow{chr(97 + n % 26)} Ridge",
                amount=f"{n * 3.31 + 9:.2f}",
            ),
        )
    ]

    assert statuses(asked, "I updated the ticket.", *calls) == ["unattempted"]


def test_what_is_made_may_be_called_anyhow_unless_the_user_named_it():
    answer = "I created the list."
    made = call("create_list", '{"ok": true}', name="Weekly Shopping")

    assert statuses("A list for my trip to Costco.", answer, made) == ["supported"]
    assert statuses("A list called barbecue, please.", answer, made) == ["unattempted"]


def test_whom_the_agent_writes_to_may_be_known_otherwise():
    sent = call("send_email", '{"ok": true}', recipient="Facilities Team")

    assert statuses("The lamp by Canon is broken.", "I sent the email.", sent) == [
        "supported"
    ]
