"""A project's own names of coded values, and its own deeds of tools."""

import json

import pytest

from tests.builders import a_tool_call, an_interaction, verify
from verifyhub.engine.calls.pairs import MAX_PAIRS, read_pairs
from verifyhub.engine.errors import PairsError

PAIRS = read_pairs(
    [
        {"value": "T3", "name": "gold tier"},
        {"value": "T2", "name": "silver tier"},
        {"value": "pm_*", "name": "PayPal"},
        {"value": "LOC-0017", "name": "North Pier depot"},
    ],
    [
        {"tool": "crm_update_17", "deed": "refund"},
        {"tool": "mcp__desk__*", "deed": "cancel"},
    ],
)


def values(answer, *shown, task="Help me.", pairs=PAIRS):
    calls = [
        a_tool_call("get_member", {"id": str(at)}, json.dumps(one))
        for at, one in enumerate(shown)
    ]
    run = an_interaction(answer, *calls, task=task)
    return {one.text: one for one in verify(run, pairs=pairs).values}


def claims(answer, *calls, pairs=PAIRS):
    return [
        str(one.status)
        for one in verify(an_interaction(answer, *calls), pairs=pairs).completion_claims
    ]


@pytest.mark.parametrize(
    ("shown", "answer", "text"),
    [
        ({"id": "M-11", "level": "T3"}, "M-11 has the gold tier.", "gold tier"),
        ({"id": "M-11", "level": "T3"}, "M-11 has the Gold Tier.", "Gold Tier"),
        ({"id": "M-11", "level": "gold tier"}, "M-11 is on T3.", "T3"),
        ({"id": "M-11", "pay": "pm_88x1"}, "M-11 pays by PayPal.", "PayPal"),
        ({"id": "M-11", "at": "north pier depot"}, "It is in LOC-0017.", "LOC-0017"),
        (
            {"id": "M-11", "at": "LOC-0017"},
            "See the North Pier depot.",
            "North Pier depot",
        ),
    ],
)
def test_a_coded_value_and_its_name_are_equal_both_ways(shown, answer, text):
    found = values(answer, shown)[text]

    assert (found.status, found.reason) == ("supported", "other_form")
    assert found.evidence[0].call == 0


def test_without_the_pair_a_code_of_nobody_is_no_evidence():
    shown = {"id": "M-11", "at": "north pier depot"}

    alone = values("It is in LOC-0017.", shown, pairs=read_pairs())

    assert alone["LOC-0017"].status == "unsupported"
    assert values("It is in LOC-0018.", shown)["LOC-0018"].status == "unsupported"


def test_texts_name_codes_too():
    told = PAIRS.told_in("Paid by (pm_88x1), T3, at the NORTH-PIER depot; pm_.")

    assert list(told) == ["PayPal", "gold tier", "LOC-0017"]


def test_a_name_of_a_beginning_tells_no_code():
    shown = {"id": "M-11", "pay": "PayPal"}

    assert values("It was pm_88213.", shown)["pm_88213"].status == "unsupported"


def test_the_name_of_another_records_code_is_wrong():
    shown = [{"id": "M-11", "level": "T3"}, {"id": "M-12", "level": "T2"}]

    found = values("M-11 has the silver tier.", *shown)["silver tier"]

    assert found.status == "unsupported"


def test_what_the_user_calls_by_its_name_may_be_said_by_its_code():
    found = values(
        "It is in LOC-0017.", {"id": "M-11"}, task="Which is the North Pier depot?"
    )

    assert found["LOC-0017"].status == "user_said"


@pytest.mark.parametrize(
    ("given", "answer", "status"),
    [
        ({"id": "north pier depot"}, "I cancelled LOC-0017.", "supported"),
        ({"id": "south pier depot"}, "I cancelled LOC-0017.", "unattempted"),
        ({"id": "LOC-0017"}, "I cancelled the North Pier depot.", "supported"),
        ({"id": "LOC-0018"}, "I cancelled the North Pier depot.", "unchecked"),
        (
            {"id": "M-11", "level": "T3"},
            "I upgraded M-11 to gold tier.",
            "supported",
        ),
        (
            {"id": "M-11", "level": "T2"},
            "I upgraded M-11 to gold tier.",
            "unattempted",
        ),
    ],
)
def test_objects_of_deeds_are_equal_by_a_pair(given, answer, status):
    tool = "update_member" if "level" in given else "cancel_site"

    assert claims(answer, a_tool_call(tool, given, "ok")) == [status]


@pytest.mark.parametrize(
    ("tool", "answer", "status"),
    [
        ("crm_update_17", "I refunded order A-17.", "supported"),
        ("crm_update_17", "I refunded order A-99.", "unattempted"),
        ("crm_update_17", "I cancelled order A-17.", "unattempted"),
        ("mcp__desk__x9", "I cancelled order A-17.", "supported"),
        ("mcp__desk__get_x9", "I cancelled order A-17.", "supported"),
        ("mcp__other__x9", "I cancelled order A-17.", "unattempted"),
    ],
)
def test_a_tool_does_the_deed_that_the_project_says(tool, answer, status):
    assert claims(answer, a_tool_call(tool, {"order_id": "A-17"}, "ok")) == [status]


def test_a_failed_call_of_such_a_tool_contradicts():
    done = a_tool_call("crm_update_17", {"order_id": "A-17"}, '{"error": "locked"}')

    assert claims("I refunded order A-17.", done) == ["contradicted"]


@pytest.mark.parametrize(
    ("names", "deeds", "where", "said"),
    [
        ("T3", [], ("names", 0), "list of pairs"),
        ([{"value": "T3"}], [], ("names", 1), "and nothing else"),
        ([{"value": "", "name": "x"}], [], ("names", 1), "1 to 100"),
        ([{"value": "T3", "name": "x" * 101}], [], ("names", 1), "1 to 100"),
        ([{"value": "T3", "name": "a\nb"}], [], ("names", 1), "one line"),
        ([{"value": "T3", "name": "..."}], [], ("names", 1), "letter or digit"),
        ([{"value": "T*3", "name": "gold"}], [], ("names", 1), "star"),
        ([{"value": "p*", "name": "gold"}], [], ("names", 1), "at least 2"),
        ([{"value": "T3", "name": "t-3"}], [], ("names", 1), "the same"),
        ([{"value": "T3", "name": "a"}, {"value": "t3", "name": "A"}], [],
         ("names", 2), "earlier row"),
        ([], [{"tool": "x", "deed": "conjure"}], ("deeds", 1), "must be one of"),
        ([], [{"tool": "x*", "deed": "refund"}], ("deeds", 1), "star"),
        ([], [{"tool": "x", "deed": "any"}], ("deeds", 1), "must be one of"),
        ([], [7], ("deeds", 1), "object"),
    ],
)  # fmt: skip
def test_an_unusable_row_is_named(names, deeds, where, said):
    with pytest.raises(PairsError) as caught:
        read_pairs(names, deeds)

    assert said in caught.value.errors[where]


def test_there_are_only_so_many_pairs():
    rows = [{"value": f"T{one}", "name": f"tier no {one}x"} for one in range(501)]

    assert len(read_pairs(rows[:MAX_PAIRS]).names) == MAX_PAIRS
    with pytest.raises(PairsError):
        read_pairs(rows)


def test_a_pair_is_literal_text():
    pairs = read_pairs([{"value": "T.3+ (x|y)*", "name": "gold"}])

    assert pairs.others("Tx3333 xx") == ()
    assert pairs.others("T.3+ (x|y)zz") == ("gold",)
