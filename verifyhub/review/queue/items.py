"""Put answers into the queue."""

from collections.abc import Sequence

from django.db import transaction

from verifyhub.common.inserting import insert
from verifyhub.review.models import ReviewItem
from verifyhub.review.queue import policy
from verifyhub.review.queue.carry import carry_facts, latest_item, move_item
from verifyhub.review.queue.stand import STAND_FIELDS, stand_of
from verifyhub.review.selectors import report_of
from verifyhub.verification.models import Verification
from verifyhub.verification.steps import FinishedVerification

OPENED_BY_PERSON = policy.Reason("person", "opened by a person, not by a rule")


def open_items(finished: Sequence[FinishedVerification]) -> None:
    """Queue the finished verifications for which policy asks for a person."""
    for one in finished:
        open_item(verification=one.verification)


def refresh_items(amended: Sequence[FinishedVerification]) -> None:
    """Queue amended verifications, or update why they are queued."""
    for one in amended:
        _refresh_item(one.verification)


@transaction.atomic(savepoint=False)
def open_item(*, verification: Verification) -> ReviewItem | None:
    """Queue a finished verification if policy asks for a person.

    An answer has one item: a later verification takes over the one that is there,
    with what people decided (`carry`). Opening twice changes nothing.

    Returns:
        The item, or None where no person is needed and none has spoken.
    """
    report = report_of(verification)
    found = policy.reasons(report) if policy.needs_review(report) else []
    # The first verification of an answer has no earlier one.
    held = latest_item(verification) if verification.number > 1 else None
    if held is not None:
        move_item(held, verification, stand_of(found, verification))
        return held
    return _create(verification, found) if found else None


def _refresh_item(verification: Verification) -> None:
    """What a person decided stays decided."""
    held = ReviewItem.objects.filter(verification=verification).first()
    if held is not None:
        carry_facts(held, verification)
    item = open_item(verification=verification)
    if item is None or item.state != ReviewItem.State.OPEN:
        return
    report = report_of(verification)
    stand_of(policy.reasons(report), verification).give(item)
    item.save(update_fields=STAND_FIELDS)


@transaction.atomic
def item_for(*, verification: Verification) -> ReviewItem:
    """Return the item of a verification; a person may judge what no rule flagged."""
    found = policy.reasons(report_of(verification)) or [OPENED_BY_PERSON]
    return _create(verification, found)


def _create(verification: Verification, found: list[policy.Reason]) -> ReviewItem:
    item = ReviewItem(
        project_id=verification.project_id,
        interaction_id=verification.interaction_id,
        verification=verification,
    )
    stand_of(found, verification).give(item)
    if insert([item], ignore_conflicts=True):
        return item
    return ReviewItem.objects.get(verification=verification)
