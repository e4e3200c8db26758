"""Undo: the latest decision or any before it, with everything that followed."""

import pytest

from tests.review.test_decide import flip, invented, override
from verifyhub.audit.models import AuditEvent
from verifyhub.memory.models import MemoryEntry
from verifyhub.review.decide import confirm_verdict, reopen_item, undo_override
from verifyhub.review.errors import ItemChangedError, OverrideUndoneError
from verifyhub.review.models import ReviewItem


def undo(made, actor):
    made.refresh_from_db()
    return undo_override(override=made, actor=actor, version=made.item.version)


def memory():
    return sorted(
        MemoryEntry.objects.exclude(kind=MemoryEntry.Kind.CORRECTION).values_list(
            "key", "state", "text"
        )
    )


def test_undone_verdict_goes_back_into_the_queue(item, reviewer):
    made = override(item, reviewer)

    undo(made, reviewer)

    item.refresh_from_db()
    assert item.state == ReviewItem.State.OPEN
    assert item.human_verdict == ""
    assert item.verification.human_verdict == ""
    assert item.resolved_by is None


def test_undo_gives_memory_back_as_it_was(item, reviewer):
    before = memory()
    made = override(item, reviewer)

    undo(made, reviewer)

    assert memory() == before


def test_undone_name_has_the_machine_status_again(item, reviewer):
    made = flip(item, reviewer)

    undo(made, reviewer)

    made.mention.refresh_from_db()
    assert made.mention.human_status == ""


def test_undoing_an_older_flip_keeps_the_newer_one(item, reviewer):
    first = flip(item, reviewer)
    flip(item, reviewer, mention=invented(item), status="unverified")

    undo(first, reviewer)

    assert invented(item).human_status == "unverified"


def test_undo_is_audited(item, reviewer):
    undo(flip(item, reviewer), reviewer)

    event = AuditEvent.objects.get(action="review.override_undone")
    assert event.actor == reviewer


def test_undoing_twice_is_refused(item, reviewer):
    made = flip(item, reviewer)
    undo(made, reviewer)

    with pytest.raises(OverrideUndoneError):
        undo(made, reviewer)


def test_undo_from_a_stale_page_is_refused(item, reviewer):
    made = flip(item, reviewer)

    with pytest.raises(ItemChangedError):
        undo_override(override=made, actor=reviewer, version=0)


def test_agreement_can_be_taken_back(item, reviewer):
    confirm_verdict(item=item, reviewer=reviewer, version=0)

    reopen_item(item=item, actor=reviewer, version=1)

    item.refresh_from_db()
    assert item.state == ReviewItem.State.OPEN
    assert item.verification.human_verdict == ""
    assert AuditEvent.objects.filter(action="review.item_reopened").exists()


def test_open_items_cannot_be_taken_back(item, reviewer):
    with pytest.raises(ItemChangedError):
        reopen_item(item=item, actor=reviewer, version=0)
