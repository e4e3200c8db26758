"""Verifying again keeps what people said, and doubles nothing."""

import pytest

from tests.markup import markup
from tests.review.conftest import newest_run, send
from verifyhub.audit.models import AuditEvent
from verifyhub.memory.models import Constraint, MemoryEntry
from verifyhub.review.decide import (
    confirm_verdict,
    override_mention,
    override_verdict,
    undo_override,
)
from verifyhub.review.decide.apply import apply_decision
from verifyhub.review.decisions import ClaimFlip, Decision
from verifyhub.review.errors import ItemChangedError
from verifyhub.review.models import Override, ReviewItem
from verifyhub.review.selectors import decisions, latest_overrides
from verifyhub.verification.services import reverify, run_verification

OPEN, CONFIRMED = ReviewItem.State.OPEN, ReviewItem.State.CONFIRMED
OVERRIDDEN = ReviewItem.State.OVERRIDDEN


def again(item):
    run = reverify(interaction=item.interaction, actor=None)
    run_verification(verification_id=run.id)
    return ReviewItem.objects.get()


def flipped(item, reviewer, status="verified"):
    mention = item.verification.mentions.filter(status="unverified").first()
    made = override_mention(
        item=item,
        mention=mention,
        status=status,
        reason="I looked.",
        reviewer=reviewer,
        version=item.version,
    )
    return mention, made


def of_newest(item, mention):
    rows = newest_run(item.interaction).mentions
    return rows.get(kind=mention.kind, key=mention.key)


def test_a_flip_is_carried_to_the_same_name(item, reviewer):
    mention, made = flipped(item, reviewer)

    kept = again(item)

    row = of_newest(kept, mention)
    assert row.pk != mention.pk
    assert row.human_status == "verified"
    made.refresh_from_db()
    assert made.mention == row
    assert kept.state == OPEN


def test_a_carried_flip_can_be_undone(item, reviewer):
    mention, made = flipped(item, reviewer)
    kept = again(item)
    made.refresh_from_db()

    undo_override(override=made, actor=reviewer, version=kept.version)

    assert of_newest(kept, mention).human_status == ""
    corrections = MemoryEntry.objects.filter(kind=MemoryEntry.Kind.CORRECTION)
    assert not corrections.filter(state=MemoryEntry.State.ACTIVE).exists()


def test_an_undone_flip_is_not_carried_as_a_status(item, reviewer):
    mention, made = flipped(item, reviewer)
    item.refresh_from_db()
    undo_override(override=made, actor=reviewer, version=item.version)

    kept = again(item)

    assert of_newest(kept, mention).human_status == ""


def test_an_override_of_the_verdict_stands(item, reviewer):
    override_verdict(
        item=item, verdict="accept", reason="Fine.", reviewer=reviewer, version=0
    )

    kept = again(item)

    assert (kept.state, kept.human_verdict) == (OVERRIDDEN, "accept")
    assert newest_run(kept.interaction).human_verdict == "accept"


def test_an_agreement_stands_while_the_machine_says_the_same(item, reviewer):
    confirm_verdict(item=item, reviewer=reviewer, version=0)

    kept = again(item)

    assert (kept.state, kept.resolved_by) == (CONFIRMED, reviewer)


def test_an_agreement_with_another_verdict_brings_the_answer_back(
    item, reviewer, project
):
    confirm_verdict(item=item, reviewer=reviewer, version=0)
    agreed = item.verification.verdict
    project.thresholds = {"sends_back": "source"}
    project.save()

    kept = again(item)

    assert kept.verification.verdict != agreed
    assert (kept.state, kept.human_verdict, kept.resolved_by) == (OPEN, "", None)
    assert kept.reason_facts[0] == {"kind": "person", "agreed": agreed}


def test_a_page_opened_before_loses(item, reviewer):
    version = item.version
    kept = again(item)

    with pytest.raises(ItemChangedError):
        confirm_verdict(item=kept, reviewer=reviewer, version=version)


def test_memory_is_written_once(item, reviewer):
    flipped(item, reviewer, status="unverified")
    before = set(MemoryEntry.objects.values_list("key", "state"))
    constraints = set(Constraint.objects.values_list("text", "state"))

    again(item)

    assert set(MemoryEntry.objects.values_list("key", "state")) == before
    assert set(Constraint.objects.values_list("text", "state")) == constraints


def test_carrying_is_audited(item, reviewer):
    flipped(item, reviewer)

    again(item)

    event = AuditEvent.objects.get(action="review.item_carried")
    assert (event.after["names"], event.after["verification"]) == (1, 2)


def test_the_preset_a_person_chose_is_theirs_the_next_time(
    browse, item, reviewer, lead
):
    page = f"/p/acme/answers/{item.interaction_id}/"

    browse(reviewer).post(f"{page}reverify/", {"strictness": "strict"})

    chosen = '<option value="strict" selected>'
    assert chosen in markup(browse(reviewer).get(page))
    assert (
        chosen in browse(reviewer).get("/p/acme/answers/verify-again/").content.decode()
    )
    assert chosen not in browse(lead).get(page).content.decode()


@pytest.fixture
def claimed(project, reviewer):
    """An answer that claims passing tests, which a person has confirmed."""
    interaction = send(project, answer="All tests pass. See `shop/discounts.py`.")
    item = ReviewItem.objects.get(interaction=interaction)
    made = apply_decision(
        item=item,
        decision=Decision(
            claims=(ClaimFlip(index=0, status="supported"),), reason="I ran them."
        ),
        reviewer=reviewer,
        version=item.version,
    )
    return item, made.overrides[0]


def test_a_judged_claim_is_carried_by_its_text(claimed):
    item, made = claimed
    # As an engine of another version might have read the answer then.
    Override.objects.filter(pk=made.pk).update(
        subject=made.subject | {"index": 7, "span": [40, 55]}
    )

    kept = again(item)

    assert latest_overrides(decisions(kept), "claim")[0] == made
    made.refresh_from_db()
    claim = newest_run(kept.interaction).report["completion_claims"][0]
    assert made.subject["span"] == claim["span"]
    event = AuditEvent.objects.get(action="review.item_carried")
    assert event.after["claims"] == 1


def test_a_claim_that_is_made_no_more_points_nowhere_and_comes_back(claimed):
    item, made = claimed
    text = made.subject["text"]
    Override.objects.filter(pk=made.pk).update(subject=made.subject | {"text": "Gone."})

    kept = again(item)

    assert latest_overrides(decisions(kept), "claim") == {}
    made.refresh_from_db()
    Override.objects.filter(pk=made.pk).update(subject=made.subject | {"text": text})
    assert latest_overrides(decisions(again(kept)), "claim")[0] == made


def test_an_undone_flip_of_a_claim_is_not_carried(claimed, reviewer):
    item, made = claimed
    item.refresh_from_db()
    undo_override(override=made, actor=reviewer, version=item.version)

    kept = again(item)

    assert latest_overrides(decisions(kept), "claim") == {}
    event = AuditEvent.objects.get(action="review.item_carried")
    assert event.after["claims"] == 0
