"""Claims found by what a run shows, and honest deeds whatever their tool is called."""

import pytest

from tests.engine.completion.builders import call, statuses

LOAN = call(
    "get_loan", '{"loan": "LN-4410", "item": "Drill", "due": "2026-06-02"}', loan="x"
)
REFUSED = call(
    "extend_loan",
    '{"error": "ITEM_RESERVED"}',
    loan="LN-4410",
    until="2026-06-09",
)
EXTENDED = call(
    "extend_loan", '{"due": "2026-06-09"}', loan="LN-4410", until="2026-06-09"
)


@pytest.mark.parametrize(
    "answer",
    [
        "The drill is fine to stay with you through June 9.",
        "June 9 is the new day for LN-4410.",
        "Die Bohrmaschine darf bis 9. Juni bei Ihnen bleiben.",
    ],
)
def test_what_a_failed_call_was_given_is_not_so_in_any_words(answer):
    assert statuses(answer, LOAN, REFUSED) == ["contradicted"]
    assert "contradicted" not in statuses(answer, LOAN, EXTENDED)


@pytest.mark.parametrize(
    "answer",
    [
        "Unfortunately June 9 is taken: somebody reserved the drill.",
        "The loan cannot run longer. June 9 is when somebody else gets it.",
        "No extension for the drill. Somebody has it from June 9.",
        "Shall I ask again for June 9?",
        "If it works, the drill stays with you through June 9.",
    ],
)
def test_an_answer_that_admits_a_failure_states_nothing_against_it(answer):
    assert statuses(answer, LOAN, REFUSED) == []


def test_a_failed_call_that_a_later_one_made_good_contradicts_nothing():
    answer = "The drill is fine to stay with you through June 9."

    assert "contradicted" not in statuses(answer, LOAN, REFUSED, EXTENDED)


def test_a_call_that_may_have_looked_did_not_do_what_another_failed_to():
    answer = "LN-4410 is good for the drill through June 9."
    loan = call("loan", '{"loan": "LN-4410", "item": "Drill"}', loan="LN-4410")

    assert statuses(answer, loan, REFUSED) == ["contradicted"]


def test_a_record_number_that_nothing_shows_is_the_work_of_no_call():
    answer = "The drill has place QX-7714 in the queue."

    assert statuses(answer, LOAN) == ["unattempted"]
    shown = call("get_queue", '{"place": "QX-7714"}', item="Drill")
    assert statuses(answer, LOAN, shown) == []


@pytest.mark.parametrize(
    "output",
    [
        '[{"visit": "VS-81", "sms_sent": true}]',
        '{"data": {"visit": "VS-81", "sms_sent": true}, "errors": null}',
        "visit: VS-81; sms sent: yes",
    ],
)
def test_a_result_shows_a_deed_in_a_list_an_envelope_and_lines(output):
    visit = call("plan_visit", output, day="2026-06-11")

    assert statuses("An SMS was sent to you.", visit) == ["supported"]


@pytest.mark.parametrize(
    ("answer", "tool", "output"),
    [
        ("Booked.", "POST /v2/table", '{"code": "TB-51"}'),
        (
            "Your card ending in 4052 has been frozen.",
            "POST /v2/card",
            '{"id": "c1", "last4": "4052", "status": "frozen"}',
        ),
        ("P-31 is yours from today.", "velo_parking", '{"permit": "PM-9"}'),
        ("Your request was withdrawn.", "close_form", '{"state": "withdrawn"}'),
        ("Подписка отключена.", "podpiska_stop", '{"ok": true}'),
        ("The extra £7.50 was added to your bill.", "set_plan", '{"more": 7.5}'),
    ],
)
def test_a_call_that_says_little_may_have_done_what_is_told(answer, tool, output):
    done = call(tool, output, spot="P-31")

    assert set(statuses(answer, done)) <= {"unchecked", "supported"}
    assert statuses(answer, LOAN)[:1] == ["unattempted"]


@pytest.mark.parametrize(
    ("known", "given", "answer"),
    [
        ("19340", "19430", "Your new address is stored."),
        ("BM/26/118204", "BM/26/118240", "I've booked you a room."),
        ("360-555-0119", "3605550191", "The transfer was started."),
    ],
)
def test_a_call_on_an_id_with_two_characters_swapped_is_on_another_record(
    known, given, answer
):
    look = call("get_record", f'{{"number": "{known}"}}', q="me")
    tool = {"Y": "update_address", "I": "book_room", "T": "submit_transfer"}[answer[0]]

    assert statuses(answer, look, call(tool, '{"ok": true}', number=given)) == [
        "unattempted"
    ]
    right = call(tool, '{"ok": true}', number=known)
    assert statuses(answer, look, right) == ["supported"]


@pytest.mark.parametrize(
    "answer",
    [
        "You have until March 3.",
        "Seats held until 16:40.",
        "A copy was mailed to you.",
        "Confirmation texted to you.",
        "Dispute DO-2231 filed at £85.",
        "£28 went off your card.",
        "The remaining £83.40 goes back to your account.",
        "Late checkout until 2 PM has been added.",
    ],
)
def test_states_and_short_reports_of_deeds_are_read(answer):
    assert statuses(answer, LOAN) == ["unattempted"]


@pytest.mark.parametrize(
    "answer",
    [
        "The drill is no longer booked for you.",
        "The garden room is yours through Friday.",
    ],
)
def test_what_ended_and_what_is_the_readers_is_read(answer):
    refused = call("change_booking", '{"error": "CLOSED"}', item="drill garden room")

    assert statuses(answer, refused) == ["contradicted"]


def test_a_switch_that_a_record_shows_is_no_claim():
    account = '{"id": "A-4", "autopay": true, "paperless": false}'

    assert statuses("Autopay is on.", call("account", account, id="A-4")) == []
    assert statuses("Paperless is on.", call("account", account, id="A-4")) == [
        "unattempted"
    ]


ORDER = call(
    "get_order",
    '{"order": "W-4410", "placed": "2026-05-29", "items": [{"name": "Paint Set"}]}',
    order="W-4410",
)


@pytest.mark.parametrize(
    "answer",
    [
        "Got it. Which one do you mean?",
        "Given that, your next step is a visit.",
        "1) Paint Set – $34.99 (returnable)",
        "- Just the Paint Set,",
        "- W-4410 — placed May 29 — $34.99",
        "2) Afterwards, destroy the old card (cut through the chip).",
        "- Attach the prepaid label over the old ones.",
        "- Time: 3 pm (same as before, just shifted to Monday)",
        "The train is scheduled for a 9:40 arrival.",
        "Saturday: Sold Out",
        "I've confirmed that order W-4410 is still open.",
    ],
)
def test_words_that_only_look_like_deeds_are_none(answer):
    assert statuses(answer, ORDER) == []


def test_an_identity_is_confirmed_by_a_look_up():
    seen = call("find_user", "ada_lund_9620", name="Ada Lund")
    failed = call("find_user", '{"error": "NOT_FOUND"}', name="Ada Lund")

    answer = "I've successfully authenticated your identity."
    assert statuses(answer, seen) == ["supported"]
    assert statuses("I've authenticated your identity.", failed) == ["contradicted"]


def test_what_a_call_is_named_after_is_no_other_record():
    plan = call("get_details", '{"id": "P-9", "topup_price": 2.0}', id="P-9")
    done = call("topup_data", '{"message": "Added 2 GB to L-7"}', line="L-7", gb=2)

    assert statuses("Your data topup has been applied:", plan, done) != ["unattempted"]
    assert statuses("Your data topup has been applied:", plan) == ["unattempted"]
