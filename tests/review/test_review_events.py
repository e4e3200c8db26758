"""What people decide is told in the transaction that decides it."""

import pytest
from django.db import transaction

from tests.review.test_decide import flip, override
from verifyhub.events.models import Event
from verifyhub.review.decide import confirm_verdict, reopen_item, undo_override
from verifyhub.review.errors import ItemChangedError


def told():
    rows = Event.objects.filter(type__startswith="review.")
    return list(rows.order_by("created_at"))


def test_an_overruled_verdict_is_told_with_both_verdicts(item, reviewer):
    made = override(item, reviewer)

    event = told()[-1]

    assert event.type == "review.overridden"
    assert event.data["override"]["target"] == "verdict"
    assert event.data["override"]["reason"] == "Both files exist."
    assert event.data["verdict"] == {
        "machine": item.verification.verdict,
        "human": made.after,
    }
    assert event.data["by"] == {"kind": "person", "name": "reviewer"}
    assert event.subject["interaction"] == str(item.interaction_id)
    assert event.subject["override"] == str(made.id)


def test_a_name_that_was_set_right_is_told_with_what_followed(item, reviewer):
    made = flip(item, reviewer)

    event = told()[-1]

    assert event.data["override"]["name"] == made.mention.text
    assert event.data["effects"]


def test_an_undone_override_is_told_as_undone(item, reviewer):
    made = override(item, reviewer)
    item.refresh_from_db()

    undo_override(override=made, actor=reviewer, version=item.version)

    assert [one.type for one in told()] == [
        "review.overridden",
        "review.override-undone",
    ]
    assert told()[-1].data["verdict"]["human"] is None


def test_agreement_and_its_end_have_types_of_their_own(item, reviewer):
    confirm_verdict(item=item, reviewer=reviewer, version=0)
    item.refresh_from_db()
    reopen_item(item=item, actor=reviewer, version=item.version)

    assert [one.type for one in told()] == ["review.confirmed", "review.reopened"]


def test_a_decision_that_came_to_nothing_is_not_told(item, reviewer):
    with pytest.raises(ItemChangedError), transaction.atomic():
        override(item, reviewer, version=99)

    assert told() == []
