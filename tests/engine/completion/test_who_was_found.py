"""Claims that somebody was found, or proved who they are."""

import pytest

from tests.engine.completion.builders import call, statuses
from verifyhub.engine.ledger import ledger

FOUND = call("find_member", '{"member_id": "mb_4410"}', name="Ada Bell")
FAILED = call("find_member", "Error: no such member", name="Ada Bell")
HOURS = call("list_opening_hours", '{"monday": "9-17"}')


@pytest.mark.parametrize(
    "answer",
    [
        "I've located your account.",
        "I was able to find your profile.",
        "I have successfully pulled up your member profile.",
        "I've verified the customer's identity.",
        "Your identity has been verified.",
        "I've confirmed your member ID as mb_4410.",
    ],
)
def test_who_was_found_is_shown_by_a_call(answer):
    assert statuses(answer, FOUND) == ["supported"]
    assert statuses(answer, HOURS, FAILED) == ["contradicted"]
    assert statuses(answer, HOURS) == ["unattempted"]
    assert statuses(answer) == ["unattempted"]


def test_an_id_is_that_of_who_was_found():
    assert statuses("I've found your account, mb_4401.", FOUND) == ["unattempted"]
    answer = "I've verified your identity (ID: mb_4410) and confirmed that it fits."
    assert statuses(answer, FOUND) == ["supported"]


def test_a_number_may_be_written_in_groups():
    found = call("find_by_phone", '{"name": "Ada"}', phone="5550104410")

    assert statuses("I've found your account by 555-010-4410.", found) == ["supported"]


@pytest.mark.parametrize(
    "answer",
    [
        "Once I have verified your identity, I can go on.",
        "I could not locate your account.",
        "I need to verify your identity.",
        "I've found your order.",
    ],
)
def test_what_is_not_told_of_somebody_as_done_is_no_such_claim(answer):
    assert statuses(answer) == []


@pytest.mark.parametrize(
    "line", ["Total Estimated Cost:", "Review of Requested Changes:", "Rest unchanged."]
)
def test_a_participle_before_a_noun_describes_it(line):
    assert statuses(f"- {line}", FOUND) == []


def test_whoever_is_asked_by_text_message_is_sent_one():
    answer = "Your account was verified by text message."

    assert statuses(answer, FOUND) == ["unattempted"]


@pytest.mark.parametrize(
    "answer",
    [
        "Your seats were assigned by the window.",
        "A printed label was emailed to you a moment ago.",
        "I also asked for a quiet room and they agreed.",
    ],
)
def test_deeds_beside_the_booking_need_their_call(answer):
    booked = call("book_room", '{"ok": true}', room="12")

    assert statuses(answer, booked) == ["unattempted"]


@pytest.mark.parametrize(
    "answer",
    ["I have started playing the song.", "I've put you on the waiting list for seven."],
)
def test_nobody_does_by_talk_what_only_a_call_does(answer):
    assert statuses(answer) == ["unattempted"]


def test_what_calls_show_is_read_once_for_all_that_is_claimed_of_it(monkeypatch):
    read: list[str] = []
    words = ledger.words_of

    def counted(name: str) -> tuple[str, ...]:
        read.append(name)
        return words(name)

    monkeypatch.setattr(ledger, "words_of", counted)
    statuses("I've found your account, mb_4410.\n\n" * 9, HOURS)

    assert len([name for name in read if "list_opening_hours" in name]) == 1


def test_who_was_found_by_their_id_after_all_was_found():
    missed = call("crm_lookup_by_email", "Error: no such account", email="a@b.example")
    found = call("crm_lookup_by_id", '{"customer_id": "CS-7"}', customer_id="CS-71234")
    order = call("get_order", '{"id": "W-1", "user": "CS-71234"}', order_id="W-1")
    answer = "I found your account under customer ID CS-71234."

    assert statuses(answer, missed, found) == ["supported"]
    assert statuses(answer, missed, order) == ["contradicted"]
