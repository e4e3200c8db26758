"""What Python prints, read as JSON."""

import json

import pytest

from tests.builders import a_tool_call, an_interaction, verify
from verifyhub.engine.calls.literals import literal_as_json


@pytest.mark.parametrize(
    "value",
    [
        {"paid": True, "late": False, "note": None, "sum": -3.5},
        [{"id": "T-1", "parts": [1, 2]}],
        {"text": "it's", "said": 'he said "no"', "both": 'it\'s "so"'},
        {"text": "a\ttab, a \\ and \x01"},
    ],
)
def test_what_python_prints_is_read_as_the_same_value(value):
    assert json.loads(literal_as_json(str(value))) == value


@pytest.mark.parametrize(
    "text", ["{'a': open('x')}", "{'a' b}", "{'a': 'open", "plain", '{"a": 1}', ""]
)
def test_nothing_else_is_taken_for_it(text):
    assert literal_as_json(text) is None


def test_a_value_of_a_printed_record_is_found_at_its_place():
    output = "{'order': 'OR-3310', 'total': 48.5, 'paid': True}"
    call = a_tool_call("get_order", {}, output)
    run = an_interaction("Order OR-3310 costs 48.50, OR-3311 as well.", call)

    values = {one.text: one for one in verify(run).values}
    (place,) = values["OR-3310"].evidence
    assert output[slice(*place.span)] == "OR-3310"
    assert (place.path, str(values["OR-3311"].status)) == ("order", "unsupported")
