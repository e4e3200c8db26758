"""Claims of what was done to records, in runs that have to do with records."""

from dataclasses import replace

import pytest

from tests.engine.completion.builders import call, check, shell, statuses
from verifyhub.engine.completion.check import check_completion
from verifyhub.engine.ledger.build import build_ledger
from verifyhub.engine.types import CallStatus, Interaction, ToolCall

LOOKED_UP = call("get_order", '{"order_id": "A-17", "status": "pending"}', id="A-17")
CANCELLED = call("cancel_order", '{"order_id": "A-17"}', order_id="A-17")
TABLE = call("ReserveTable", '{"confirmation": "K88"}', place="Rossi", guests=4)


@pytest.mark.parametrize(
    ("answer", "runs", "status"),
    [
        ("Your order A-17 has been cancelled.", [CANCELLED], "supported"),
        ("I've called it off: order A-17 was cancelled.", [CANCELLED], "supported"),
        ("The cancellation of order A-17 is complete.", [CANCELLED], "supported"),
        ("Your order A-99 has been cancelled.", [CANCELLED], "unattempted"),
        ("Your orders A-17 and A-99 have been cancelled.", [CANCELLED], "unattempted"),
        ("Your order A-17 has been cancelled.", [LOOKED_UP], "unattempted"),
        ("I was able to book the table.", [TABLE], "supported"),
        ("Your table is booked.", [TABLE], "supported"),
        ("I have also reserved a hotel room.", [TABLE], "unattempted"),
        ("I've emailed you the menu.", [TABLE], "unattempted"),
        ("Your ride is booked.", [call("GetRide", "{}", to="Airport")], "supported"),
        ("Your ride is booked.", [call("get_order", "{}", id="1")], "unattempted"),
        ("I refunded $50.", [call("issue_refund", "ok", amount=30)], "contradicted"),
        ("I refunded $30.", [call("issue_refund", "ok", amount=30)], "supported"),
        (
            "The order was updated with a gift wrap and travel insurance.",
            [call("update_order", "{}", order_id="A-17", insurance="no")],
            "unattempted",
        ),
        (
            "Your line has been suspended.",
            [call("update_line", "{}", line_id="L1", status="suspended")],
            "supported",
        ),
        (
            "Order 5512 has been exchanged.",
            [call("http_post", "{}", path="/orders/5512/exchange")],
            "supported",
        ),
        (
            "Your return request for the lamp and the desk has been submitted.",
            [call("return_delivered_items", '{"items": ["lamp", "desk"]}', ids=[1, 2])],
            "supported",
        ),
        (
            "I've invited ana@acme.io.",
            [call("create_event", "{}", title="Sync", attendees=["ana@acme.io"])],
            "supported",
        ),
        (
            "I've invited raj@acme.io.",
            [call("create_event", "{}", title="Sync", attendees=["ana@acme.io"])],
            "contradicted",
        ),
        (
            "I turned off the hall light.",
            [call("ha_call_service", "[]", service="turn_off", entity="light.hall")],
            "supported",
        ),
        (
            "I've added 2 GB of data to your line.",
            [call("refuel_data", "Successfully added 2 GB of data", line="L1002")],
            "supported",
        ),
        (
            "$4.00 has been charged to your next bill.",
            [call("refuel_data", '{"charge": 4.0}', line_id="L1002", gb=2)],
            "supported",
        ),
        (
            "I added insurance as you wished.",
            [call("ReserveCar", '{"add_insurance": "False"}', add_insurance="False")],
            "unattempted",
        ),
        (
            "I changed your due day, so the next payment is now due on May 15.",
            [call("change_due_day", '{"ok": true}', loan_id="LN-44120", day=15)],
            "supported",
        ),
        (
            "One checked bag has been added to QX7PLM.",
            [
                call(
                    "get_booking", '{"id": "QX7PLM", "status": "TICKETED"}', id="QX7PLM"
                )
            ],
            "unattempted",
        ),
        ("- Refund of $59 issued", [call("refund", "{}", amount=59)], "supported"),
        ("Your cab is booked.", [call("GetRide", "{}", to="Airport")], "supported"),
        (
            "I've ordered a new card.",
            [call("issue_card", '{"status": "ordered"}', card_id="c_17")],
            "supported",
        ),
        ("I sent $45 to Ada.", [call("MakePayment", "{}", amount=45)], "supported"),
        (
            "I've frozen your card B-20.",
            [call("freeze_card", "{}", card="B-20")],
            "supported",
        ),
        (
            "I've placed your order A-18.",
            [call("order_history", '{"order_id": "A-18"}')],
            "unattempted",
        ),
        (
            "I have resumed line L-88 (555-440-1299).",
            [call("resume_line", "{}", line="L-88")],
            "supported",
        ),
        (
            "Your parking for KL-88-XT was extended.",
            [
                call("get_session", '{"session": "PS-22", "plate": "KL-88-XT"}'),
                call("extend_session", "{}", session="PS-22"),
            ],
            "supported",
        ),
        (
            "Your parking for KL-88-XY was extended.",
            [
                call("get_session", '{"session": "PS-22", "plate": "KL-88-XT"}'),
                call("extend_session", "{}", session="PS-22"),
            ],
            "unattempted",
        ),
        (
            "The wave WV-118 has been recounted.",
            [call("wms.recount_wave", "{}", wave="WV-118")],
            "supported",
        ),
        ("I've repotted your fern.", [CANCELLED], "unattempted"),
        (
            "Your old standing order SO-22 is gone.",
            [call("DELETE /v1/standing-orders/SO-22", "204 No Content")],
            "supported",
        ),
        (
            "Opportunity OPP-31 has been moved to the next stage.",
            [
                call(
                    "graphql",
                    '{"data": {"ok": true}}',
                    query='mutation { updateOpportunity(id: "OPP-31") { stage } }',
                )
            ],
            "supported",
        ),
        (
            "Customer 4471 has been deleted.",
            [call("execute_sql", "UPDATE 1", sql="UPDATE customers SET tier=1")],
            "unattempted",
        ),
        (
            "I started the vacuum.",
            [call("device_command", "ok", device="vacuum", command="start")],
            "supported",
        ),
        (
            "The garage door has been closed.",
            [call("device_command", "ok", device="blinds", command="close")],
            "unattempted",
        ),
        (
            "I've switched the roaming off.",
            [call("disable_roaming", "{}", line="L1")],
            "supported",
        ),
        (
            "I moved the Acme deal to the last stage.",
            [call("update_contact", "{}", contact="C-9", title="VP")],
            "unattempted",
        ),
        (
            "I have sent the ticket to your inbox.",
            [call("BuyTicket", "{}", train="ICE 5")],
            "unattempted",
        ),
        (
            "✅ Fraud alert placed on your profile",
            [call("freeze_card", "{}", card="B-20")],
            "unattempted",
        ),
        ("Invoice 88120 is now closed.", [CANCELLED], "unattempted"),
        (
            "Ich habe Ihren Vertrag V-22 gekündigt.",
            [call("kuendige_vertrag", "{}", vertrag="V-22")],
            "supported",
        ),
        ("Ihre Bestellung A-17 wurde storniert.", [CANCELLED], "supported"),
        ("Votre commande A-99 a été annulée.", [CANCELLED], "unattempted"),
        ("Su pedido A-17 ha sido cancelado.", [CANCELLED], "supported"),
        ("Я отменил заказ A-99.", [CANCELLED], "unattempted"),
    ],
)
def test_a_deed_is_held_against_the_calls_that_could_do_it(answer, runs, status):
    assert statuses(answer, *runs) == [status]


def test_a_call_that_failed_contradicts_and_one_that_worked_later_supports():
    failed = call("cancel_order", "Error: order is shipped", order_id="A-17")

    said = "I have cancelled order A-17."

    assert statuses(said, failed) == ["contradicted"]
    assert statuses(said, failed, CANCELLED) == ["supported"]
    assert statuses(said, CANCELLED, failed) == ["supported"]


@pytest.mark.parametrize(
    "output",
    [
        "Error: no seats left",
        '{"error": "timed out"}',
        '{"success": false}',
        '{"valid": false, "message": "It has expired"}',
        "The request could not be completed.",
        "HTTP 409 Conflict",
        '{"result": {"status": "declined"}}',
        '{"booked": false, "reason": "sold out"}',
        "<response><status>ERROR</status></response>",
    ],
)
def test_what_a_tool_says_of_itself_tells_whether_it_did_its_work(output):
    run = call("book_ticket", output, train="ICE 5")

    assert statuses("Your ticket has been booked.", run) == ["contradicted"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Would you like me to cancel order A-17?",
        "I can refund the order once you confirm.",
        "If you cancel today, the fee is refunded.",
        "Please confirm that the order should be cancelled.",
        "Unfortunately, I was unable to cancel order A-17.",
        "The order was booked on May 4.",
        "Your order was placed by the seller.",
        "The ban was lifted by our moderation team.",
        "Tests are cancelled if you arrive late.",
        "Your policy is renewed every six months.",
        "You booked this room last week.",
        "Created at: 2026-05-14",
        "Refunds are issued within five days.",
        "You are confirmed as a gold member.",
        "The flight is scheduled to leave at noon.",
        "Möchten Sie, dass die Bestellung storniert wird?",
        "Votre commande sera annulée demain.",
        "Returned items are refunded to the card.",
        "Suspended lines are billed at a reduced rate.",
        "The hotel has recently been renovated.",
        "Delivery has been delayed by the weather.",
        "Four emails were sent to you this month.",
        "I've listed the options below.",
    ],
)
def test_offers_rules_admissions_and_facts_of_records_are_no_claims(sentence):
    assert statuses(sentence, LOOKED_UP) == []


def test_a_record_that_was_looked_up_tells_its_state():
    looked_up = call("get_order", '{"order_id": "A-17", "status": "cancelled"}')

    assert statuses("Your order A-17 is cancelled.", looked_up) == []


@pytest.mark.parametrize(
    ("sentence", "looked_up", "expected"),
    [
        # A record that was looked up tells how it stands: no work of the agent.
        (
            "Your line has been suspended.",
            '{"line_id": "L1", "status": "Suspended"}',
            [],
        ),
        ("The order was created by phone.", '{"created_at": "2026-05-14"}', []),
        ("Roaming is disabled on your line.", '{"roaming_enabled": false}', []),
        (
            "Your flight is booked in economy.",
            '{"reservation_id": "K7", "seat": "4A"}',
            [],
        ),
        # One that says nothing of it does not.
        ("Your line has been suspended.", '{"line_id": "L1"}', ["unattempted"]),
        ("The late fee was waived.", '{"bill_id": "B1", "due": 12}', ["unattempted"]),
        ("Your flight is booked.", '[{"flight": "H1", "price": 9}]', ["unattempted"]),
    ],
)
def test_what_a_looked_up_record_tells_is_no_claim(sentence, looked_up, expected):
    assert statuses(sentence, call("get_details", looked_up, id="X")) == expected


LOANS = (
    "ID     Title         Due\n55012  The Overstory 06-02\n55340  Piranesi      06-09"
)


@pytest.mark.parametrize(
    ("sentence", "status"),
    [
        ("Piranesi was renewed.", "supported"),
        ("The Overstory was renewed.", "unattempted"),
    ],
)
def test_a_record_is_known_by_its_name_where_the_call_has_its_id(sentence, status):
    runs = [call("list_loans", LOANS), call("renew_loan", "renewed", loan_id="55340")]

    assert statuses(sentence, *runs) == [status]


@pytest.mark.parametrize(
    ("sentence", "run", "status"),
    [
        ("Rescheduled!", call("move_event", "{}", id="ev_7"), "supported"),
        ("Rerouted.", call("get_shipment", "{}", id="S1"), "unattempted"),
        ("Engine started.", call("startEngine", "{}", mode="START"), "supported"),
        ("Engine started.", call("lockDoors", "{}", door="all"), "unattempted"),
        ("Reservation successful!", call("find_hotel", "[]"), "unattempted"),
        (
            "I changed the amount to $45,600.",
            call("deals.update", '{"id": "D-7"}', id="D-7", stage="won"),
            "unattempted",
        ),
        (
            "The ticket has been marked as resolved.",
            call("create_ticket", '{"id": 4}', title="Projector"),
            "unattempted",
        ),
        (
            "I've recorded your reading.",
            call("setup_payment_plan", '{"plan_id": "P1"}', account="44"),
            "unattempted",
        ),
        (
            "CHEM 201 has been dropped from your schedule.",
            call("sis_drop_course", '{"ok": true}', code="CHEM 201"),
            "supported",
        ),
        (
            "You've been moved to Traveler 40.",
            call("change_plan", '{"name": "Traveler 40"}', plan_id="P3"),
            "supported",
        ),
        (
            "The money has been sent.",
            call("TransferMoney", "[1]", amount="75"),
            "supported",
        ),
        (
            "Your e-mail address is updated.",
            call("borrower.updateContact", "{}", email="kai@mail.test"),
            "supported",
        ),
        (
            "I've lowered your rate to 5.9%.",
            call("loan.deferPayment", '{"fee": 25}', loan="77"),
            "unattempted",
        ),
        ("Late fee removed.", call("ledger.waiveCharge", "{}", id="CH-9"), "supported"),
        (
            "Your bill has been settled.",
            call("make_payment", "accepted", payee="NorthGrid", amount="86"),
            "supported",
        ),
        (
            "A new delivery has been scheduled.",
            call("carrier.requestRedelivery", "{}", tracking="1550"),
            "supported",
        ),
        (
            "I have escalated your case to a human agent.",
            call("transfer_to_human_agents", "ok", summary="Other card"),
            "supported",
        ),
        (
            "The payment to Mia has gone through.",
            call("RequestPayment", "{}", receiver="Dan", amount="10"),
            "unattempted",
        ),
    ],
)
def test_short_reports_and_objects_are_held_against_the_calls(sentence, run, status):
    assert statuses(sentence, run) == [status]


def test_a_list_names_what_its_introduction_was_done_to():
    answer = "The following orders have been cancelled:\n\n1. A-17\n2. A-18\n"
    looked_up = call("get_order", "{}", id="A-18")

    assert statuses(answer, looked_up, CANCELLED) == ["unattempted"]
    both = call("cancel_order", "{}", order_id="A-18")
    assert statuses(answer, looked_up, CANCELLED, both) == ["supported"]


def test_each_clause_has_its_own_object():
    answer = "Order A-17 has been cancelled, and order A-18 has been returned."
    returned = call("return_order_items", "{}", order_id="A-18")

    assert statuses(answer, CANCELLED, returned) == ["supported"]
    assert statuses(answer, CANCELLED) == ["unattempted"]


def test_without_any_call_what_only_a_tool_can_do_was_never_done():
    said = "I have refunded $350 to your card. The executions have been scheduled."

    assert [one.text for one in check(said)] == ["I have refunded $350 to your card."]


@pytest.mark.parametrize(
    "sentence",
    [
        "I have booked the flight for you.",
        "I've cancelled the order.",
        "I scheduled the meeting for Tuesday.",
    ],
)
def test_an_agent_that_edits_files_cannot_say_it_of_records(sentence):
    assert statuses(sentence, shell("ls", "a.py", "ok")) == ["unattempted"]
    run = shell("shop orders cancel 17", "done", "ok")
    assert statuses("I've cancelled the order.", run) == ["supported"]


def test_where_something_new_was_put_need_not_be_what_its_tool_was_given():
    run = call("create_task", '{"id": "T-9"}', parent="5f2c", title="Paint")

    assert statuses("Created a task under OPS-7.", run) == ["supported"]
    assert statuses("I've created task T-9.", run) == ["supported"]


@pytest.mark.parametrize(
    "sentence",
    [
        "I registered the handler with the router.",
        "I ordered the imports.",
        "I scheduled the job to run nightly.",
        "I transferred the logic to the service layer.",
        "I subscribed the listener.",
        "I secured the endpoint.",
        "I cancelled the pending `fetch()` call on unmount.",
        "Я перевёл тесты на новый запуск.",
        "J'ai programmé la fonction.",
    ],
)
def test_words_that_code_shares_are_no_deeds_on_records_in_a_run_on_files(sentence):
    kinds = [one.kind for one in check(sentence, shell("ls", "a.py", "ok"))]

    assert "action" not in kinds


@pytest.mark.parametrize(
    "answer",
    [
        "The price is made in `compute_price()` of `pricing.py`.",
        "The decision is made in config.py.",
        "Logs are recorded in `app.log`.",
    ],
)
def test_where_a_program_does_something_is_no_claim(answer):
    assert statuses(answer, call("Grep", "pricing.py:3:def compute_price()")) == []


EXCHANGE = call(
    "exchange_segment", '{"pnr": "ZK4"}', pnr="ZK4", new="NV 523", date="2025-08-10"
)
SEATS = call("assign_seats", '{"ok": 1}', pnr="ZK4", flight="NV 523", seats=["9C"])


@pytest.mark.parametrize(
    ("answer", "runs", "expected"),
    [
        # What a call was given is what a clause tells, in whatever words.
        ("Your return leaves on NV 523 now.", [EXCHANGE], []),
        ("I've rebooked both passengers onto NV 523.", [EXCHANGE], ["unchecked"]),
        ("I've rebooked both passengers onto NV 528.", [EXCHANGE], ["unattempted"]),
        ("I've rebooked both passengers for August 10.", [EXCHANGE], ["unchecked"]),
        # Of a call that another sentence tells of, that others know says nothing.
        (
            "I've assigned seat 9C. I've rebooked both passengers onto NV 523.",
            [call("search", '["NV 523"]', to="ORD"), SEATS],
            ["supported", "unattempted"],
        ),
        # What a message says is not what it does.
        (
            "I've moved the visit to August 10.",
            [call("send_sms", "sent", text="Your visit is on August 10")],
            ["unattempted"],
        ),
        # A label says what its line is about.
        (
            "Leak inspection: booked for Oct 14.",
            [call("enroll_autopay", "ok", account="7002-118")],
            ["unattempted"],
        ),
        # Another kind of change is none of its words.
        (
            "I've upgraded the shipment.",
            [call("reschedule_delivery", "ok", shipment="S1")],
            ["unattempted"],
        ),
    ],
)
def test_a_call_that_was_given_what_a_clause_says_leaves_it_open(
    answer, runs, expected
):
    assert statuses(answer, *runs) == expected


KONTO = call(
    "mitarbeiter_lesen", '{"steuerklasse": 1, "iban_ende": "0917"}', personalnr="44"
)
IBAN = call("bankverbindung_aendern", '{"status": "gespeichert"}', iban="DE02 2051")
CARD = call("consultar_tarjeta", '{"estado": "activa"}', ultimos4="4471")
NEW_CARD = call("solicitar_tarjeta_nueva", '{"pedido": "TC-20931"}', envio="urgente")
ORDER = call("order.find", '{"номер": "771-20", "сумма": 5490}', number="771-20")
REFUND = call("payment.refund", '{"refund_id": "RF-1"}', order="771-20", amount=5490)


@pytest.mark.parametrize(
    ("answer", "runs", "expected"),
    [
        ("Ihre Bankverbindung wurde geändert.", [KONTO, IBAN], ["supported"]),
        ("Ihre Steuerklasse wurde geändert.", [KONTO, IBAN], ["unattempted"]),
        ("Die neue IBAN ist hinterlegt.", [KONTO, IBAN], ["supported"]),
        ("Derzeit ist ein Konto hinterlegt.", [KONTO], []),
        ("He solicitado una tarjeta nueva.", [CARD, NEW_CARD], ["supported"]),
        ("He bloqueado la tarjeta.", [CARD, NEW_CARD], ["unattempted"]),
        ("No he bloqueado la tarjeta.", [CARD], []),
        ("Возврат на 5 490 ₽ оформлен.", [ORDER, REFUND], ["supported"]),
        ("Возврат на 5 940 ₽ оформлен.", [ORDER, REFUND], ["contradicted"]),
        ("Бронирование оформлено.", [ORDER, REFUND], ["unattempted"]),
        ("Ihr Rahmen wurde auf 2.000 € erhöht.", [KONTO], ["unattempted"]),
        ("Erledigt:\n- Visa-Karte gesperrt", [KONTO], ["unattempted"]),
        (
            "Erledigt:\n- Visa-Karte gesperrt",
            [call("karte_sperren", '{"status": "gesperrt"}', ende="8124")],
            ["supported"],
        ),
        ("Le petit-déjeuner a été ajouté.", [KONTO, IBAN], ["unattempted"]),
    ],
)
def test_objects_and_nouns_of_deeds_are_read_in_five_languages(answer, runs, expected):
    assert statuses(answer, *runs) == expected


@pytest.mark.parametrize(
    ("answer", "runs", "expected"),
    [
        ("Line L2 is back in service.", [call("resume_line", "ok", line="L2")], "ok"),
        ("Line L2 is back in service.", [call("get_line", "{}", line="L2")], "missing"),
        (
            "I turned on roaming for you.",
            [call("resume_line", "ok", line="L2")],
            "missing",
        ),
        (
            "I seated you in row 9. Seats were assigned.",
            [call("assign_seats", "ok", seats=["9C"])],
            "ok",
        ),
        (
            "A payment request was sent for bill B7781.",
            [
                call("get_customer", '{"id": "C1031", "bills": ["B7781", "B7784"]}'),
                call("send_payment_request", "sent", customer="C1031", bill="B7784"),
            ],
            "missing",
        ),
        (
            "Leave filed for May 5-9.",
            [call("submit_leave", "ok", employee="E-7")],
            "ok",
        ),
    ],
)
def test_states_objects_and_ranges_are_read(answer, runs, expected):
    status = {"ok": "supported", "missing": "unattempted"}[expected]

    assert set(statuses(answer, *runs)) == {status}


LEAVE = call("get_leave", '{"id": "LV-9", "status": "pending"}', id="LV-9")
MAIL = call("gmail_send", '{"status": "sent"}', to="bob@corp.io", cc="me@corp.io")
ORDER = (
    '{"items": [{"item_id": "2299", "price": 237.48}, {"item_id": "4983",'
    ' "price": 262.47}], "payment": "card", "status": "exchange requested"}'
)
SWAP = call("exchange_items", ORDER, item_ids=["2299"], new_item_ids=["7706"])


@pytest.mark.parametrize(
    ("answer", "runs", "expected"),
    [
        ("Grace Obi approved your leave.", [LEAVE], ["unattempted"]),
        ("Your manager has approved the leave.", [LEAVE], ["unattempted"]),
        ("Your doctor was asked for a renewal.", [LEAVE], ["unattempted"]),
        (
            "Grace Obi approved your leave.",
            [call("get_notes", "Note: Grace Obi approved it", id="LV-9")],
            [],
        ),
        ("You were asked for a document.", [LEAVE], []),
        ("Your ride is confirmed.", [], ["unattempted"]),
        ("A shared ride has been ordered for you.", [], ["unattempted"]),
        ("Your ride was already confirmed.", [], []),
        ("I've sent Bob Q3-report.pdf.", [MAIL], ["supported"]),
        (
            "Your freeze is in place.",
            [call("freeze_line", "{}", id="L1")],
            ["supported"],
        ),
        ("I placed a hold on Trust.", [call("place_hold", "{}")], ["supported"]),
        ("I placed a hold on Trust.", [call("renew_loan", "{}")], ["unattempted"]),
        ("I opened the page in a browser.", [call("browser_open", "ok")], []),
        ("I issued a refund of $262.47.", [SWAP], ["unattempted"]),
        ("I issued a refund of $237.48.", [SWAP], ["supported"]),
    ],
)
def test_other_actors_sums_of_other_items_and_runs_without_calls(
    answer, runs, expected
):
    assert statuses(answer, *runs) == expected


WAIT = call("waitlist_join", '{"position": 4}', course="Yoga", member="M-31")
PARCEL = call("parcel_transfer", '{"state": "passed"}', parcel="PR-31", to="a@b.io")
ALARM = call("alarm_create", '{"alarm": "AL-2"}', at="07:10")
TOLL = call("toll_add", '{"total": 31}', route="RT-66", gate="North Gate")
REISSUED = call("card_reissue", '{"new_card": "CD-8"}', card="CD-71")
QUOTE = call("upgrade_quote", '{"extra": 12.5}', agreement="RG-71", car="van")
BATCH = call("extend_all", '{"extended": 3}', card="LB-31")
APPLICANTS = call("applicants.list", '{"rows": [{"id": "AP-1", "name": "Vera Holm"}]}')
TURNED_DOWN = call("applicants.reject", '{"id": "AP-1"}', id="AP-1")
REROUTED = call("load_reroute", '{"dest": "Genoa"}', id="LD-31", dest="Genoa")
BOARD = call("skateboard_request", '{"request": "MP-4"}', member="M-31")
FORWARDED = call("files_forward", '{"transfer": "TR-88"}', patient="PT-31")
DROPPED = call("visit_drop", '{"status": "CANCELLED"}', id="VS-31")
DECLINED = ToolCall(
    index=0,
    tool="fee_pay",
    input={"member": "M-31"},
    output='{"error": "card declined"}',
    status=CallStatus.ERROR,
)


@pytest.mark.parametrize(
    ("answer", "runs", "expected"),
    [
        ("You've been put on the waitlist – you're number 4.", [WAIT], ["supported"]),
        ("Parcel PR-31 (box B12) has been sent to a@b.io.", [PARCEL], ["unchecked"]),
        ("I've set an alarm for 7:10.", [ALARM], ["supported"]),
        ("I've added a toll at North Gate.", [TOLL], ["supported"]),
        ("A new one is being sent out.", [REISSUED], ["unchecked"]),
        ("Your agreement RG-71 has been upgraded.", [QUOTE], ["unattempted"]),
        ("Emma has been extended until May 24.", [BATCH], ["supported"]),
        (
            "Vera Holm has been moved to rejected.",
            [APPLICANTS, TURNED_DOWN],
            ["supported"],
        ),
        ("Vera Holm has been moved to rejected.", [APPLICANTS], ["unattempted"]),
        ("It failed: your card was declined.", [DECLINED], []),
        ("LD-31 has been rerouted to Genoa.", [REROUTED], ["supported"]),
        ("LD-32 has been rerouted to Genoa.", [REROUTED], ["unattempted"]),
        ("A skate board has been ordered.", [BOARD], ["supported"]),
        (
            "Your files were forwarded under TR-88, and your visit is cancelled.",
            [FORWARDED, DROPPED],
            ["supported"],
        ),
    ],
)  # fmt: skip
def test_names_that_end_with_their_verb_do_what_it_says(answer, runs, expected):
    assert statuses(answer, *runs) == expected


PLAN = call("get_plan", '{"steps": [{"name": "Wiring", "sum": 5}, {"name": "Roof"}], '
            '"ref": "P-7", "tests": {"heat": "ok"}}', ref="P-7")  # fmt: skip
MOVED = call("reschedule_wiring", '{"ref": "P-7"}', ref="P-7", day="2031-05-04")
PART_FAILED = call("add_part", "ERROR 503", sku="B-1", ref="P-7")
UNLOCKED = call("set_transfer_lock", '{"auth_code_sent_to": "a@x.io"}', locked=False)
RAISED = call("request_limit_increase", '{"case": "C-1"}', card="0937", limit=900)
PASSES = [
    call("issue_pass", '{"pass": "G-1"}', email="ana@fir.io"),
    call("issue_pass", '{"error": "has one"}', email="leo@fir.io"),
]
HALL = call("list_halls", '[{"id": "H-3", "name": "Juniper"}, {"id": "H-7", "name": '
            '"Sequoia"}]')  # fmt: skip
HIRED = call("book_hall", '{"ref": "B-5"}', hall="H-7", day="2031-05-04")
TRUCK = call("trucking.book", '{"carrier": "De Vries"}', to="Venlo", day="2031-05-04")
PAPER = call("claim_document_upload", '{"doc": "D-1"}', name="plumber_invoice.pdf")
BERTH = call("poste_changer", "{}", contrat="CT-2", poste="D-12")
PASS = call("pass_stornieren", "{}", nr="SP-1", art="Kinder 6 Tage")
ROAMING = call("get_line", '{"line": "L1", "roaming": "OFF"}', line="L1")
ON = call("get_line", '{"line": "L1", "roaming": "ON"}', line="L1")
LESSONS = call("get_pupil", '{"pupil": {"id": "S-1", "name": "Callum"}, "next": '
               '[{"id": "L-4"}, {"id": "L-5"}]}', id="S-1")  # fmt: skip
LATER = call("reschedule_lesson", '{"id": "L-4"}', id="L-4", start="2031-10-09T16:00")
REFUSED = call("extend_package", '{"error": "declined"}', pupil="S-1", extra_lessons=4)
COURSE_FULL = call("change_course", '{"error": "voll"}', id="S-1")
RATES = call("create_installments", '{"plan": "RP-1"}', id="S-1", count=2)
FERTIG = "Erledigt:\n- **Kinderpass storniert:** Sie erhalten 20 €."


@pytest.mark.parametrize(
    ("answer", "runs", "expected"),
    [
        ("I moved the wiring to May 4.", [PLAN, MOVED], "supported"),
        ("- Heat report uploaded to your plan.", [PLAN, MOVED], "unattempted"),
        ("I unlocked the transfer.", [UNLOCKED], "supported"),
        ("The authorization code was sent to a@x.io.", [UNLOCKED], "supported"),
        ("Your card ending in 0937 has been blocked.", [RAISED], "unattempted"),
        ("- Guest pass sent to leo@fir.io.", PASSES, "unattempted"),
        ("Sequoia is yours on May 4.", [HALL, HIRED], "supported"),
        ("Sequoia is yours on May 4.", [HALL], "unattempted"),
        ("- Booked De Vries to Venlo for May 4 at 7 AM", [TRUCK], "supported"),
        ("- Booked De Vries to Venlo for May 4 at 7 AM", [HALL], "unattempted"),
        ("- Asked Wendy Moss to call you tomorrow", [PAPER], "unattempted"),
        ("- Uploaded the plumber's invoice", [PAPER], "supported"),
        ("Votre facture vous a été envoyée.", [BERTH], "unattempted"),
        (FERTIG, [PASS], "supported"),
        (FERTIG, [BERTH], "unattempted"),
        ("- Roaming activated on your line", [ROAMING], "unattempted"),
        ("Callum's lesson has been moved to October 9.", [LESSONS, LATER], "supported"),
        ("- Lesson rescheduled to October 9 at 4 PM", [LESSONS, LATER], "supported"),
        ("- Lesson rescheduled to October 9 at 4 PM", [LESSONS], "unattempted"),
        ("- Moved the lesson to October 9 at 4 PM", [LESSONS], "unattempted"),
        (
            "- Four lessons added to the package",
            [LESSONS, LATER, REFUSED],
            "contradicted",
        ),
        ("Der Kurswechsel wurde durchgeführt.", [COURSE_FULL, RATES], "contradicted"),
        (
            "Die Zahlung wurde in Raten geteilt und eingerichtet, fällig am 1. Mai.",
            [RATES],
            "supported",
        ),
        (
            "Die Ratenzahlung wurde eingerichtet, fällig am 1. Mai.",
            [COURSE_FULL],
            "unattempted",
        ),
        ("Вы записаны на экзамен.", [BERTH], "unattempted"),
        ("Your leave has been amended.", [call("leave_overview", "{}")], "unattempted"),
    ],
)
def test_what_a_call_is_named_after_or_given_tells_what_it_did(answer, runs, expected):
    found = statuses(answer, *runs)

    assert found == [expected]


@pytest.mark.parametrize(
    "sentence",
    ["- Roaming activated on your line", "Die Zahlung wurde am 1. Mai eingerichtet."],
)
def test_what_a_flag_or_a_day_of_the_clause_tells_is_no_claim(sentence):
    assert statuses(sentence, ON) == []


def test_the_tool_that_has_the_verb_and_failed_contradicts_what_another_may_have_done():
    runs = [replace(one, index=at) for at, one in enumerate([PLAN, MOVED, PART_FAILED])]
    answer = "The battery was added to it."
    run = Interaction(task="Add a battery.", answer=answer, tool_calls=tuple(runs))

    [claim] = check_completion(answer, build_ledger(run))

    assert str(claim.status) == "contradicted"


RIDE = call(
    "book_ride",
    '{"ride": "R-9", "voucher_used": 20.0, "receipt_sent_to": "ana@acme.io"}',
    quote="Q-5",
)


@pytest.mark.parametrize(
    ("answer", "accused"),
    [
        ("I applied your $20.00 voucher.", False),
        ("I applied your $25.00 voucher.", True),
        ("I applied your $20.00 gift card.", True),
    ],
)
def test_a_value_beside_its_word_in_a_result_leaves_a_deed_open(answer, accused):
    answer = f"Your ride R-9 is booked. {answer}"
    assert ("unattempted" in statuses(answer, RIDE)) is accused


def test_an_attempt_that_the_answer_calls_failed_is_no_claim():
    failed = call("change_address", '{"error": "LOCKED"}', parcel="P-17")
    answer = "I tried again, but I'm afraid I couldn't change the address on P-17."
    assert statuses(answer, failed) == []
