"""Put answers into the queue."""

from django.db import transaction

from verifyhub.review import policy
from verifyhub.review.models import ReviewItem
from verifyhub.review.selectors import report_of
from verifyhub.verification.models import Verification

REASON_LENGTH = 300
OPENED_BY_PERSON = policy.Reason("person", "opened by a person, not by a rule")


@transaction.atomic
def open_item(*, verification: Verification) -> ReviewItem | None:
    """Queue a finished verification if policy asks for a person.

    Items of earlier verifications of the interaction that nobody has decided leave
    the queue: the newest verdict is the one to judge. Opening twice changes nothing.

    Returns:
        The item, or None where no person is needed.
    """
    ReviewItem.objects.filter(
        interaction_id=verification.interaction_id,
        verification__number__lt=verification.number,
        state=ReviewItem.State.OPEN,
    ).update(state=ReviewItem.State.SUPERSEDED)
    report = report_of(verification)
    if not policy.needs_review(report):
        return None
    return _create(verification, policy.reasons(report))


@transaction.atomic
def item_for(*, verification: Verification) -> ReviewItem:
    """Return the item of a verification; a person may judge what no rule flagged."""
    found = policy.reasons(report_of(verification)) or [OPENED_BY_PERSON]
    return _create(verification, found)


def _create(verification: Verification, found: list[policy.Reason]) -> ReviewItem:
    item, _ = ReviewItem.objects.get_or_create(
        verification=verification,
        defaults={
            "project_id": verification.project_id,
            "interaction_id": verification.interaction_id,
            "reasons": [reason.text[:REASON_LENGTH] for reason in found],
            "reason_kinds": list(dict.fromkeys(reason.kind for reason in found)),
            "risk": policy.risk(report_of(verification)),
        },
    )
    return item
