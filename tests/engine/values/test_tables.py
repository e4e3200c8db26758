"""Outputs that are no JSON: tables, XML and labelled lines as records."""

import pytest

from tests.builders import a_tool_call, an_interaction, verify
from verifyhub.engine.values.tables import read_tables

CSV = (
    "crate,fruit,kg,packed\n"
    "CR-101,Medlars,12.5,2031-05-02\n"
    "CR-102,Quinces,7.25,2031-05-06\n"
)
PIPED = """
| crate  | fruit   | kg   | packed     |
|--------|---------|------|------------|
| CR-101 | Medlars | 12.5 | 2031-05-02 |
| CR-102 | Quinces | 7.25 | 2031-05-06 |
"""
ALIGNED = (
    "crate   fruit    kg     packed\n"
    "CR-101  Medlars  12.5   2031-05-02\n"
    "CR-102  Quinces  7.25   2031-05-06\n"
)
HTML = (
    "<table><tr><th>crate</th><th>fruit</th><th>kg</th><th>packed</th></tr>"
    "<tr><td>CR-101</td><td>Medlars</td><td>12.5</td><td>2031-05-02</td></tr>"
    "<tr><td>CR-102</td><td>Quinces</td><td>7.25</td><td>2031-05-06</td></tr></table>"
)
XML = (
    '<?xml version="1.0"?><crates>'
    '<row crate="CR-101"><fruit>Medlars</fruit><kg>12.5</kg>'
    "<packed>2031-05-02</packed></row>"
    '<row crate="CR-102"><fruit>Quinces</fruit><kg>7.25</kg>'
    "<packed>2031-05-06</packed></row></crates>"
)
LISTED = (
    "- crate: CR-101\n  fruit: Medlars\n  kg: 12.5\n  packed: 2031-05-02\n"
    "- crate: CR-102\n  fruit: Quinces\n  kg: 7.25\n  packed: 2031-05-06\n"
)
SHAPES = [CSV, PIPED, ALIGNED, HTML, XML, LISTED]


def values(answer, output):
    run = an_interaction(answer, a_tool_call("get_crates", {}, output))
    return run, {one.text: one for one in verify(run).values}


@pytest.mark.parametrize("output", SHAPES)
def test_a_row_is_a_record_with_its_own_values(output):
    run, found = values("CR-101 weighs 12.5 kg; CR-102 weighs 12.5 kg too.", output)

    assert [one.reason for one in found.values() if one.is_flagged] == ["other_record"]
    (evidence, *_) = found["12.5"].evidence
    assert run.tool_calls[0].output[slice(*evidence.span)] == "12.5"


@pytest.mark.parametrize("output", SHAPES)
def test_a_cell_is_found_in_another_form(output):
    _, found = values("CR-102 was packed on May 6, 2031.", output)

    assert found["May 6, 2031"].status == "supported"


def test_text_beside_a_table_stays_text():
    output = f"Season 2031\n\n{CSV}\nStored at 4 °C by Ottoline Farr.\n"

    tables = read_tables(output)

    assert [row["fruit"] for row in tables.data] == ["Medlars", "Quinces"]
    assert len(tables.rest) == len(output)
    assert " ".join(tables.rest.split()) == (
        "Season 2031 Stored at 4 °C by Ottoline Farr."
    )


@pytest.mark.parametrize(
    "text",
    [
        "Sorry, no crate, no fruit, nothing.\nPlease, try again, later.",
        "The crates are ready.\nNote: bring a cart.",
        "a | b",
        "<p>Only words here</p>",
        "",
    ],
)
def test_prose_is_no_table(text):
    assert not read_tables(text).data


@pytest.mark.parametrize(
    "text",
    [
        "<a" * 20_000,
        "a,b,c\n" + "," * 60_000,
        "| " * 30_000,
        "a: " * 30_000,
        '="' * 30_000,
    ],
)
def test_hostile_text_takes_linear_time(text):
    assert read_tables(text).rest is not None
