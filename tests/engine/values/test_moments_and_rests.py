"""Days with their hour, lengths, rests and prices of several: found in records."""

import json

import pytest

from tests.builders import a_tool_call, an_interaction, verify

SLOTS = {
    "slots": [
        {
            "id": "S-81",
            "start": "2031-03-04T09:20:00",
            "end": "2031-03-04T09:45:00",
            "doctor": "Ilse Brand",
        },
        {
            "id": "S-82",
            "start": "2031-03-05T14:00:00",
            "end": "2031-03-05T14:25:00",
            "doctor": "Omar Hadd",
        },
    ]
}
LEAVE = {"leave": {"annual": {"entitled": 28, "taken": 9.5, "remaining": 18.5}}}
REST = {"request": "LV-4", "days": 4, "remaining": 13.5}
CARD = {"card": {"limit": 3000, "used": 812.35}}
ORDER = {"lines": [{"title": "Oak Chair", "qty": 4, "unit_price": {"value": 89}}]}
CLAIMS = [
    {"ref": "K-118", "kind": "glass", "date": "2031-01-19", "amount": 640},
    {"ref": "K-204", "kind": "theft", "date": "2031-03-02", "amount": 2150},
]
STATED = [
    {"ref": "K-118", "amount": 640, "state": "paid"},
    {"ref": "K-204", "amount": 2150, "state": "missing papers"},
]
FLIGHTS = [{"flight_id": "NV523", "avail": {"Y": 4}, "seats": ["1A", "2B"]}]
METER = "month,kwh,eur\n2030-11,312,98.28\n2030-12,401,126.32\n2031-01,438,137.97\n"
READS = {"meter": {"last": {"value": 1204}, "previous": {"value": 1187}}}
STOCK = {"po": "PO-22", "qty": 500, "unit_cost": 2.35}
VISIT = {"visit": "SR-5", "window": "8-12"}
STAY = {"nightly": {"rate": 90.0}, "meal": {"price": 20.0}, "deposit_paid": 50.0}
NIGHTS = "3 × $90 is $270. With the meal ($20) that is $290, less $50: $240."
BILL = [{"line": "Fuel", "sum": 2100.5}, {"line": "Port", "sum": 130.25}]
MEMBER = {"plan": {"unit_amount": 1250, "currency": "eur"}, "paid": {"amount": 7380}}
DIALS = {"readings": [{"on": "2031-01-05", "kwh": 4120}, {"kwh": 4163}]}
EXAM = {"points": 61, "needed": 75}
STAGES = {"stages": [{"step": "a", "amount": 400}, {"step": "b", "amount": 250}]}
STAGES |= {"roof": {"price": 110.0}}
POLICY = "A change costs $75 per passenger."
PAX = {"booking_id": "ZK4", "passengers": [{"name": "Ann"}, {"name": "Bo"}]}


def status_of(text, answer, shown, policy=None):
    output = shown if isinstance(shown, str) else json.dumps(shown)
    shows = a_tool_call("get_all", {"q": "leave"}, output)
    run = an_interaction(answer, shows, system_instructions=policy)
    return next(str(one.status) for one in verify(run).values if one.text == text)


@pytest.mark.parametrize(
    ("text", "answer", "shown", "expected"),
    [
        ("March 5", "Booked for March 5 at 14:00.", SLOTS, "supported"),
        ("March 4", "Booked for March 4 at 14:00.", SLOTS, "unsupported"),
        ("25 minutes", "It takes 25 minutes.", SLOTS, "derived"),
        ("35 minutes", "It takes 35 minutes.", SLOTS, "unsupported"),
        ("18.5 days", "You have 18.5 days of leave.", LEAVE, "supported"),
        ("28 days", "You get 28 days of leave.", LEAVE, "supported"),
        ("17.5 days", "You have 17.5 days of leave.", LEAVE, "unsupported"),
        ("13.5 days", "It leaves you with 13.5 days.", REST, "supported"),
        ("12.5 days", "It leaves you with 12.5 days.", REST, "unsupported"),
        ("$2,187.65", "You have $2,187.65 left.", CARD, "derived"),
        ("$2,187.56", "You have $2,187.56 left.", CARD, "unsupported"),
        ("$178", "Both chairs, two in all, are $178.", ORDER, "derived"),
        ("$187", "Both chairs, two in all, are $187.", ORDER, "unsupported"),
        (
            "January 19",
            "K-204 is settled. Your glass claim of January 19 was small.",
            CLAIMS,
            "supported",
        ),
        ("2,150", "For K-204, 2,150 would be paid.", STATED, "supported"),
        ("4", "NV523 leaves at noon (4 seats in economy).", FLIGHTS, "supported"),
        ("1.151", "Insgesamt sind es 1.151 kWh.", METER, "derived"),
        ("17", "You used 17 units.", READS, "derived"),
        ("18", "You used 18 units.", READS, "unsupported"),
        ("1,175", "500 at 2.35 each, 1,175 in total.", STOCK, "derived"),
        ("1,185", "500 at 2.35 each, 1,185 in total.", STOCK, "unsupported"),
        ("$240", NIGHTS, STAY, "derived"),
        ("2,230.75", "| 2,100.50 |\n| 130.25 |\n| 2,230.75 |", BILL, "derived"),
        ("2,320.75", "| 2,100.50 |\n| 130.25 |\n| 2,320.75 |", BILL, "unsupported"),
        ("€73.80", "You have paid €73.80.", MEMBER, "derived"),
        ("€73.08", "You have paid €73.08.", MEMBER, "unsupported"),
        ("34", "You used 34 kWh.", DIALS, "unsupported"),
        ("14", "You got 61, 14 points short of the 75 needed.", EXAM, "derived"),
        ("$750", "The roof is $110, which brings it to $750.", STAGES, "unsupported"),
        ("8 AM", "Somebody comes at 8 AM.", VISIT, "unchecked"),
        ("9 AM", "Somebody comes at 9 AM.", VISIT, "unsupported"),
        ("1.161", "Insgesamt sind es 1.161 kWh.", METER, "unsupported"),
    ],
)
def test_values_are_found_where_records_have_what_they_follow_from(
    text, answer, shown, expected
):
    assert status_of(text, answer, shown) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("3 months", "derived"), ("5 months", "unsupported")]
)
def test_months_between_what_a_field_was_and_is_are_found(text, expected):
    calls = [
        a_tool_call("loan_get", {"loan": "LN-8"}, '{"ends": "2039-06-01"}'),
        a_tool_call("loan_pay", {"loan": "LN-8"}, '{"ends": "2039-03-01"}'),
    ]
    run = an_interaction(f"Your loan now ends {text} earlier.", *calls)

    [value] = [one for one in verify(run).values if one.text == text]

    assert str(value.status) == expected
