"""What the machine missed and a person added: marked in the answer, told, undone."""

import pytest

from tests.review.conftest import ANSWER
from verifyhub.review.decide import undo_override
from verifyhub.review.decide.apply import apply_decision
from verifyhub.review.decisions import Decision, Missed

LOWERS = "lowers it"


def add(item, reviewer, text="lowers", kind="function", status="unverified", **more):
    item.refresh_from_db()
    decision = Decision(
        missed=(Missed(text=text, kind=kind, status=status, **more),),
        reason="There is no <b>such</b> function.",
        reason_codes=("invented",),
    )
    return apply_decision(
        item=item, decision=decision, reviewer=reviewer, version=item.version
    ).overrides[0]


@pytest.fixture
def read(browse, reviewer, item):
    client = browse(reviewer)

    def get(query=""):
        page = client.get(f"/p/acme/answers/{item.interaction_id}/{query}")
        return page.content.decode()

    return get


def part(page, start, end):
    return page.split(start, 1)[1].split(end, 1)[0]


def test_an_added_name_is_marked_in_place_with_shape_and_word(read, item, reviewer):
    add(item, reviewer)

    answer = part(read(), 'id="answer-text"', "</section>")
    mark = part(answer, "mark--added", "</a>")

    assert 'data-mark="added=0"' in mark
    assert f'data-start="{ANSWER.index("lowers")}"' in mark
    assert "(missed, added by a reviewer: unverified)" in mark


def test_an_added_claim_is_marked_in_place(read, item, reviewer):
    add(item, reviewer, LOWERS, "claim", "supported")

    answer = part(read(), 'id="answer-text"', "</section>")

    assert "(missed, added by a reviewer: supported)" in answer


def test_the_panel_tells_who_added_it_and_why(read, item, reviewer):
    add(item, reviewer, suggestion="lower_price")

    panel = part(read("?added=0"), 'id="evidence"', "</section>")

    assert f"added by {reviewer.username}" in panel
    assert "There is no &lt;b&gt;such&lt;/b&gt; function." in panel
    assert "Invented" in panel
    assert "lower_price" in panel


def test_undo_removes_the_mark_and_leaves_the_numbers_of_others(read, item, reviewer):
    first = add(item, reviewer)
    add(item, reviewer, LOWERS, "claim", "supported")

    first.item.refresh_from_db()
    undo_override(override=first, actor=reviewer, version=first.item.version)

    page = read("?added=0")
    assert 'data-mark="added=0"' not in page
    assert 'data-mark="added=1"' in page
    assert "added it" not in part(page, 'id="evidence"', "</section>")


def test_the_list_of_decisions_leads_to_the_mark(read, item, reviewer):
    add(item, reviewer)

    assert 'href="?added=0#evidence"' in part(read(), 'id="decisions"', "</section>")
