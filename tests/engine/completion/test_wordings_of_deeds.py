"""How an answer tells a deed on a record, and which call it is held against."""

from dataclasses import replace

import pytest

from tests.engine.completion.builders import call, statuses
from verifyhub.engine.types import CallStatus


def failed(tool, output='{"error": "LOCKED", "message": "Try later"}', **given):
    return replace(call(tool, output, **given), status=CallStatus.ERROR)


CLASSES = call(
    "list_classes",
    '{"classes": [{"class_id": "CL-31", "name": "Aqua Fit", "status": "open"},'
    ' {"class_id": "CL-32", "name": "Spin Express", "status": "open"}]}',
)
LOOK = call("get_member", '{"member_id": "M-9", "name": "Ada Berg", "fee": 30}')


@pytest.mark.parametrize(
    ("answer", "runs", "expected"),
    [
        # A line of a list names its object first, and at length.
        (
            "- MB-4410 (Ada Berg) – June 3, 8:15 AM – cancelled",
            [LOOK],
            ["unattempted"],
        ),
        (
            "- Spin Express — cancelled at 9:40 AM",
            [CLASSES, call("cancel_class", '{"ok": true}', class_id="CL-31")],
            ["unattempted"],
        ),
        (
            "- **Towel:** added for both days",
            [
                call(
                    "list_extras",
                    '{"extras": [{"code": "TWL", "name": "Towel set"},'
                    ' {"code": "LCK", "name": "Locker key"}]}',
                ),
                call("add_extra", "{}", booking="GB-1", code="TWL"),
                failed("add_extra", booking="GB-1", code="LCK"),
            ],
            ["supported"],
        ),
        ("1. CASE-77 – note left for the team", [LOOK], ["unattempted"]),
        ("- **Reserva anulada:** R-7710, sin coste", [LOOK], ["unattempted"]),
        # What is told of a rule, a whole or another person is none.
        ("Note: orders placed after 15:00 leave on Monday.", [LOOK], []),
        ("All set — thanks for your patience!", [LOOK], []),
        ("A fee of $5 applies while it's on hold.", [LOOK], []),
        ("Ich habe noch nichts gekündigt.", [LOOK], []),
        # How a thing stands now.
        ("Your profile now reads: Ada Lind", [LOOK], ["unattempted"]),
        ("Your training with Kim now takes place on Friday.", [LOOK], ["unattempted"]),
        ("- **MB-4410**: now 3 guests", [LOOK], ["unattempted"]),
        ("He's also on the guest list for Sunday.", [LOOK], ["unattempted"]),
        (
            "Both sessions are off the calendar.",
            [call("cancel_session", "{}", session="S-1")],
            ["supported"],
        ),
        ("A spare key is on order (KEY-20114).", [LOOK], ["unattempted"]),
        (
            "The photo is attached.",
            [call("list_uploads", '[{"file": "roof.jpg", "type": "photo"}]')],
            ["unattempted"],
        ),
        # From one value to another.
        ("Your weekly limit went up from $200 to $350.", [LOOK], ["unattempted"]),
        ("Your rate drops from €20 to €15 on 1 May.", [LOOK], ["unattempted"]),
        (
            "Your rate drops from €20 to €15 on 1 May. Shall I switch you?",
            [LOOK],
            [],
        ),
        ("Check-out: now July 14.", [LOOK], ["unattempted"]),
        ("The kitchen has been asked to bring a cake.", [LOOK], ["unattempted"]),
        # A short report of another language has no verb.
        ("Reserva cancelada.", [LOOK], ["unattempted"]),
        ("Navette réservée pour demain.", [LOOK], ["unattempted"]),
        ("Tienes una mesa para dos el lunes.", [LOOK], ["unattempted"]),
        ("Si tienes una cita, avísame.", [LOOK], []),
        # Money and messages that move.
        ("An extra $4.10 was taken from your wallet.", [LOOK], ["unattempted"]),
        (
            "A goodwill credit was posted to your card.",
            [call("list_charges", '{"charge": "C-1", "status": "posted"}')],
            ["unattempted"],
        ),
        ("A text reminder is scheduled to go to you at 8.", [LOOK], ["unattempted"]),
        ("I called the restaurant to confirm.", [LOOK], ["unattempted"]),
        ("The late fee of $5 is waived as a courtesy.", [LOOK], ["unattempted"]),
        ("Ich habe den Zählerstand 4410 übernommen.", [LOOK], ["unattempted"]),
    ],
)
def test_a_deed_is_recognised_in_the_wordings_of_lists_states_and_values(
    answer, runs, expected
):
    assert statuses(answer, *runs) == expected


CANCELLED = call(
    "cancel_trip",
    '{"trip": "T-77", "refund": {"amount": 48.5, "to": "Visa 4410"},'
    ' "confirmation": {"channel": "email", "sent": true}, "days_returned": 2}',
    trip="T-77",
)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The confirmation has been emailed to you.", ["supported"]),
        ("Your 2 days have been returned.", ["supported"]),
        ("A refund of $48.50 was issued to your Visa.", ["supported"]),
        ("A refund of $84.50 was issued to your Visa.", ["unattempted"]),
        ("A refund of $84.50 was issued to your Visa 4410.", ["unattempted"]),
    ],
)
def test_the_result_of_one_call_shows_several_deeds(answer, expected):
    assert statuses(answer, CANCELLED) == expected


ORDERS = call(
    "get_order", '{"order_id": "W-501", "user_id": "U-3", "note": "12 Elm Rd"}'
)


@pytest.mark.parametrize(
    ("answer", "runs", "expected"),
    [
        # The tool of the very verb failed; another one booked something else.
        (
            "Ada is booked in with Kim on Tuesday.",
            [
                LOOK,
                failed("book_session", slot="S-1", member_id="M-9"),
                call("join_waitlist", "{}", coach="Jo", member_id="M-9"),
            ],
            ["contradicted"],
        ),
        # What is done to a customer is not done to an order.
        (
            "The address of order W-501 has been changed.",
            [ORDERS, call("modify_user_address", "{}", user_id="U-3", zip="05401")],
            ["unattempted"],
        ),
        # A request for a payment pays nothing.
        (
            "Your payment for bill B-17 went through.",
            [
                call("send_payment_request", "sent", bill_id="B-17"),
                failed("make_payment", bill_id="B-17"),
            ],
            ["contradicted"],
        ),
        (
            "The payment request for bill B-17 has been sent.",
            [call("send_payment_request", "sent", bill_id="B-17")],
            ["supported"],
        ),
        # What is swapped is dropped and added.
        (
            "I swapped Chemistry for PHY-102.",
            [
                call("drop_course", "{}", course="CHE-110"),
                call("enroll", "{}", course="PHY-102"),
            ],
            ["unchecked"],
        ),
        # How a thing is in another language may be what a record shows.
        (
            "Su reserva está confirmada.",
            [call("get_booking", '{"booking": "HT-7", "status": "confirmed"}')],
            [],
        ),
        (
            "Chambre réservée pour juillet.",
            [call("get_reservation", '{"reservation": "HT-7", "room": "Twin"}')],
            [],
        ),
        (
            "Vous êtes inscrit à PHY-102, et CHE-110 a été retiré.",
            [
                call("enroll", "{}", course="PHY-102"),
                call("drop_course", "{}", course="CHE-110"),
            ],
            ["unchecked"],
        ),
        # The former value stands in no call.
        (
            "The old number (555-0170) has been replaced.",
            [
                call("get_contact", '{"contact_id": "K-8", "phone": "555-0170"}'),
                call("update_contact", "{}", contact_id="K-8", phone="555-0171"),
            ],
            ["supported"],
        ),
        # What was asked for is said in the call.
        (
            "I've asked the hotel for a cot by the window.",
            [call("book_hotel", '{"room": "Double"}', hotel="Alba")],
            ["unattempted"],
        ),
        # The sum stands in another order that the same tool showed.
        (
            "The refund of $62.10 goes back to your card.",
            [
                call("get_order", '{"order_id": "W-501", "total": 62.1}'),
                call("get_order", '{"order_id": "W-502", "total": 18.0}'),
                call("cancel_order", '{"total": 18.0}', order_id="W-502"),
            ],
            ["unattempted"],
        ),
        # A name that one row alone has says which one is meant.
        (
            "Your lesson with Hilda now takes place on Friday.",
            [
                call(
                    "list_lessons",
                    '{"lessons": [{"lesson_id": "LS-1", "title": "Piano Hilda"},'
                    ' {"lesson_id": "LS-2", "title": "Piano Igor"}]}',
                ),
                call("move_lesson", "{}", lesson_id="LS-2", day="Friday"),
            ],
            ["unattempted"],
        ),
        # What was entered is told in other words, what follows is shown.
        (
            "Your parcel P-100 is now headed to 9 Mill Lane.",
            [call("set_dropoff", "{}", ref="P-100", to="9 Mill Lane")],
            ["unchecked"],
        ),
        (
            "Your monthly fee goes up from €20.50 to €31.40.",
            [call("change_plan", '{"monthly": 31.4}', plan="Gold")],
            ["unchecked"],
        ),
        (
            "Your freeze is scheduled.",
            [call("freeze_membership", "{}", member="M-9")],
            ["supported"],
        ),
        # Other plans than the one that was chosen.
        (
            "I also upgraded shipping to overnight.",
            [call("update_order_payment", '{"shipping": "standard"}', order="W-501")],
            ["unattempted"],
        ),
        # A search shows what there is, and not what somebody has.
        (
            "Your places on the Harbour Tour are reserved.",
            [call("search_tours", '[{"tour_id": "T-1", "name": "Harbour Tour"}]')],
            ["unattempted"],
        ),
        (
            "Your places on the Harbour Tour are reserved.",
            [call("book_tour", '{"ok": true}', tour="Harbour Tour")],
            ["supported"],
        ),
    ],
)
def test_a_deed_is_held_against_the_call_of_its_own_verb_and_object(
    answer, runs, expected
):
    assert statuses(answer, *runs) == expected
