"""What tools returned as JSON, as records with ids, fields and versions."""

import json

from tests.builders import a_tool_call, an_interaction
from verifyhub.engine.ledger.build import build_ledger
from verifyhub.engine.types import CallStatus
from verifyhub.engine.values.places import leaf_spans
from verifyhub.engine.values.records import Records, read_records

LOAN = {
    "member_id": "m-77",
    "loan_id": "L-204",
    "books": [
        {"isbn_no": "b1", "title": "Kelp", "fee": 1.5},
        {"isbn_no": "b2", "title": "Reed", "fee": 4},
    ],
    "due": {"date": "2031-03-04"},
}


def records_of(*calls) -> Records:
    return read_records(build_ledger(an_interaction("", *calls)).calls)


def test_a_record_is_named_by_the_id_that_its_tool_speaks_of():
    records = records_of(a_tool_call("get_loan", {}, json.dumps(LOAN)))

    assert [(one.id, one.id_key) for one in records.records] == [
        ("L-204", "loan_id"),
        ("b1", "isbn_no"),
        ("b2", "isbn_no"),
    ]
    assert records.records[0].fields()["due.date"] == "2031-03-04"
    assert [(one.key, one.length) for one in records.lists] == [("books", 2)]


def test_a_mapping_by_ids_names_what_it_holds():
    output = json.dumps({"cards": {"card_12": {"last_four": "9041"}}})

    records = records_of(a_tool_call("get_profile", {}, output))

    assert "card_12" in records.by_id


def test_a_later_call_replaces_what_an_earlier_one_showed():
    first = a_tool_call("get_loan", {}, json.dumps({"loan_id": "L1", "fee": 3}))
    later = a_tool_call("update_loan", {}, json.dumps({"loan_id": "L1", "fee": 5}))

    records = records_of(first, later)

    assert records.latest("l1")["fee"].value == 5
    assert [one.written for one in records.by_id["l1"]] == [False, True]


def test_json_inside_a_string_and_line_by_line_is_read():
    envelope = json.dumps([{"type": "text", "text": json.dumps({"id": "x9", "n": 2})}])
    lines = '{"id": "y1"}\n{"id": "y2"}\n'

    records = records_of(a_tool_call("a", {}, envelope), a_tool_call("b", {}, lines))

    assert {"x9", "y1", "y2"} <= set(records.by_id)


def test_a_failed_call_shows_no_record():
    failed = a_tool_call("get_loan", {}, '{"loan_id": "L1"}', status=CallStatus.ERROR)

    assert not records_of(failed).records


def test_the_place_of_a_leaf_is_that_of_its_text():
    output = json.dumps(LOAN, indent=1)
    paths = [("books", 1, "fee"), ("due", "date")]

    spans = leaf_spans(output, paths)

    texts = [output[slice(*spans[path])] for path in paths]
    assert texts == ["4", "2031-03-04"]


def test_deep_and_broken_json_is_no_record_and_no_error():
    deep = "[" * 100_000 + "]" * 100_000

    records = records_of(a_tool_call("a", {}, deep), a_tool_call("b", {}, "{oops}"))

    assert not records.leaves
