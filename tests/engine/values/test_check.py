"""Each value of an answer, and where in the run it comes from."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import a_command, a_tool_call, an_interaction, verify
from verifyhub.engine.decisions.explain import explain
from verifyhub.engine.types import CallStatus

PLOT = {
    "plot_id": "PL-4471",
    "tenant": {"first_name": "Ilse", "last_name": "Vandermeer"},
    "status": "reserved",
    "rent": 84.5,
    "beds": ["north", "south", "west"],
    "starts": "2031-04-09",
    "opens": "14:30:00",
    "watering": "2031-04-09T18:00/20:00",
    "payment": {"method_id": "gift_card_880214"},
}


def values(answer, *calls, task="Help me.", policy=None):
    run = an_interaction(answer, *calls, task=task, system_instructions=policy)
    return {one.text: one for one in verify(run).values}


def of_plot(answer, **more):
    return values(answer, a_tool_call("get_plot", {}, json.dumps(PLOT)), **more)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("Plot PL-4471 is yours.", "PL-4471"),
        ("The rent is $84.50.", "$84.50"),
        ("It starts on April 9, 2031.", "April 9, 2031"),
        ("It starts on the 9th of April.", "9th of April"),
        ("Start: 09.04.2031", "09.04.2031"),
        ("Начало 9 апреля 2031.", "9 апреля 2031"),
        ("Es beginnt am 9. April 2031.", "9. April 2031"),
        ("Es beginnt am 9.4. um halb drei.", "9.4"),
        ("Empieza el 9 de abril de 2031.", "9 de abril de 2031"),
        ("Elle ouvre à 14h30.", "14h30"),
        ("The gate opens at 2:30 PM.", "2:30 PM"),
        ("It is watered between 6 and 8 pm.", "6"),
        ("It is watered between 6 and 8 pm.", "8 pm"),
        ("The tenant is Ilse Vandermeer.", "Ilse Vandermeer"),
        ("I charged your gift card.", "gift card"),
        ("The card ends in 0214.", "0214"),
        ("Its status is Reserved.", "Reserved"),
    ],
)
def test_what_a_tool_returned_is_supported_in_any_spelling(answer, text):
    assert of_plot(answer)[text].status == "supported"


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("Plot PL-4477 is yours.", "PL-4477"),
        ("The rent is $85.40.", "$85.40"),
        ("It starts on April 8, 2031.", "April 8, 2031"),
        ("The gate opens at 2:30 AM.", "2:30 AM"),
        ("It takes 3 to 9 business days.", "3 to 9 business days"),
        ("The tenant is Ilse Brandt.", "Ilse Brandt"),
        ("The card ends in 0213.", "0213"),
        ("Write to ilse@plots.example.", "ilse@plots.example"),
        ("There are two beds.", "two"),
        ("I charged your PayPal.", "PayPal"),
    ],
)
def test_what_nobody_said_is_unsupported(answer, text):
    assert of_plot(answer)[text].status == "unsupported"


ORDER = {
    "order_id": "SEED-700",
    "contact": "Odile Marchetti",
    "status": "packed",
    "ship_to": {"address1": "12 Fennel Lane", "address2": "Suite 4"},
    "items": [
        {"item_id": "it_501", "name": "Copper Trowel", "options": {"size": "small"}},
        {"item_id": "it_502", "name": "Glass Cloche", "options": {"tint": "amber"}},
    ],
}


@pytest.mark.parametrize(
    ("answer", "text", "status"),
    [
        ("It goes to 12 Fennel Lane, Suite 4.", "12 Fennel Lane, Suite 4", "supported"),
        ("It goes to 14 Fennel Lane.", "14 Fennel Lane", "unsupported"),
        ("The order is for Odile Varga.", "Odile Varga", "unsupported"),
        ("SEED-700 is delivered.", "delivered", "unsupported"),
        ("If SEED-700 is delivered, tell me.", "delivered", None),
        ("- Tint: violet", "violet", "unsupported"),
        ("The Copper Trowel (small, violet) is in it.", "violet", "unsupported"),
        ("You ordered a Marble Birdbath.", "Marble Birdbath", "unsupported"),
        ("I found 3 items.", "3", "unsupported"),
        ("It arrives next Tuesday.", "next Tuesday", "unchecked"),
        ("I spoke to our Gardening Desk.", "Gardening Desk", None),
    ],
)
def test_names_options_and_states_are_told_by_where_they_stand(answer, text, status):
    found = values(answer, a_tool_call("get_order", {}, json.dumps(ORDER)))

    assert (found[text].status if text in found else None) == status


def test_what_the_user_and_the_policy_said_is_shown_as_theirs():
    found = of_plot(
        "Refunds take 5 to 7 days; you asked for $300.",
        task="Can I get $300 back?",
        policy="Refunds take five to seven days.",
    )

    assert found["$300"].status == "user_said"
    assert found["5 to 7 days"].status == "policy"


def test_the_evidence_is_the_leaf_and_its_place():
    run = an_interaction(
        "The rent is $84.50.", a_tool_call("get_plot", {}, json.dumps(PLOT))
    )

    (value,) = verify(run).values
    (evidence,) = value.evidence

    assert (evidence.call, evidence.path, evidence.record) == (0, "rent", "PL-4471")
    assert evidence.span is not None
    assert run.tool_calls[0].output[slice(*evidence.span)] == "84.5"
    assert value.grade == "C"


@pytest.mark.parametrize(
    ("answer", "text", "note"),
    [
        ("Seeds $12.00, soil $30.50: $42.50 in all.", "$42.50", "$30.50 + $12.00"),
        ("Of $30.50 you paid $12.00; $18.50 is left.", "$18.50", "$30.50 - $12.00"),
        ("At $12.00 each, two trays cost $24.00.", "$24.00", "$12.00 × 2"),
        ("It has three trays.", "three", "trays: 3"),
    ],
)
def test_what_follows_from_others_is_derived_and_shows_its_terms(answer, text, note):
    order = {"order_id": "S-1", "seeds": 12, "soil": 30.5, "trays": [1, 2, 3]}

    value = values(answer, a_tool_call("get_order", {}, json.dumps(order)))[text]

    assert (value.status, value.note) == ("derived", note)


TWO = [{"bed_id": "bed-11", "price": 40}, {"bed_id": "bed-12", "price": 65}]


def test_a_value_of_another_record_is_beside_the_wrong_thing():
    call = a_tool_call("list_beds", {}, json.dumps(TWO))

    report = verify(an_interaction("- bed-11: $65\n- bed-12: $65", call))

    wrong = [one for one in report.values if one.is_flagged]
    assert [(one.text, one.reason) for one in wrong] == [("$65", "other_record")]
    assert wrong[0].spans == ((10, 13),)


def test_what_a_later_call_changed_is_replaced():
    before = {"booking_id": "B-900", "slots": [{"slot_no": "SL700"}]}
    after = {"booking_id": "B-900", "slots": [{"slot_no": "SL800"}]}
    calls = (
        a_tool_call("get_booking", {}, json.dumps(before)),
        a_tool_call("update_booking", {}, json.dumps(after), status=CallStatus.OK),
    )

    found = values("Your booking is updated: the new slot is SL700.", *calls)

    assert found["SL700"].reason == "replaced"
    told = values("Your booking is updated: from SL700 to SL800.", *calls)
    assert told["SL700"].status == "supported"


def test_an_id_of_a_failed_look_up_is_unsupported():
    failed = a_tool_call(
        "get_plot", {"plot_id": "PL-9000"}, "Error: not found", status=CallStatus.ERROR
    )

    found = values("Plot PL-9000 is yours.", failed)

    assert found["PL-9000"].reason == "failed_call"


def test_another_currency_is_unsupported():
    found = of_plot("The rent is €84.50.", policy="A deposit of $20 is due.")

    assert found["€84.50"].reason == "other_currency"


def test_an_answer_with_a_wrong_value_is_sent_back_with_the_value():
    call = a_tool_call("get_plot", {}, json.dumps(PLOT))

    report = verify(an_interaction("The rent is $99.", call))

    assert (report.verdict, report.decision.action) == ("reject", "retry")
    assert report.decision.reason == "unsupported_value"
    assert '- "$99": no tool returned it' in report.decision.additional_context
    assert '"$99"' in explain(report)
    assert "UNSUPPORTED_VALUE" in report.warning_codes


def test_an_answer_whose_values_all_stand_in_the_run_passes():
    call = a_tool_call("get_plot", {}, json.dumps(PLOT))

    report = verify(an_interaction(f"The rent is ${PLOT['rent']}.", call))

    assert (report.verdict, report.decision.reason) == ("accept", "checks_passed")
    assert report.check("values").outcome == "passed"
    assert report.coverage == 1.0
    assert "NOTHING_TO_CHECK" not in report.warning_codes
    assert explain(report).startswith("1 value was compared with")


def test_right_values_do_not_accept_a_claim_of_work_that_stays_open():
    cancelled = json.dumps({"order_id": 17, "status": "cancelled", "total": 90})
    call = a_tool_call("cancel_order", {"order_id": 17}, cancelled)

    report = verify(an_interaction("I have refunded $90 for order 17.", call))

    assert [one.status for one in report.completion_claims] == ["unchecked"]
    assert (report.verdict, report.decision.reason) == ("uncertain", "doubts_remain")


def test_what_the_user_said_is_no_reason_to_accept():
    call = a_tool_call("get_plot", {}, json.dumps(PLOT))

    report = verify(an_interaction("You pay $77.", call, task="I pay $77."))

    assert report.check("values").outcome == "passed"
    assert (report.verdict, report.decision.reason) == ("uncertain", "nothing_to_check")


def test_agents_that_write_code_are_not_held_to_numbers():
    report = verify(
        an_interaction("It took 4.25 seconds and cost $3.10.", a_command("make", "ok"))
    )

    assert {one.status for one in report.values} == {"unchecked"}
    assert (report.check("values").outcome, report.coverage) == ("skipped", 0.0)


def test_a_tool_that_reads_no_file_is_none_of_an_agent_that_writes_code():
    call = a_tool_call("read_account", {"account": "A-1"}, '{"id": "A-1", "due": 7.5}')

    found = values("You owe $8.25.", call)

    assert found["$8.25"].status == "unsupported"


def test_a_long_hostile_text_takes_linear_time():
    answer = "1," * 40_000 + "A-" * 40_000 + "(" * 20_000 + "0 " * 20_000

    assert of_plot(answer) is not None


PIECES = [
    "May 3", "3rd of May 2031", "next Tuesday", "today", "the 11th", "2031-05-03",
    "3 nights", "5 to 7 days", "2 h", "9 pm", "noon", "half past 9", "$12", "12 %",
    "€3.5k", "PL-4471", "#77", "****1234", "a@b.co", "+44 20 7946 0958", "two beds",
    "12 Fennel Lane", "Ilse Brandt", "the Marble Birdbath", "is delivered", "(red, XL)",
    "\n- Tint: x", "\u00b2", "\u0661", "1,2,3.4", "0", "\ud800", "İ", "null", "-", "\n",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=12), st.booleans())
def test_no_mixture_of_values_breaks_the_check(pieces, in_tool):
    text = " ".join(pieces)
    output = json.dumps({**PLOT, "note": text}) if in_tool else text

    found = verify(
        an_interaction(text, a_tool_call("get_plot", {"q": text}, output), task=text)
    ).values

    assert all(text[slice(*span)] for one in found for span in one.spans)


CRATES = {
    "crates": [
        {"crate_id": "CR-101", "fruit": "Medlars", "price": 12.0, "deposit": 4.5},
        {"crate_id": "CR-102", "fruit": "Quinces", "price": 18.4, "deposit": 6.0},
    ],
    "packed": "2031-05-02",
    "weighed_g": 1500,
    "picked": 146_456_400,
}


def of_crates(answer, **more):
    return values(answer, a_tool_call("get_crates", {}, json.dumps(CRATES)), **more)


@pytest.mark.parametrize(
    ("answer", "text", "reason"),
    [
        ("Medlars cost $18.40 and Quinces $12.00.", "$18.40", "other_record"),
        ("The deposit is $12.00 for CR-101.", "$12.00", "other_field"),
        ("They were packed on Saturday, May 2, 2031.", "Saturday", "other_weekday"),
        ("They were packed on May 2, 2031 (a Monday).", "Monday", "other_weekday"),
        ("They weigh 1500 kg.", "1500", "not_found"),
    ],
)
def test_a_value_is_that_of_its_clause_label_and_unit(answer, text, reason):
    assert of_crates(answer)[text].reason == reason


@pytest.mark.parametrize(
    ("answer", "text", "status"),
    [
        ("Medlars cost $12.00 and Quinces $18.40.", "$18.40", "supported"),
        ("$12.00 for Medlars, $18.40 for Quinces.", "$18.40", "supported"),
        ("CR-101 costs $12.00. The other is $18.40.", "$18.40", "supported"),
        ("They were packed on Friday, 2 May.", "Friday", "derived"),
        ("They weigh 1.5 kg.", "1.5", "supported"),
        ("About 146.5 million were picked.", "146.5", "derived"),
        ("Both cost $30.40 together.", "$30.40", "derived"),
        ("Of $18.40 you pay $4.60, 25% of it.", "25%", "derived"),
        ("The deposit: $4.50 for CR-101.", "$4.50", "supported"),
    ],
)
def test_what_is_right_of_its_clause_is_not_accused(answer, text, status):
    told = of_crates(answer, task="I pay $4.60.")

    assert told[text].status == status


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("It is an Orchard Press 840 G8.", "Orchard Press 840 G8"),
        ("It is with Wilhelmina Farr.", "Wilhelmina Farr"),
        ("It has priority P3.", "P3"),
        ("It is at Rebenweg 92.", "Rebenweg 92"),
        ("It is on 192.0.2.41.", "192.0.2.41"),
        ("Call 0131 496 0128.", "0131 496 0128"),
        ("It took 25 minutes.", "25 minutes"),
        ("It has 64 crates.", "64"),
    ],
)
def test_what_is_nearly_what_a_tool_returned_is_unsupported(answer, text):
    asset = {
        "model": "Orchard Press 845 G9",
        "owner": "Ottoline Farr",
        "lender": {"contact": "Wilhelmina Brandt"},
        "priority": "P2",
        "address": "Rebenweg 29",
        "ip": "192.0.2.14",
        "phone": "+44 131 496 0182",
        "took": "PT15M",
        "holds_crates": 46,
    }

    found = values(answer, a_tool_call("get_asset", {}, json.dumps(asset)))

    assert found[text].status == "unsupported"
    right = "It took 15 minutes; call 0131 496 0182, Rebenweg 29, 192.0.2.14."
    assert not any(
        one.is_flagged
        for one in values(
            right, a_tool_call("get_asset", {}, json.dumps(asset))
        ).values()
    )


SAVINGS = a_tool_call("balance", {}, '{"kind": "savings", "balance": 912.5}')
CHECKING = a_tool_call("balance", {}, '{"kind": "checking", "balance": 60.75}')
PAID = a_tool_call("pay", {}, '{"paid": 20.5, "to": "Odile"}')


@pytest.mark.parametrize(
    ("answer", "text", "status"),
    [
        ("Your checking balance is $912.50.", "$912.50", "unsupported"),
        ("Your savings balance is $912.50.", "$912.50", "supported"),
        ("Beside checking, savings has $912.50.", "$912.50", "supported"),
        ("I paid $20.50; the balance is now $40.25.", "$40.25", "derived"),
        ("I paid $20.50; the balance is now $40.35.", "$40.35", "unsupported"),
        ("I paid $20.50.\n\nNew balances:\n- Checking: $40.25", "$40.25", "derived"),
        ("With savings of $912.50, a total of $973.25.", "$973.25", "unsupported"),
    ],
)
def test_an_amount_belongs_to_the_object_that_a_word_tells_apart(answer, text, status):
    assert values(answer, CHECKING, SAVINGS, PAID)[text].status == status


def test_a_day_of_talk_beside_a_weekday_is_no_date():
    assert values("It opens today, Sunday.", CHECKING)["today"].status == "unchecked"


def test_an_amount_in_cents_is_that_of_a_record_with_a_currency():
    refund = a_tool_call(
        "refund", {}, '{"id": "re_18x", "amount": 6450, "currency": "usd"}'
    )

    value = values("I refunded $64.50, not $645.00.", refund)

    assert (value["$64.50"].status, value["$64.50"].note) == ("derived", "6450 / 100")
    assert value["$645.00"].status == "unsupported"


def test_days_of_the_answer_multiply_what_a_day_costs():
    car = a_tool_call(
        "find_car",
        {"from": "2031-03-05", "to": "2031-03-09"},
        '{"car": "Fen", "per_day": "$32"}',
    )

    assert values("At $32 a day: $128 for 4 days.", car)["$128"].note == "$32 × 4"


def test_a_total_grows_by_what_was_added():
    trip = a_tool_call(
        "get_trip", {}, '{"trip_id": "TR-88", "total": {"amount": "184.20"}}'
    )
    bag = a_tool_call("add_bag", {}, '{"trip_id": "TR-88", "charged": "35.00"}')

    value = values("The bag is €35.00; TR-88 now comes to €219.20.", trip, bag)[
        "€219.20"
    ]

    assert (value.status, value.note) == ("derived", "184.20 + €35.00")


@pytest.mark.parametrize(
    ("wrong", "others", "near"),
    [
        ("PL-4417", [], "PL-4471"),
        ("PL-4472", [], "PL-4471"),
        # A letter more, and two that are as near as each other.
        ("PL-44711", [], ""),
        ("PL-4472", ["PL-4473"], ""),
        ("XX-9999", [], ""),
    ],
)
def test_a_wrong_id_has_the_only_one_that_is_near(wrong, others, near):
    rows = json.dumps([PLOT, *({"plot_id": one} for one in others)])
    call = a_tool_call("get_plots", {}, rows)

    report = verify(an_interaction(f"Plot {wrong} is yours.", call))

    told = next(one for one in report.values if one.text == wrong)
    assert (told.status, told.reason, told.note) == ("unsupported", "not_found", near)
    advice = f'no tool returned it; the nearest that one returned is "{near}"'
    assert (advice in report.decision.additional_context) == bool(near)


def test_a_code_is_not_found_in_the_first_word_of_a_name():
    call = a_tool_call("find", {}, json.dumps([{"from": "SAN", "to": "OSL"}]))

    report = verify(an_interaction("From San Diego (SAN) to Osl.", call))

    assert [one.text for one in report.values] == ["SAN", "Osl"]


CABINS = [
    {"name": "Otter Creek", "number_of_beds": "3", "address": "41 Elm Avenue"},
    {"name": "Heron Point", "number_of_beds": "4", "address": "7 Mill Road"},
    {"name": "Marten Gable", "number_of_beds": "6", "dock": "Ferry Hall"},
]


@pytest.mark.parametrize(
    ("answer", "text", "status"),
    [
        ("There are 3 cabins, such as Otter Creek.", "3", "derived"),
        ("There are 7 cabins, such as Otter Creek.", "7", "unsupported"),
        ("There are 2 places in this area. I like Otter Creek.", "2", "unsupported"),
        # Two of them are named, so that it may speak of these.
        ("I found 2 cabins: Otter Creek and Heron Point.", "2", "unchecked"),
        ("I found 2 cabins that allow dogs.", "2", "unchecked"),
        ("Otter Creek has 5 bedrooms.", "5", "unsupported"),
        ("Otter Creek has 3 bedrooms.", "3", "supported"),
        ("It is at 41 elm Avenue.", "41 elm Avenue", "supported"),
        ("It is at 43 elm Avenue.", "43 elm Avenue", "unsupported"),
        ("The path ends at the Gorse Hall.", "Gorse Hall", "unsupported"),
    ],
)
def test_lists_are_counted_by_the_name_of_their_tool(answer, text, status):
    call = a_tool_call("FindCabins", {"area": "North"}, json.dumps(CABINS))

    report = verify(an_interaction(answer, call))

    found = {one.text: one.status for one in report.values}
    assert found[text] == status


def test_small_letters_are_no_place_or_person():
    call = a_tool_call("find", {}, json.dumps([{"host": "Ada", "city": "Boston"}]))

    report = verify(an_interaction("A nice house will do, mason said.", call))

    assert report.values == ()


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("It takes 3 business days for the transfer.", "supported"),
        ("It takes 4 business days for the transfer.", "unsupported"),
    ],
)
def test_a_duration_may_be_a_number_in_a_text(answer, status):
    call = a_tool_call("transfer", {}, json.dumps([{"transfer_time": "3"}]))

    (one,) = verify(an_interaction(answer, call)).values

    assert one.status == status


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("It is 21 degrees with 40 percent chance of rain.", []),
        ("It is 40 degrees with 21 percent chance of rain.", ["40", "21 percent"]),
        ("It may reach 25 degrees.", []),
    ],
)
def test_degrees_are_those_of_a_temperature(answer, wrong):
    weather = {"temperature": "21", "high": "25", "precipitation": "40"}
    call = a_tool_call("get_weather", {}, json.dumps([weather]))

    values = verify(an_interaction(answer, call)).values

    assert [one.text for one in values if one.status == "unsupported"] == wrong


@pytest.mark.parametrize(
    ("answer", "text", "status"),
    [
        ("The fare of $900 is €810.", "€810", "supported"),
        ("The fare of $900 is €840.", "€840", "unsupported"),
        ("The fare of $900 is £810.", "£810", "unsupported"),
        ("The fare is $810.", "$810", "unsupported"),
    ],
)
def test_a_result_is_in_the_currency_that_its_call_asked_for(answer, text, status):
    fare = a_tool_call("get_fare", {"from": "OSL"}, '{"fare": 900}')
    asked = {"base_currency": "USD", "target_currency": "EUR", "value": 900}
    rate = a_tool_call("exchange", asked, '{"exchanged": 810.0}')

    assert values(answer, fare, rate)[text].status == status


@pytest.mark.parametrize(
    ("total", "status"), [("$14,337.50", "derived"), ("$14,373.50", "unsupported")]
)
def test_many_of_a_thing_cost_so_many_times_its_price(total, status):
    order = a_tool_call(
        "place_order", {"amount": 250}, '{"id": 7731, "price": 57.35, "amount": 250}'
    )
    answer = f"Order 7731: 250 shares at $57.35 each, {total} in all."

    assert values(answer, order)[total].status == status


@pytest.mark.parametrize(
    ("answer", "text", "status"),
    [
        ("It has 12 GB of memory.", "12", "supported"),
        ("It has 12GB of memory.", "12", "supported"),
        ("It has 16 GB of memory.", "16", "unsupported"),
        ("It weighs 232 g.", "232", "supported"),
        ("The camera has 200 MP.", "200", "supported"),
        ("Seat 14A is yours.", "14", None),
    ],
)
def test_a_unit_may_be_joined_to_its_number(answer, text, status):
    phone = a_tool_call(
        "get_phone", {}, '{"ram": "12GB", "weight": "232g", "camera": "200MP main"}'
    )

    one = values(answer, phone).get(text)
    assert (one and str(one.status)) == status
