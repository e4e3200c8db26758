"""Put answers into the queue."""

from collections.abc import Sequence

from django.db import transaction

from verifyhub.common.inserting import insert
from verifyhub.review.models import ReviewItem
from verifyhub.review.queue import policy
from verifyhub.review.queue.carry import carry_facts, latest_item, move_item
from verifyhub.review.queue.stand import STAND_FIELDS, Stand, stand_of, stands_of
from verifyhub.review.selectors import report_of
from verifyhub.verification.models import Verification
from verifyhub.verification.steps import FinishedVerification

OPENED_BY_PERSON = policy.Reason("person", "opened by a person, not by a rule")


@transaction.atomic(savepoint=False)
def open_items(finished: Sequence[FinishedVerification]) -> None:
    """Queue the finished verifications for which policy asks for a person.

    An answer has one item: a later verification takes over the one that is there,
    with what people decided (`carry`). Opening twice changes nothing.
    """
    reasons = {one.verification_id: _reasons(one.verification) for one in finished}
    held = {
        one.verification_id: item
        for one in finished
        # The first verification of an answer has no earlier one.
        if one.verification.number > 1
        and (item := latest_item(one.verification)) is not None
    }
    wanted = [
        one.verification
        for one in finished
        if reasons[one.verification_id] or one.verification_id in held
    ]
    new = []
    stands = stands_of([(reasons[run.id], run) for run in wanted])
    for run, stand in zip(wanted, stands, strict=True):
        if run.id in held:
            move_item(held[run.id], run, stand)
        else:
            new.append(_item(run, stand))
    insert(new, ignore_conflicts=True)


def refresh_items(amended: Sequence[FinishedVerification]) -> None:
    """Queue amended verifications, or update why they are queued.

    What a person decided stays decided.
    """
    rows = ReviewItem.objects.filter(
        verification__in=[one.verification_id for one in amended]
    )
    before = {item.verification_id: item for item in rows}
    for one in amended:
        if one.verification_id in before:
            carry_facts(before[one.verification_id], one.verification)
    open_items(amended)
    for one in amended:
        item = rows.filter(verification=one.verification_id).first()
        if item is None or item.state != ReviewItem.State.OPEN:
            continue
        report = report_of(one.verification)
        stand_of(policy.reasons(report), one.verification).give(item)
        item.save(update_fields=STAND_FIELDS)


def _reasons(verification: Verification) -> list[policy.Reason]:
    report = report_of(verification)
    return policy.reasons(report) if policy.needs_review(report) else []


@transaction.atomic
def item_for(*, verification: Verification) -> ReviewItem:
    """Return the item of a verification; a person may judge what no rule flagged."""
    if (
        there := ReviewItem.objects.filter(verification=verification).first()
    ) is not None:
        there.verification = verification
        return there
    found = policy.reasons(report_of(verification)) or [OPENED_BY_PERSON]
    item = _item(verification, stand_of(found, verification))
    if insert([item], ignore_conflicts=True):
        return item
    return ReviewItem.objects.get(verification=verification)


def _item(verification: Verification, stand: Stand) -> ReviewItem:
    item = ReviewItem(
        project_id=verification.project_id,
        interaction_id=verification.interaction_id,
        verification=verification,
    )
    stand.give(item)
    return item
