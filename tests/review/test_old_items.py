"""Items from before the queue had an order get their reasons, reach and place."""

import io
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from verifyhub.review.decide import confirm_verdict
from verifyhub.review.models import ReviewItem
from verifyhub.review.queue import Holder, lease_item, place_old_items
from verifyhub.review.queue.selectors import news_since
from verifyhub.review.queue.stand import STAND_FIELDS

# What the column defaults of the migration leave in a row that was there before.
AS_BEFORE = {
    "reasons": ["2 names not found in the trace"],
    "reason_facts": [],
    "flagged_kinds": [],
    "agent_name": "",
    "machine_verdict": "",
    "uncertainty": 1.0,
    "reach": 0,
    "rank": 0.0,
    "due_at": None,
    "ranked_at": None,
    "reach_due": False,
}


def make_old(**fields):
    ReviewItem.objects.update(**(AS_BEFORE | fields))


def place() -> str:
    said = io.StringIO()
    call_command("place_old_items", stdout=said)
    return said.getvalue()


def stands():
    kept = [name for name in STAND_FIELDS if name not in ("ranked_at", "reach_due")]
    return list(ReviewItem.objects.order_by("created_at").values("id", *kept))


def test_an_old_item_stands_where_a_new_one_would(answered):
    answered()
    answered(session="another", task="Where is it lowered?")
    # The first was opened before anybody else named the same.
    earlier, later = stands()
    make_old()

    assert place() == "2 items updated.\n"

    first, second = stands()
    # A new item is ranked a moment before its row is written.
    near = {"rank": pytest.approx(later["rank"], abs=1e-4), "due_at": second["due_at"]}
    assert second == later | near
    assert abs(second["due_at"] - later["due_at"]) < timedelta(seconds=5)
    assert (earlier["reach"], first["reach"]) == (0, 1)
    assert first["rank"] > earlier["rank"]
    told = {"reach": 0, "rank": 0, "due_at": None}
    assert first | told == earlier | told


def test_placed_items_are_left_alone(item):
    make_old()

    assert place() == "1 items updated.\n"
    before = stands()
    assert place() == "0 items updated.\n"
    assert stands() == before


def test_a_run_that_broke_off_goes_on_where_it_was(answered):
    for number in range(3):
        answered(task=f"Question {number}?")
    make_old()

    first = place_old_items(batch=2)
    rest = place_old_items(batch=2)

    assert (len(first), len(rest)) == (2, 1)
    assert not set(first) & set(rest)
    assert place_old_items() == []


def test_placing_is_no_news_and_takes_nothing_from_anybody(item, project, reviewer):
    lease = lease_item(item=item, holder=Holder(user=reviewer))
    make_old()
    version = ReviewItem.objects.get().version
    before = timezone.now()

    place()

    item.refresh_from_db()
    assert (item.lease_token, item.version) == (lease.token, version)
    assert item.ranked_at == item.created_at
    assert not news_since(project.id, {}, since=before, now=timezone.now())


def test_a_decided_item_can_be_filtered_by_and_is_never_due(item, reviewer):
    confirm_verdict(item=item, reviewer=reviewer, version=item.version)
    make_old()

    place()

    item.refresh_from_db()
    assert (item.state, item.due_at) == (ReviewItem.State.CONFIRMED, None)
    assert (item.agent_name, item.resolved_by) == ("scout", reviewer)


@pytest.mark.parametrize(
    ("sentence", "fact"),
    [
        (
            "a reviewer agreed with “accept”, which is no longer the verdict",
            {"kind": "person", "agreed": "accept"},
        ),
        ("opened by a reviewer, not by a rule", {"kind": "unverified_names"}),
    ],
)
def test_why_a_person_opened_it_again_is_kept(item, sentence, fact):
    make_old(reasons=[sentence])

    place()

    item.refresh_from_db()
    assert fact.items() <= item.reason_facts[0].items()


def test_what_never_had_a_reason_or_was_replaced_is_left_out(answered):
    answered()
    make_old(reasons=[])
    answered(task="Another?")
    ReviewItem.objects.filter(interaction__task="Another?").update(
        reasons=["a claim"], reason_facts=[], state=ReviewItem.State.SUPERSEDED
    )

    assert place() == "0 items updated.\n"
