"""Which field, row and version of a record a value of an answer is of."""

import json

import pytest

from tests.builders import a_tool_call, an_interaction, verify

COVER = {
    "policy_number": "AUT-55",
    "coverage": {"collision_deductible": 500, "comprehensive_deductible": 250},
}
ORDER = {"id": "FD-309", "items": [{"name": "Pad Thai", "price": 12.5}]}
ORDER |= {"delivery_fee": 3.99, "tip": 5.0}
CLAIM = {"claim": "HO-441", "filed": "2031-02-11", "inspection": {"date": "2031-02-20"}}
BILLS = [
    {"bill_id": "B1002", "status": "Overdue", "due_date": "2031-02-20"},
    {"bill_id": "B1003", "status": "Draft", "due_date": "2031-03-20"},
]
FLATS = [
    {"ref": "LT-204", "address": "14 Constitution Street", "sqm": 68},
    {"ref": "LT-219", "address": "7 Shore Place", "sqm": 61},
]
LOANS = [
    {"title": "Piranesi", "barcode": "30001188", "due": "2031-03-28"},
    {"title": "Exhalation", "barcode": "30001423", "due": "2031-03-30"},
]
LEAVE = {"annual": {"entitled": 25, "taken": 9, "pending": 0, "remaining": 16}}
ROOF = {"claim": "HO-441", "estimate": 8450.0, "deductible": 1000.0, "advance": 3000.0}
PLAN = {"customer": "cus_8821", "plan": "Team"}
TICKETS = [{"number": "REQ-2201", "state": "resolved"}]
TICKETS += [{"number": "REQ-2188", "state": "closed"}]
CHANGED = [{"number": "REQ-2201", "state": "closed"}]
CHANGED += [{"number": "REQ-2188", "state": "open"}]
STAY = {"reservation_id": "HX83KD", "check_out": "2031-08-17", "total": 567.0}
PARCEL = {"tracking": "PX77", "eta": "2031-03-22"}
BALANCE = {"account_id": "SAV-9902", "balance": 10450.0}
PAYEE = {"payee_id": "P-7", "account": "55381920"}
WORK = {"wo": "WO-1", "lines": [{"job": "Brake pads", "parts": 89.5, "labour": 110.0}]}
WORK["lines"] += [{"job": "Oil change", "parts": 38.0, "labour": 45.0}]
PENSION = {"member": "N-1", "contribution_pct": 8.0, "employer_pct": 4.0}
DRUG = {"rx": "RX-50912", "refills_remaining": 1}
ORDERS = [
    {
        "order_id": "#W50",
        "items": [{"item_id": "811", "name": "Boots", "price": 260.56}],
    },
    {
        "order_id": "#W77",
        "items": [{"item_id": "480", "name": "Tablet", "price": 962.34}],
    },
]
BASKET = [{"order_id": "GR-118", "total": 7.2}, {"total": 7.8}]
FARE = [{"pnr": "QX7RT2", "fare": 412.6, "currency": "EUR"}, {"bag": "€39"}]
CUSTOMER = {"customer_id": "C1001", "full_name": "John Smith"}


def found(answer, *shown, task="Help me.", failed=()):
    """Return the values of an answer with their status; the first call looks."""
    calls = [
        a_tool_call("update_it" if at else "get_all", {"q": "GR-118"}, json.dumps(one))
        for at, one in enumerate(shown)
    ]
    calls += [a_tool_call("transfer_funds", one, "Error: refused") for one in failed]
    run = an_interaction(answer, *calls, task=task)
    return {one.text: str(one.status) for one in verify(run).values}


SITES = '{"domains": [{"name": "oak.example", "expires_on": "2031-07-11"}]}'
ORDERED = '{"order_id": "ORD-9", "domain": "oak.example", "expires_on": "2033-07-11"}'


@pytest.mark.parametrize(
    ("tool", "text", "expected"),
    [
        ("renew_domain", "July 11, 2031", "unsupported"),
        ("renew_domain", "July 11, 2033", "supported"),
        ("order_certificate", "July 11, 2031", "supported"),
    ],
)
def test_an_order_that_changed_a_record_tells_how_the_record_is_now(
    tool, text, expected
):
    calls = [
        a_tool_call("list_domains", {"customer": "c-1"}, SITES),
        a_tool_call(tool, {"domain": "oak.example"}, ORDERED),
    ]
    run = an_interaction(f"I renewed it. It now expires on {text}.", *calls)

    [value] = [one for one in verify(run).values if one.text == text]

    assert str(value.status) == expected


@pytest.mark.parametrize(
    ("text", "answer", "shown", "expected"),
    [
        ("$500", "Your comprehensive deductible is $500.", [COVER], "unsupported"),
        ("$3.99", "For Pad Thai you left a tip of $3.99.", [ORDER], "unsupported"),
        ("February 20", "HO-441 was filed on February 20.", [CLAIM], "unsupported"),
        ("February 11", "HO-441 was filed on February 11.", [CLAIM], "supported"),
        ("Overdue", "Bill B1003 is Overdue.", [BILLS], "unsupported"),
        ("68", "I looked at 7 Shore Place. It has 68 m².", [FLATS], "unsupported"),
        ("61", "I looked at 7 Shore Place. It has 61 m².", [FLATS], "supported"),
        (
            "March 28",
            "Piranesi is due March 28. *Exhalation* is due later.",
            [LOANS],
            "supported",
        ),
        ("25", "You have 16 of 25 annual leave days left.", [LEAVE], "supported"),
        (
            "$4,450",
            "It was put at $8,450; after $1,000 and the $3,000 paid, $4,450 is left.",
            [ROOF],
            "derived",
        ),
        (
            "Team",
            "Done! Plan upgraded: Team → Business.",
            [PLAN, PLAN | {"plan": "Business"}],
            "supported",
        ),
        (
            "Closed",
            "Updated:\n| REQ-2201 | Closed |\n| REQ-2188 | Open |",
            [TICKETS, *CHANGED],
            "supported",
        ),
        (
            "$567",
            "I updated it. Check-out was August 17, and your total is $567.",
            [STAY, STAY | {"total": 756.0}],
            "unsupported",
        ),
        (
            "$567",
            "Your stay was amended. It comes to $567.",
            [STAY, STAY | {"total": 756.0}],
            "unsupported",
        ),
        (
            "Team",
            "Downgraded. Until May 2 you keep your Team seats.",
            [PLAN, PLAN | {"plan": "Free"}],
            "supported",
        ),
        (
            "two days",
            "PX77 now comes two days later than planned.",
            [PARCEL, {"tracking": "PX77", "new_eta": "2031-03-24"}],
            "derived",
        ),
        ("€127.50", "The brake pads come to €127.50.", [WORK], "unsupported"),
        ("12%", "With your 8% and their 4% that makes 12%.", [PENSION], "derived"),
        ("3", "You have 3 refills remaining.", [DRUG], "unsupported"),
        (
            "$260.56",
            "I checked #W77: the Tablet costs $260.56.",
            [ORDERS],
            "unsupported",
        ),
        ("€451.60", "In total QX7RT2 came to €451.60 with a €39 bag.", FARE, "derived"),
        ("£7.20", "I updated it; the total is £7.20 now.", BASKET, "unsupported"),
        ("65381920", "It goes to account 65381920.", [PAYEE], "unsupported"),
    ],
)
def test_a_value_is_held_against_the_field_and_version_it_is_of(
    text, answer, shown, expected
):
    assert found(answer, *shown)[text] == expected


def test_a_name_ends_where_its_sentence_does():
    assert "John. Here" not in found("Thank you, John. Here it is.", CUSTOMER)


def test_an_amount_that_was_refused_has_moved_nothing():
    answer = "I moved $500. Your savings balance is now $9,950."
    values = found(answer, BALANCE, task="Move $500.", failed=[{"amount": 500}])

    assert values["$9,950"] == "unsupported"


@pytest.mark.parametrize(
    ("text", "answer", "task"),
    [
        ("June 23", "Off from June 23.", "Book 23 to 27 June off."),
        ("six", "It is for six people.", "Can you make it six?"),
        ("one hour", "It is longer by one hour.", "Extend it by an hour."),
        ("14:00", "Between 14:00 and 16:00.", "Collect it tomorrow 14-16h."),
    ],
)
def test_both_ends_of_a_range_are_said_by_the_user(text, answer, task):
    assert found(answer, LEAVE, task=task)[text] == "user_said"


def test_the_last_digits_of_a_card_that_a_call_was_given_are_not_invented():
    paid = a_tool_call("pay", {"card": "5521", "amount": 68.9}, '{"payment": "PY-991"}')
    run = an_interaction("I charged your card ending in 5521.", paid)

    assert [str(one.status) for one in verify(run).values] == ["unchecked"]
