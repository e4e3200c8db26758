"""Values on the page of an answer: marked in place, with where they come from."""

import json

import pytest

from tests.markup import markup
from tests.review.test_answer_page import url
from tests.review.test_list_pages import ANSWERS, QUEUE

LEASE = {"lease_id": "LS-3310", "rent": 412.5, "renter": "<b>Ada</b>"}


@pytest.fixture
def page(browse, reviewer, answered):
    call = {
        "tool": "get_lease",
        "input": {"lease_id": "LS-3310"},
        "output": json.dumps(LEASE),
    }
    interaction = answered(
        answer="The rent of LS-3310 is $412.50, and $90 is due.", tool_calls=[call]
    )
    client = browse(reviewer)
    return lambda query="": markup(client.get(url(interaction, query)))


def test_values_are_marked_like_names(page):
    body = page()

    assert 'class="mark mark--verified mark--value' in body
    assert 'class="mark mark--unverified mark--value' in body
    assert "Unsupported values (1)" in body


def test_a_value_leads_to_the_call_that_shows_it(page):
    shown = page("?value=1")

    link = shown.split('data-in-timeline="0"', 1)[1].split("</li>")[0]
    assert "/calls/0/?find=" in link
    assert "rent" in link


def test_an_answer_with_a_wrong_value_is_in_the_queue(page, browse, reviewer):
    page()

    listed = markup(
        browse(reviewer).get(QUEUE, {"kind": "value", "reason": "unsupported_value"})
    )

    assert "no tool returned “$90”, as the answer claims" in listed


def test_where_no_name_counts_every_page_counts_the_values(page, browse, reviewer):
    client = browse(reviewer)
    one = page()
    listed = markup(client.get(QUEUE))
    answers = markup(client.get(ANSWERS))

    for shown in (one, listed, answers):
        assert "2 of 3 values supported" in shown
        assert "No names to check" not in shown


def test_the_page_opens_at_the_value_that_nobody_said(page):
    assert "No tool, user or policy states it, and it cannot be derived." in page()


def test_a_value_shows_its_leaf_and_its_record(page):
    body = page("?value=1")

    assert "rent" in body
    assert "412.5" in body
    assert "LS-3310" in body
    assert "Found in another form." in body
