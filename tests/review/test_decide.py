"""Agree, override, flip: what is kept, what is refused, who is told."""

import pytest
from django.utils import timezone

from verifyhub.audit.models import AuditEvent
from verifyhub.inference.models import ModelCall, Opinion
from verifyhub.memory.models import Constraint, MemoryEntry
from verifyhub.review.decide import confirm_verdict, override_mention, override_verdict
from verifyhub.review.effect_words import effect_words
from verifyhub.review.errors import ItemChangedError, ReasonMissingError, UnchangedError
from verifyhub.review.models import Override, ReviewItem


def other_verdict(item):
    return "accept" if item.verification.verdict != "accept" else "reject"


def invented(item):
    return item.verification.mentions.filter(status="unverified").first()


def override(item, reviewer, **changes):
    values = {
        "item": item,
        "verdict": other_verdict(item),
        "reason": "Both files exist.",
        "reviewer": reviewer,
        "version": item.version,
    }
    return override_verdict(**values | changes)


def flip(item, reviewer, mention=None, **changes):
    values = {
        "item": item,
        "mention": mention or invented(item),
        "status": "verified",
        "reason": "I looked.",
        "reviewer": reviewer,
        "version": item.version,
    }
    return override_mention(**values | changes)


def test_agreeing_keeps_the_machine_verdict(item, reviewer):
    confirm_verdict(item=item, reviewer=reviewer, version=0)

    item.refresh_from_db()
    assert item.state == ReviewItem.State.CONFIRMED
    assert item.human_verdict == item.verification.verdict
    assert item.verification.human_verdict == item.verification.verdict
    assert item.resolved_by == reviewer


def test_agreeing_is_audited(item, reviewer):
    confirm_verdict(item=item, reviewer=reviewer, version=0)

    event = AuditEvent.objects.get(action="review.verdict_confirmed")
    assert event.actor == reviewer
    assert event.project_id == item.project_id


def test_agreeing_from_a_stale_page_is_refused(item, reviewer):
    confirm_verdict(item=item, reviewer=reviewer, version=0)

    with pytest.raises(ItemChangedError):
        confirm_verdict(item=item, reviewer=reviewer, version=0)


def test_override_keeps_the_machine_verdict(item, reviewer):
    machine = item.verification.verdict

    override(item, reviewer)

    item.verification.refresh_from_db()
    assert item.verification.verdict == machine
    assert item.human_verdict == other_verdict(item)


def test_override_says_what_it_changed(item, reviewer):
    made = override(item, reviewer)

    made.refresh_from_db()
    assert made.effects
    assert all(effect_words(effect) for effect in made.effects)


def test_override_is_audited_with_its_reason(item, reviewer):
    override(item, reviewer)

    event = AuditEvent.objects.get(action="review.verdict_overridden")
    assert event.after["reason"] == "Both files exist."


@pytest.mark.parametrize("reason", ["", "  \n", "x" * 1001])
def test_override_needs_a_reason(item, reviewer, reason):
    with pytest.raises(ReasonMissingError, match="reason"):
        override(item, reviewer, reason=reason)


def test_override_to_the_same_verdict_is_refused(item, reviewer):
    with pytest.raises(UnchangedError, match="agree"):
        override(item, reviewer, verdict=item.verification.verdict)


def test_refused_override_leaves_nothing(item, reviewer):
    with pytest.raises(ItemChangedError):
        override(item, reviewer, version=7)

    assert not Override.objects.exists()
    assert not AuditEvent.objects.filter(action__startswith="review.").exists()


def test_flipped_name_stays_beside_the_machine_status(item, reviewer):
    made = flip(item, reviewer)

    assert made.mention.status == "unverified"
    assert made.mention.effective_status == "verified"
    assert item.state == ReviewItem.State.OPEN


def test_confirming_an_invention_makes_a_constraint(one_voice, answered, reviewer):
    interaction = answered(
        answer="See `shop/pricing.py`, `shop/tax.py`, `compute_price()`,"
        " `add_tax()` and `shop/ghost.py`."
    )
    item = ReviewItem.objects.get(interaction=interaction)
    name = item.verification.mentions.get(text="compute_price()")

    flip(item, reviewer, mention=name, status="unverified")

    found = Constraint.objects.get(text="compute_price()")
    assert found.state == Constraint.State.ACTIVE


def test_flip_to_verified_is_remembered_for_the_session(item, reviewer):
    flip(item, reviewer)

    assert MemoryEntry.objects.filter(
        session=item.interaction.session, kind=MemoryEntry.Kind.CORRECTION
    ).exists()


def test_flip_to_what_a_person_said_is_refused(item, reviewer):
    name = invented(item)
    flip(item, reviewer, name, status="unverified")

    with pytest.raises(UnchangedError, match="status"):
        flip(item, reviewer, name, status="unverified")


def test_confirming_an_invention_tells_every_agent(one_voice, item, reviewer):
    name = invented(item)

    flip(item, reviewer, name, status="unverified", suggestion="right_name")

    constraint = Constraint.objects.get(mention_key=name.key)
    assert (constraint.state, constraint.origin) == ("active", "reviewer")
    assert constraint.suggestion == "right_name"


def test_flip_is_audited_with_the_name(item, reviewer):
    made = flip(item, reviewer)

    event = AuditEvent.objects.get(action="review.mention_overridden")
    assert event.after["mention"] == made.mention.text


def test_flip_from_a_stale_page_is_refused(item, reviewer):
    flip(item, reviewer)

    with pytest.raises(ItemChangedError):
        flip(item, reviewer, version=0)


@pytest.mark.parametrize("decide", [override, flip])
def test_what_a_model_said_is_forgotten_once_overruled(item, reviewer, decide):
    said = {"project": item.project, "value": "{}", "expires_at": timezone.now()}
    for key in ("used", "other"):
        Opinion.objects.create(key=key, **said)
    ModelCall.objects.create(
        project=item.project,
        verification_id=item.verification_id,
        purpose="cross_tier",
        tier="medium",
        outcome="ok",
        opinion_key="used",
    )

    decide(item, reviewer)

    assert [opinion.key for opinion in Opinion.objects.all()] == ["other"]
