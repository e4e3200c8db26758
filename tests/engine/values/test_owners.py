"""An id beside what is another record's is the wrong id, and the rest is right."""

import json

import pytest

from tests.builders import a_tool_call, an_interaction, verify

INVOICES = {
    "invoices": [
        {
            "invoice_id": "IN-412",
            "vendor": "Alder Paper",
            "sum": 118.4,
            "due": "2031-05-02",
        },
        {
            "invoice_id": "IN-421",
            "vendor": "Birch Tools",
            "sum": 74.9,
            "due": "2031-05-19",
        },
    ]
}
PARCELS = {
    "order": "OR-9",
    "lines": [
        {"sku": "SK-100", "title": "Garden Hose"},
        {"sku": "SK-200", "title": "Hand Rake"},
    ],
    "parcels": [
        {"tracking": "GX5581201", "skus": ["SK-100"], "eta": "2031-06-03"},
        {"tracking": "GX5581210", "skus": ["SK-200"], "eta": "2031-06-07"},
    ],
}
PAID = {"invoice_id": "IN-421", "sum": 74.9, "state": "paid"}


def statuses(answer, shown=INVOICES, paid=None):
    """Return the status of each value; a call that writes was given what was paid."""
    calls = [a_tool_call("list_invoices", {}, json.dumps(shown))]
    if paid:
        data = {"invoice_id": paid["invoice_id"]}
        calls.append(a_tool_call("pay_invoice", data, json.dumps(paid)))
    values = verify(an_interaction(answer, *calls, task="Help me.")).values
    return {one.text: str(one.status) for one in values}


@pytest.mark.parametrize(
    ("answer", "shown", "wrong", "right"),
    [
        # Two values of another record.
        (
            "IN-412 of $74.90 is due on May 19.",
            INVOICES,
            "IN-412",
            ["$74.90", "May 19"],
        ),
        # The name of another one, in front or at the head of the line.
        (
            "The Birch Tools invoice (IN-412) is open.",
            INVOICES,
            "IN-412",
            ["Birch Tools"],
        ),
        (
            "- **Hand Rake**: it comes as parcel GX5581201.",
            PARCELS,
            "GX5581201",
            ["Hand Rake"],
        ),
    ],
)
def test_an_id_beside_what_another_record_has_is_wrong(answer, shown, wrong, right):
    found = statuses(answer, shown)

    assert found[wrong] == "unsupported"
    assert {found[one] for one in right} == {"supported"}


@pytest.mark.parametrize(
    "answer",
    [
        "IN-412 of $118.40 is due on May 2.",
        # The other one is spoken of as well.
        "IN-412 is paid, and Birch Tools still gets $74.90 on May 19.",
        "IN-412 and IN-421 come to $118.40 and $74.90.",
    ],
)
def test_an_id_beside_its_own_or_beside_another_thing_is_right(answer):
    assert "unsupported" not in statuses(answer).values()
