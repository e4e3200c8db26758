"""Which row of a list a call was given, and what a setter or a change switches."""

import pytest

from tests.engine.completion.builders import call, check, statuses

CARDS = call(
    "getProfile",
    '{"cards": [{"card_id": "crd_91", "last4": "4417"},'
    ' {"card_id": "crd_92", "last4": "8820"}]}',
)
PETS = call(
    "getClient",
    '{"pets": [{"petId": "p1", "name": "Biscuit"}, {"petId": "p2", "name": "Olive"}]}',
)
ORDER = call(
    "getOrder",
    '{"id": "FD-1", "items": [{"name": "Garlic Naan"}, {"name": "Mango Lassi"}]}',
)
LOANS = call(
    "patron_info", "Patron: Helen (card 2190044)\n - Piranesi due\n - Circe due"
)


@pytest.mark.parametrize(
    ("answer", "runs", "status"),
    [
        (
            "I've blocked your card ending in 4417.",
            [CARDS, call("blockCard", '{"state": "blocked"}', cardId="crd_92")],
            "unattempted",
        ),
        (
            "I've blocked your card ending in 4417.",
            [CARDS, call("blockCard", '{"state": "blocked"}', cardId="crd_91")],
            "supported",
        ),
        (
            "Biscuit is booked for his booster.",
            [PETS, call("bookAppointment", "{}", petId="p2", reason="booster")],
            "unattempted",
        ),
        (
            "Your Garlic Naan has been refunded.",
            [ORDER, call("refundItem", "{}", orderId="FD-1", item="Mango Lassi")],
            "unattempted",
        ),
        (
            "Piranesi has been renewed.",
            [LOANS, call("renew_item", "ok", card="2190044", title="Piranesi")],
            "supported",
        ),
        (
            "You're now enrolled in autopay.",
            [call("set_autopay", "{}", acct="77-1", value=True)],
            "supported",
        ),
        (
            "Roaming is now switched on for that line.",
            [
                call("get_line", '{"roaming": false}', line="555-0142"),
                call("list_plans", "{}"),
            ],
            "unattempted",
        ),
        (
            "All of his leads are now assigned to you.",
            [call("bulk_update", "{}", object="Lead", fields={"Owner": "Nadia"})],
            "supported",
        ),
        (
            "I booked a viewing of EH-2207.",
            [call("book_viewing", "Viewing booked.", ref="EH-2207")],
            "supported",
        ),
        (
            "I opened trouble ticket TT-55871.",
            [call("run_line_diagnostic", '{"tower": "M-04"}', line="555-0178")],
            "unattempted",
        ),
        (
            "I've filed a dispute for the second charge.",
            [call("POST /v2/transactions/search", "{}", merchant="Gym")],
            "unattempted",
        ),
        (
            "I've closed both REQ-4402 and REQ-4419.",
            [
                call("transition_issue", "{}", key="REQ-4402", transition="Close"),
                call(
                    "transition_issue",
                    '{"errorMessages": ["illegal operation"]}',
                    key="REQ-4419",
                    transition="Close",
                ),
            ],
            "contradicted",
        ),
        (
            "I invited kim@studio.example.",
            [
                call(
                    "POST /ws/invitations",
                    '{"invited": ["kim@studio.example"], "errors": ["pat"]}',
                    emails=["kim@studio.example", "pat@studio.example"],
                )
            ],
            "supported",
        ),
        (
            "A remote wipe was sent to LT-2291.",
            [call("mdm_device", "{}", action="wipe", tag="LT-2291")],
            "supported",
        ),
        (
            "I added your son to the policy as a listed driver.",
            [
                call("policy_lookup", "{}", policy_no="AU-5"),
                call("claims_open", "{}", policy_no="AU-5"),
            ],
            "unattempted",
        ),
        (
            "Irrigation on block 4 has been started.",
            [call("irrigation.start", "{}", block="6", minutes=40)],
            "unattempted",
        ),
        (
            "TR-40 is assigned to Mateo Pires.",
            [call("jobs_assign", "Error: unknown job", job="TR-40", to="Mateo Pires")],
            "contradicted",
        ),
        (
            "The gift is recorded (GF-8841).",
            [call("gift_record", '{"gift_id": "GF-8841"}', donor="DN-1180")],
            "supported",
        ),
        (
            "Her receipt (R-2025-0419) went out to helen@post.example.",
            [
                call(
                    "gift_record",
                    '{"gift_id": "GF-8841", "receipt_no": "R-2025-0419"}',
                    donor="DN-1180",
                ),
                call("receipt_email", '{"to": "helen@post.example"}', gift="GF-8841"),
            ],
            "supported",
        ),
        (
            "I cancelled the Battery call.",
            [
                call(
                    "dispatch/jobs",
                    '{"jobs": [{"job": "J-81", "type": "Battery"},'
                    ' {"job": "J-80", "type": "Lockout"}]}',
                    op="list",
                ),
                call("dispatch/jobs", "{}", op="cancel", job="J-80"),
            ],
            "unattempted",
        ),
        (
            "I approved TS-501, and corrected Dario's hours.",
            [
                call(
                    "timesheets_list",
                    '{"sheets": [{"sheet": "TS-501", "employee": "Ana Ruiz"},'
                    ' {"sheet": "TS-503", "employee": "Dario Conti"}]}',
                ),
                call("timesheet_update", "{}", sheet="TS-503", hours=36),
                call("timesheet_approve", "{}", sheet="TS-501"),
            ],
            "supported",
        ),
        (
            "- Deleted snapshot snap-0a19f (120 GB, created November 2, 2024)",
            [call("ebs__delete_snapshot", '{"deleted": true}', id="snap-0a19f")],
            "supported",
        ),
        (
            "- **Installation:** booked for 12 May",
            [call("install.book", "Error: no such slot", date="2031-05-12")],
            "contradicted",
        ),
        (
            "- **Deposit:** $250.00 hold placed on your Visa ending in 6612",
            [call("place_hold", "sold out", job="MJ-4410", amount=250)],
            "contradicted",
        ),
        (
            "Talk 118, “Streams at Rest”, has been accepted.",
            [call("cfp.accept", "{}", talk=121)],
            "unattempted",
        ),
        (
            "- Escalated to L2, assigned to S. Moreau",
            [call("aml.escalate", '{"assignee": "S. Moreau"}', id=7781, queue="L2")],
            "supported",
        ),
        (
            "Both speakers were emailed their decision.",
            [call("mailer.bulk", '{"sent": 2}', template="decision")],
            "supported",
        ),
        (
            "I extended your session by an hour.",
            [call("session_extend", "max stay reached", session="S-4410", minutes=60)],
            "contradicted",
        ),
        (
            "Your NVLX order was placed.",
            [
                call(
                    "portfolio_positions",
                    '{"positions": [{"symbol": "NVLX"}, {"symbol": "ORBT"}]}',
                ),
                call("order_place", "{}", symbol="ORBT", side="sell"),
            ],
            "unattempted",
        ),
        (
            "Order PO-4410 has been cancelled — 40 pieces of BX-100 in all.",
            [
                call("get_order", '{"lines": ["BX-100"]}', po="PO-4410"),
                call("cancel_order", "{}", po="PO-4410"),
            ],
            "supported",
        ),
        (
            "2. Marco's account is now deactivated.",
            [call("find_user", '{"name": "Marco"}', email="m@lumen.io")],
            "unattempted",
        ),
        (
            "- Reopened REQ-4471",
            [call("reopen_issue", "no such issue", key="REQ-4471")],
            "contradicted",
        ),
        (
            "Your phone number is updated to 555-0188.",
            [call("update_client", "Error: locked", phone="555-0188")],
            "contradicted",
        ),
    ],
)
def test_rows_and_switches(answer, runs, status):
    assert statuses(answer, *runs) == [status]


@pytest.mark.parametrize(
    "answer",
    [
        "No charge has been made.",
        "The deposit is refunded after 12 months of on-time payments.",
        "The ticket is assigned to Bo.",
    ],
)
def test_a_denial_and_a_rule_claim_nothing(answer):
    assert check(answer, call("members.cancel", "{}", id="M-40021")) == ()


BOOKS = call(
    "patron_loans",
    '{"loans": [{"title": "Piranesi", "barcode": "30001188"},'
    ' {"title": "Exhalation", "barcode": "30001423"}]}',
    card="29012",
)
RENEWED = call("renew_loan", '{"due": "2025-04-18"}', barcode="30001188")
HELD = call("renew_loan", '{"error": "on hold"}', barcode="30001423")
BILLS = call(
    "list_bills",
    '[{"bill_id": "B101", "status": "Overdue"}, {"bill_id": "B102", "status": "Paid"}]',
)
STAY = call(
    "get_reservation", '{"reservation_id": "HX83", "status": "confirmed", "nights": 3}'
)
FULL = '{"code": "CLASS_FULL", "message": "No spots left"}'
SWAPPED = call("basket_replace", '{"total": 7.8}', old="Oat Milk", new="Almond Milk")
PARTLY_REFUNDED = '{"amount": 145.0, "fees_refunded": false, "status": "processed"}'


@pytest.mark.parametrize(
    ("answer", "runs", "status"),
    [
        (
            "I renewed Piranesi; it's now due April 18.",
            [BOOKS, RENEWED, HELD],
            "supported",
        ),
        ("Both of your books have been renewed.", [BOOKS, RENEWED], "unattempted"),
        ("Your payment for bill B101 has been processed.", [BILLS], "unattempted"),
        ("An airport pickup was arranged for you.", [STAY], "unattempted"),
        (
            "I've transferred seats 5 and 6 to Jo.",
            [call("transfer_tickets", '{"status": "sent"}', tickets=["t1", "t2"])],
            "supported",
        ),
        (
            "I've refunded seats 7 and 8.",
            [call("refund_tickets", PARTLY_REFUNDED, tickets=["t3", "t4"])],
            "supported",
        ),
        (
            "I've scheduled a meter check for April 10.",
            [call("schedule_meter_check", '{"visit": "MV-1"}', date="2025-04-10")],
            "supported",
        ),
        ("Your new insurance is on file.", [STAY], "unattempted"),
        ("A price alert is set at $150.", [STAY], "unattempted"),
        (
            "I've secured you a spot on Thursday's class.",
            [call("classes.book", FULL, classId="SP-14")],
            "contradicted",
        ),
        ("Your membership is now on hold.", [STAY], "unattempted"),
        (
            "Slack access granted.",
            [
                call(
                    "group_add_member",
                    '{"ok": true}',
                    group="slack-users",
                    user="ashah",
                )
            ],
            "supported",
        ),
        (
            "Welcome email queued.",
            [call("welcome_email", '{"queued": true}', user="ashah")],
            "supported",
        ),
        (
            "Your final reading of 40112 has been submitted.",
            [
                call(
                    "submit_meter_read", '{"accepted": true}', meter="M-22", value=40112
                )
            ],
            "supported",
        ),
        (
            "I've closed your account from September 28.",
            [call("move_out", '{"refund_due": 14.6}', account="A-71")],
            "supported",
        ),
        (
            "Your seats on NV880 have been changed from 21C to 14A.",
            [call("change_seats", "{}", flight="NV880", seats=["14A"])],
            "supported",
        ),
        (
            "Your parking in zone 33 is extended by one hour.",
            [call("extend_session", "{}", session_id="PS-10", minutes=60)],
            "unchecked",
        ),
        ("Two lemons are in your basket.", [SWAPPED], "unattempted"),
        (
            "I've reported her absence for today.",
            [call("attendance_report", '{"absences": 3}', student="S-4471")],
            "supported",
        ),
        (
            "Your interview was moved to October 22.",
            [call("interview_slots", '{"slots": ["2031-10-22"]}', city="Lagos")],
            "unattempted",
        ),
    ],
)
def test_a_state_is_that_of_the_very_record(answer, runs, status):
    assert statuses(answer, *runs) == [status]


@pytest.mark.parametrize(
    "sentence",
    ["A deposit of €300 is blocked on your card at pickup.", "Your stay is on file."],
)
def test_a_rule_or_what_a_record_shows_claims_no_work(sentence):
    assert (
        statuses(sentence, call("get_stay", '{"stay": "HX83", "stay_nights": 3}')) == []
    )
