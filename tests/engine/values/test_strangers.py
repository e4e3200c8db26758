"""Names and numbers that nobody in a run has said, told by kind or place."""

import json

import pytest

from tests.builders import a_tool_call, an_interaction, verify

CABIN = {
    "cabin_id": "CB-310",
    "cabin_name": "Heron Point Lodge",
    "phone_number": "+47 555 0144",
    "city": "Bergen",
    "country": "Norway",
    "paint": "green",
    "bunks": 4,
    "status": "open",
    "stage": "Draft",
    "price": 120.5,
    "host": "Ragna Lund",
    "deposit_days": "7-10",
}
OTHER = {**CABIN, "cabin_id": "CB-311", "cabin_name": "Otter Creek Lodge"}
OTHER |= {"price": 99.25, "status": "closed", "host": "Dahl"}
TABLE = (
    "| Stay | Price |\n|---|---|\n"
    "| Heron Point Lodge | $120.50 |\n| Lynx Hut | $120.50 |"
)


def values(answer, *cabins, **given):
    shown = a_tool_call("find_cabins", given, json.dumps(cabins or [CABIN]))
    return {one.text: one for one in verify(an_interaction(answer, shown)).values}


@pytest.mark.parametrize(
    ("answer", "text", "status"),
    [
        ("The cabin is painted red.", "red", "unsupported"),
        ("The cabin is painted green.", "green", "supported"),
        ("It stands in Tromso.", "Tromso", "unsupported"),
        ("It stands in Bergen.", "Bergen", "supported"),
        ("Please see our Help section for it.", "Help", None),
        ("Hello Sigrid, it is free.", "Sigrid", "unsupported"),
        ("Hello Ragna, it is free.", "Ragna", "supported"),
        ("Thank you for confirming, Sigrid. It is free.", "Sigrid", "unsupported"),
        ("Thank you for confirming, Ragna. It is free.", "Ragna", "supported"),
        ("Guten Tag Frau Lund, sie ist frei.", "Frau Lund", "supported"),
        ("You will stay at Heron Point Hostel.", "Heron Point Hostel", "unsupported"),
        ("You will stay at Heron Point Lodge.", "Heron Point Lodge", "supported"),
        ("It was listed with NordStays.", "NordStays", "unsupported"),
        ("It has 6 bunks.", "6", "unsupported"),
        ("- Bunks: 6", "6", "unsupported"),
        ("It has 4 bunks.", "4", "supported"),
        ("I can show you 6 pictures.", "6", "unchecked"),
        (TABLE, "Lynx Hut", "unsupported"),
        ("- Heron Point Lodge\n- Lynx Hut", "Lynx Hut", "unsupported"),
        ("- Green Season\n- Lynx Hut", "Lynx Hut", None),
        ("Heron Point Lodge and Lynx Hut are free.", "Lynx Hut", "unsupported"),
        ("The Lynx Hut will be free.", "Lynx Hut", "unsupported"),
        ("- Host: Ragna Viken", "Ragna Viken", "unsupported"),
        ("The deposit is back in 7 to 10 days.", "7 to 10 days", "supported"),
    ],
)
def test_what_nobody_said_is_told_by_its_kind_or_place(answer, text, status):
    found = values(answer)

    assert (found[text].status if text in found else None) == status


@pytest.mark.parametrize(
    ("answer", "text", "status"),
    [
        ("Heron Point Lodge costs $120.50.", "$120.50", "supported"),
        ("Heron Point Lodge costs $99.25.", "$99.25", "unsupported"),
        ("The host of CB-310 is Dahl.", "Dahl", "unsupported"),
        ("The host of CB-311 is Dahl.", "Dahl", "supported"),
        ("- CB-310 (closed)", "closed", "unsupported"),
        ("- CB-311 (closed)", "closed", "supported"),
        ("CB-310 and CB-311 differ by $21.25.", "$21.25", "derived"),
    ],
)
def test_a_value_of_another_thing_is_unsupported(answer, text, status):
    assert values(answer, CABIN, OTHER)[text].status == status


def test_a_currency_in_front_of_an_amount_is_read():
    cabin = {**CABIN, "total": "EUR 310.00"}

    assert values("The total is €310.", cabin)["€310"].status == "supported"
    assert values("The total is $310.", cabin)["$310"].status == "unsupported"


def test_a_number_in_bold_is_no_masked_card():
    assert values("It has **4** bunks and costs **120**.", bed=120)["120"]
    assert values("Paid with ****4471.")["****4471"].kind == "identifier"


def test_a_duration_that_a_call_was_given_in_another_unit_is_nobodys_invention():
    assert values("I booked it for 45 minutes.", minutes=45)["45 minutes"].status == (
        "unchecked"
    )


def test_a_part_of_a_wrong_name_is_not_reported_beside_it():
    guests = [
        {"first_name": "Magnus", "last_name": "Berg", "dob": "1997-01-23"},
        {"first_name": "Ivar", "last_name": "Berg", "dob": "1975-09-15"},
    ]
    answer = (
        "- **Guests:**\n  - Liam Berg, DOB: 1997-01-23\n  - Ivar Berg, DOB: 1975-09-15"
    )

    found = values(answer, {"guests": guests})

    wrong = [text for text, one in found.items() if one.status == "unsupported"]
    assert wrong == ["Liam Berg"]


def test_a_title_of_a_small_word_and_another_is_like_no_other_words():
    assert "in Sunrise" not in values(
        "I play it in Sunrise mode.", {"title": "In Bloom", "genre": "Pop"}
    )


def test_many_strangers_take_linear_time():
    shown = values("It is free, " + "for Zenith " * 18_000)

    assert shown["Zenith"].status == "unsupported"
