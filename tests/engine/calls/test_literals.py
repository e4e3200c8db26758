"""What Python prints, read as JSON."""

import json

import pytest

from tests.builders import a_tool_call, an_interaction, verify
from verifyhub.engine.calls.literals import cut_json, literal_as_json


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


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, "b": {"c": "x", "d": "yy', {"a": 1, "b": {"c": "x"}}),
        ('[{"a": 1}, {"a": 2, "b', [{"a": 1}, {"a": 2}]),
        ("{'a': 'x', 'n': None, 'f': '$3,0", {"a": "x", "n": None}),
        (
            '{"made": true, "row": {"id": "T-1", ...}}',
            {"made": True, "row": {"id": "T-1"}},
        ),
        ('{"a": 1}\n\n2 more rows', {"a": 1}),
        ('{"a": 1, "b"', {"a": 1}),
    ],
)
def test_json_without_its_end_is_read_up_to_the_cut(text, value):
    data, end = cut_json(text)

    assert data == value
    assert 0 < end <= len(text)


@pytest.mark.parametrize(
    "text", ['{"a": 12', "[INFO] started", "[1, 2", '{"a" "b": 1', ""]
)
def test_what_holds_no_whole_value_is_no_json(text):
    assert cut_json(text) is None


@pytest.mark.parametrize(
    "piece", ['{"a": 1, ', '{"a":[', '{"a": "\\', "{'a': 1, ", "[["]
)
def test_hostile_json_without_an_end_takes_linear_time(piece):
    cut_json(piece * (200_000 // len(piece)))


def test_values_of_an_output_that_was_cut_are_those_of_its_records():
    output = (
        '{"files": [{"file_id": "file_menu_may", "state": "draft"}, {"file_id": "fil'
    )
    call = a_tool_call("list_files", {}, output)
    answer = "`file_menu_may` is a draft, `file_menu_june` is done."

    values = {one.text: one for one in verify(an_interaction(answer, call)).values}
    (place,) = values["file_menu_may"].evidence
    assert output[slice(*place.span)] == "file_menu_may"
    assert str(values["file_menu_june"].status) == "unsupported"
