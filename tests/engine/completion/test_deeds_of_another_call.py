"""Claims of deeds beside a call that did something else."""

from dataclasses import replace

import pytest

from tests.engine.completion.builders import call, check, statuses
from verifyhub.engine.completion.check import check_completion
from verifyhub.engine.ledger.build import build_ledger
from verifyhub.engine.types import Interaction

PAID = '"payments": [{"type": "payment", "amount": 90}]'


def test_a_change_of_an_address_moves_no_money():
    answer = "A refund of $25 has been processed to your card."
    moved = call("update_order_address", f"{{{PAID}}}", order="W-1", street="1 Mill")
    exchanged = call("update_order_items", f"{{{PAID}}}", order="W-1", new="N-2")

    assert statuses(answer, moved) == ["unattempted"]
    assert statuses(answer, exchanged) != ["unattempted"]


def test_a_meeting_with_another_title_is_another():
    answer = "I've scheduled “Choir Rehearsal” for Friday."

    def made(title: str):
        return call("create_meeting", '{"id": "E-1"}', title=title)

    assert statuses(answer, made("Choir Rehearsal")) == ["supported"]
    assert statuses(answer, made("Budget Review")) == ["unattempted"]


@pytest.mark.parametrize(
    "answer",
    [
        "I've scheduled “Choir Rehearsal” for Friday.",
        "I've ordered a replacement for your office card.",
    ],
)
def test_a_deed_on_a_record_is_claimed_where_no_tool_was_called(answer):
    assert statuses(answer) == ["unattempted"]


def test_what_the_system_has_made_is_claimed_too():
    answer = (
        "Your return requests have been submitted, and the system has generated a"
        " shipping label for each."
    )
    returned = call("return_order", '{"status": "return requested"}', order="W-1")

    assert statuses(answer, returned) == ["unattempted"]


def test_what_the_user_asked_for_is_no_fact_of_the_others():
    shown = call("get_alarms", '[{"alarm_name": "Rise", "alarm_time": "06:00"}]')
    answer = "The alarm was created."

    def told(task: str) -> list[str]:
        run = Interaction(task=task, answer=answer, tool_calls=(shown,))
        return [str(x.status) for x in check_completion(answer, build_ledger(run))]

    assert told("Please add a new alarm for 7.") == ["unattempted"]
    assert told("Who made that alarm?") == []


def test_what_stands_only_in_another_order_was_not_refunded_with_this_one():
    def shown(order: str, item: str):
        record = f'{{"order": "{order}", "item": "{item}"}}'
        return call("get_order", record, order=order)

    looks = (shown("W-101", "brass lamp"), shown("W-102", "oak shelf"))
    returned = call("return_order", f"{{{PAID}}}", order="W-102")

    assert statuses("I refunded the lamp.", *looks, returned) == ["unattempted"]
    assert statuses("I refunded the shelf.", *looks, returned) == ["supported"]


@pytest.mark.parametrize("tool", ["CallDriver", "hail_cab", "RequestRide"])
def test_who_calls_a_driver_books_the_ride(tool):
    answer = "Your cab booking is confirmed and your cab is on its way."

    assert statuses(answer, call(tool, "[{}]", goal="Pier")) == ["supported"]
    assert statuses(answer, call(tool, "Error 503: no line", goal="Pier")) == [
        "contradicted"
    ]


def test_a_search_for_a_ride_that_returns_the_very_request_made_it():
    answer = "Your ride is confirmed."
    made = call("SearchForRides", '[{"goal": "Pier", "fare": "9.50"}]', goal="Pier")
    offers = call("SearchForRides", '[{"goal": "Pier"}, {"goal": "P"}]', goal="Pier")

    assert statuses(answer, made) == ["supported"]
    assert statuses(answer, offers) == ["unattempted"]


def test_a_title_is_another_although_it_shares_a_small_word():
    answer = "I've scheduled “Choir Rehearsal in May” for Friday."
    made = call("create_meeting", '{"id": "E-1"}', title="Budget", note="link in mail")

    assert statuses(answer, made) == ["unattempted"]


def test_the_list_below_a_deed_details_it():
    moved = call("update_booking", '{"class": "saver"}', booking="B-1", to="saver")
    deed = "Your downgrade has been processed."
    detail = "- Class changed from flex to **saver**"

    assert "unattempted" not in statuses(f"{deed}\n\n{detail}", moved)
    assert "unattempted" in statuses(f"{detail}\n\n{deed}", moved)


def test_what_a_calendar_shows_the_reader_has():
    shown = call("GetEvents", '[{"name": "Eye appointment", "time": "09:00"}]')

    assert statuses("You have an eye appointment at 9 am.", shown) == []
    assert statuses("You now have a viewing at 9 am.", shown) == ["unattempted"]


def test_a_look_into_a_file_makes_no_run_one_of_files():
    records = (
        call("get_user", '{"user_id": "U-12"}', user="U-12"),
        call("get_accounts", '[{"account": "A-7"}]', user="U-12"),
        call("get_orders", '[{"order": "W-1", "state": "open"}]', user="U-12"),
    )
    looked = call("shell", "Refunds take five days.", command="cat refunds.md")

    answer = "I've cancelled your order W-1."
    assert statuses(answer, *records, looked) == ["unattempted"]


def test_a_report_before_a_question_is_a_claim():
    cancelled = call("CancelVisit", "success", visit="V-77")
    other = call("GetVisits", "[]", user="U-12")
    answer = "Your visit has been cancelled, would you like to book a new one?"

    assert statuses(answer, cancelled) == ["supported"]
    (claim,) = check(answer, other)
    assert (str(claim.status), claim.text) == (
        "unattempted",
        "Your visit has been cancelled",
    )
    assert statuses("If your visit was cancelled, would you like one?", other) == []


def test_a_short_report_of_any_change_is_a_claim():
    changed = call("ModifyAlarm", "success", to="10:00")
    token = call("GetToken", '{"token": "t9"}', user="U-12")

    assert statuses("Alarm modified successfully.", changed) == ["supported"]
    assert statuses("Alarm modified successfully.", token) == ["unattempted"]


def test_what_was_not_done_is_no_claim():
    token = call("GetToken", '{"token": "t9"}', user="U-12")

    assert statuses("I did not send anything to them.", token) == []


def test_what_somebody_did_with_a_thing_does_not_say_what_it_is():
    deleted = call("DeleteAccount", '{"status": "success"}', token="t9")

    assert statuses("I've removed the account you signed in with.", deleted) == [
        "supported"
    ]


def test_a_second_one_takes_a_second_call():
    added = call("add_alarm", '{"id": "AL-1"}', time="07:00")
    again = call("add_alarm", '{"id": "AL-2"}', time="07:30")

    assert statuses("I've added a second alarm.", added) == ["unattempted"]
    assert statuses("I've added a second alarm.", added, again) == ["supported"]


def test_it_is_what_another_sentence_names():
    moved = call("ModifyAlarm", "success", to="10:00")
    answer = "It's been moved to the time you gave. The alarm was modified."

    assert "unattempted" not in statuses(answer, moved)


def test_what_a_message_says_word_for_word_is_a_fact():
    body = '{"body": "Roof survey scheduled for next week. No blockers."}'
    read = call("read_message", body, message="M-1")

    assert statuses("The roof survey is scheduled for next week.", read) == []
    assert statuses("The site visit is scheduled for next week.", read) != []


def test_what_was_refused_or_left_undone_is_no_claim():
    read = call("read_message", '{"body": "Hello"}', message="M-1")

    assert statuses("My first attempt to list them was rejected.", read) == []
    assert statuses("I have taken **no action** on any of them.", read) == []


def test_a_few_words_of_a_tool_report_the_deed():
    saved = call("Save_Json", "Booking is done.", name="Ada")

    assert statuses("Your appointment has been booked.", saved) == ["supported"]


def test_who_looked_may_have_read_it():
    read = call("get_message", '{"id": "M-1", "body": "Hello"}', message="M-1")

    assert "unattempted" not in statuses("I read the request from the agency.", read)


ORDER = call("place_order", '{"id": 7, "side": "Buy"}', symbol="ABC", side="Buy")


def test_what_a_call_was_given_in_other_letters_is_no_other_name():
    answer = "Your order to buy 20 shares of Abacus (ABC) has been placed."
    run = Interaction(task="Please buy 20 Abacus shares.", answer=answer)
    ledger = build_ledger(replace(run, tool_calls=(ORDER,)))

    (claim,) = check_completion(answer, ledger)
    assert claim.status == "supported"


def test_a_deed_on_what_neither_user_nor_call_names_is_another():
    answer = "Your order for ABC has been placed. I placed a new order for Zenith too."

    assert statuses(answer, ORDER) == ["supported", "unattempted"]


@pytest.mark.parametrize(
    "answer",
    [
        "A market order is filled at the price of the moment.",
        "Drinks are made one after the other.",
        "Trading is possible while the market is open.",
        "I converted the fare into euros.",
        "No spare bike: all of this week's days are booked.",
        "I opened your profile to find the order.",
        "No deposit required (below the limit).",
        "**Updated balances:**",
        "Your revised travel plan:",
        "The due day is set to 22 already, so no change was made.",
        "La lettre est envoyée seulement à l'adresse du dossier.",
    ],
)
def test_a_rule_and_a_sum_are_no_deeds(answer):
    seen = call("get_status", '{"status": "ok", "price": 5}', id="S-1")

    assert "unattempted" not in statuses(answer, seen, ORDER)


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("Te reservé una mesa para el viernes.", "unattempted"),
        ("Además, ya lo añadí a tu carrito.", "unattempted"),
        ("Se inició el reembolso a tu tarjeta.", "unattempted"),
        ("Abrí un caso de soporte por este tema.", "unattempted"),
        ("La dirección de envío quedó cambiada.", "unattempted"),
        ("Te mandé el enlace por correo.", "supported"),
    ],
)
def test_spanish_tells_deeds_in_the_simple_past_too(answer, status):
    sent = call("send_email", '{"sent": true}', to="ana@example.com", link="x")

    assert statuses(answer, sent) == [status]


@pytest.mark.parametrize(
    "answer",
    [
        "Consulté el pedido en el sistema.",
        "Aquí está el pedido.",
        "No cancelé el pedido.",
    ],
)
def test_who_looks_or_denies_in_spanish_claims_no_deed(answer):
    seen = call("get_order", '{"status": "open"}', order="W-1")

    assert "unattempted" not in statuses(answer, seen)


def test_a_check_is_told_by_its_call_and_steps_by_what_was_done():
    check_call = call("run_conflict_check", '{"result": "clear"}', client="C-1")
    moved = call("change_flight", '{"ok": true}', booking="B-1")

    assert statuses("Conflict check completed.", check_call) != ["unattempted"]
    assert statuses("Conflict check completed.", moved) == ["unattempted"]
    assert statuses("Both steps have been completed.", moved) != ["unattempted"]
    assert statuses("Both steps have been completed.", check_call) == ["unattempted"]
