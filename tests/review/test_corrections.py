"""A corrected answer: shown word by word, kept as a pair to train on."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.factories import ProjectFactory
from tests.review.conftest import ANSWER, send
from verifyhub.learning.models import PreferencePair
from verifyhub.learning.selectors import preference_pairs
from verifyhub.review.answer_page.attempts import woven
from verifyhub.review.decide import undo_override
from verifyhub.review.decide.apply import apply_decision
from verifyhub.review.decisions import Decision

BETTER = ANSWER.replace("`apply_discount()`", "<b>nothing</b>")


def correct(item, reviewer, text=BETTER):
    item.refresh_from_db()
    decision = Decision(correction=text, reason="There is no discount.")
    return apply_decision(
        item=item, decision=decision, reviewer=reviewer, version=item.version
    ).overrides[0]


def undo(made, reviewer):
    made.item.refresh_from_db()
    undo_override(override=made, actor=reviewer, version=made.item.version)


@given(st.text(), st.text())
def test_both_texts_can_be_read_from_the_woven_one(before, after):
    parts, is_cut = woven(before, after)

    assert not is_cut
    assert "".join(part.text for part in parts if not part.added) == before
    assert "".join(part.text for part in parts if not part.removed) == after


def test_of_long_texts_the_beginning_is_compared():
    _parts, is_cut = woven("a " * 30_000, "b")

    assert is_cut


def test_the_answer_page_shows_what_was_changed_word_by_word(browse, item, reviewer):
    correct(item, reviewer)

    page = browse(reviewer).get(f"/p/acme/answers/{item.interaction_id}/")
    diff = page.content.decode().split('class="correction-diff"')[1]

    assert re.search("<del[^>]*>[^<]*apply_discount", diff)
    assert "&lt;b&gt;nothing" in diff
    assert "<b>nothing" not in diff


def test_a_correction_becomes_a_preference_pair(item, reviewer):
    made = correct(item, reviewer)

    pair = PreferencePair.objects.get()
    assert (pair.chosen, pair.interaction.answer) == (BETTER, ANSWER)
    assert (pair.machine, pair.reviewer) == (item.verification.verdict, reviewer)
    assert any(effect["type"] == "preference_pair" for effect in made.effects)


def test_undoing_a_correction_takes_the_pair_back(item, reviewer):
    made = correct(item, reviewer)

    undo(made, reviewer)

    assert PreferencePair.objects.get().state == "undone"
    assert not preference_pairs(item.project)


def test_of_two_corrections_the_newest_that_stands_is_the_pair(item, reviewer):
    correct(item, reviewer, "The first.")
    second = correct(item, reviewer, "The second.")
    assert [pair.chosen for pair in preference_pairs(item.project)] == ["The second."]

    undo(second, reviewer)

    assert [pair.chosen for pair in preference_pairs(item.project)] == ["The first."]


@pytest.fixture
def other_project():
    return ProjectFactory(slug="other")


def test_pairs_are_listed_for_the_keys_project_with_a_cursor(
    api, item, answered, other_project, reviewer
):
    correct(item, reviewer)
    second = answered(session="s-2").review_items.get()
    correct(second, reviewer, "The other.")
    correct(send(other_project).review_items.get(), reviewer, "Theirs.")

    first_page = api.get("/api/v1/learning/pairs/?limit=1").json()
    last_page = api.get(first_page["next"]).json()

    listed = [*first_page["results"], *last_page["results"]]
    assert [one["chosen"] for one in listed] == ["The other.", BETTER]
    assert listed[1]["rejected"] == ANSWER
    assert listed[1]["task"] == "Where is the price computed?"
    assert last_page["next"] is None
