"""What may be right in another reading of the run is not called unsupported."""

import json

import pytest

from tests.builders import a_tool_call, an_interaction, verify

TENTS = {
    "variants": {"70112233": {"size": "3", "price": 88.4}, "70112244": {"price": 9}}
}
BIKE = {
    "order_id": "O-77",
    "lines": [{"line_id": "L-1", "frame": "steel", "cost": 90.5}],
}
BIKE_NOW = {"order_id": "O-77", "lines": [{"line_id": "L-1", "frame": "carbon"}]}
TWO = [
    {"ticket_id": "T-501", "moves": [{"kind": "payment", "amount": 41.25}]},
    {"ticket_id": "T-502", "moves": [{"kind": "refund", "amount": 63.1}]},
]
RENT = {
    "bills": [{"month": "2031-04", "net": 812.4}, {"month": "2031-03", "net": 790.15}]
}
REST = {"leave": {"annual_days": 28, "remaining": 11.5}}
HOURS = {"name": "Chez Lou", "monday": "18:30-23:00"}
GUARD = {"cover": "CV-8", "yearly_premium": 90.0}
STAY = {"stay_id": "ST-4", "arrive": "2031-03-21", "leave": "2031-03-24"}
OFF = {"requests": [{"id": "LV-1", "from": "2031-08-11", "state": "draft"}]}
ROOMS = {"visits": [{"visit": "V-1", "place": "Bay 12, Cardiology", "state": "open"}]}
OTHER_ORDER = {"orders": [{"order_no": "KX-1", "status": "received"}]}
SPRECHZEIT = {"termine": [{"tag": "2031-06-05", "art": "Impfung"}]}


LOANS = [{"loan_id": "LN-11", "balance": 80.5}, {"loan_id": "LN-12", "balance": 44.5}]
BASKET = {"items": [{"name": "Mug", "qty": 2}, {"name": "Bowl", "qty": 1}]}


def accused(answer, *shown, task="Help me.", last="get_more"):
    """Return the texts of the unsupported values; only the last call may write."""
    calls = [a_tool_call("get_it", {}, json.dumps(one)) for one in shown[:-1]]
    calls.append(a_tool_call(last, {}, json.dumps(shown[-1])))
    run = an_interaction(answer, *calls, task=task)
    return [one.text for one in verify(run).values if str(one.status) == "unsupported"]


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        # An id that is a key.
        ("There is one for three people, item 70112233, at $88.40.", [TENTS]),
        # A value of the record named, though another record has the word beside it.
        ("T-501 is void. All set: a refund of $41.25 is under way.", TWO),
        # The difference to a row that the answer does not quote.
        ("Your April net rent was £812.40, £22.25 more than in March.", [RENT]),
        # A number whose unit the key beside it says, in another language.
        ("Votre solde est de 11,5 jours.", [REST]),
        # The end of a French window.
        ("Lundi : 18 h 30 – 23 h", [HOURS]),
        ("The premium is 90.00 a year, i.e. 7.50 a month.", [GUARD]),
        # The last day of a range that says its month once.
        ("Your stay ST-4 (March 21–24) is booked.", [STAY]),
        # The number of a list item in front of a month.
        ("Summary:\n1. August leave (LV-1)\n2. July leave: nothing yet", [OFF]),
        # A name that ends within a bracket.
        ("It is in Bay 12). There is no fee.", [ROOMS]),
        # What is scheduled to happen, and what is just not cancelled.
        ("A text is scheduled to go out today. KX-1 is still active.", [OTHER_ORDER]),
        ("The basket has three items.", [BASKET]),
        # How many of what is called as a street is.
        ("The basket has:\n- 1 × Trail Bowl, free", [BASKET]),
        # A noun of a German sentence.
        (
            "Soll ich das und die Ihre Impfung mit Ihren Impftermin verschieben?",
            [SPRECHZEIT],
        ),
    ],
)
def test_other_readings_are_not_accused(answer, shown):
    assert accused(answer, *shown) == []


def test_what_was_changed_for_something_else_is_no_old_value():
    answer = "Updated! I swapped the steel frame of O-77 for the carbon one."

    assert accused(answer, BIKE, BIKE_NOW, last="update_order") == []
    answer = "Updated! O-77 now has the steel frame."
    assert accused(answer, BIKE, BIKE_NOW, last="update_order") == ["steel"]


def test_a_length_is_not_supported_by_how_many_other_things_there_are():
    drugs = {"drugs": [{"drug": "D-1"}, {"drug": "D-2"}, {"drug": "D-3"}]}

    assert accused("It takes 3 business days.", drugs) == ["3 business days"]
