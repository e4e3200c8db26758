"""What people said of an answer, as its interaction is read over the API."""

import pytest

from tests.review.conftest import send
from tests.review.test_decisions import decide
from verifyhub.review.decide import undo_act
from verifyhub.review.decisions import ClaimFlip, Missed
from verifyhub.review.models import ReviewItem
from verifyhub.verification.services import reverify, run_verification

ANSWER = "All tests pass. It lowers the price in `shop/discounts.py`."


@pytest.fixture
def said(project, reviewer):
    """An answer of which a person judged a claim, added a name, and wrote another."""
    item = ReviewItem.objects.get(interaction=send(project, answer=ANSWER))
    made = decide(
        item,
        reviewer,
        claims=(ClaimFlip(index=0, status="supported"),),
        missed=(Missed(text="lowers", kind="function", status="unverified"),),
        correction="It raises the price.",
    )
    item.refresh_from_db()
    return item, made.act


def review_of(api, item):
    return api.get(f"/api/v1/interactions/{item.interaction_id}/").json()["review"]


def test_claims_missed_names_and_the_correction_are_shown(api, said):
    item, _act = said
    review = review_of(api, item)

    claim = item.verification.report["completion_claims"][0]
    assert review["claims"] == [
        {
            "index": 0,
            "text": claim["text"],
            "machine_status": claim["status"],
            "human_status": "supported",
        }
    ]
    start = ANSWER.index("lowers")
    assert review["missed"] == [
        {
            "text": "lowers",
            "kind": "function",
            "human_status": "unverified",
            "suggestion": "",
            "span": [start, start + 6],
        }
    ]
    assert review["correction"] == "It raises the price."
    assert (review["verdict"], review["mentions"]) == (None, [])


def test_what_was_undone_is_shown_no_more(api, said, reviewer):
    item, act = said
    undo_act(act=act, item=item, actor=reviewer, version=item.version)

    assert review_of(api, item) is None


def test_it_is_shown_after_verifying_again(api, said):
    item, _act = said
    before = review_of(api, item)
    run = reverify(interaction=item.interaction, actor=None)
    run_verification(verification_id=run.id)

    assert review_of(api, item) == before
