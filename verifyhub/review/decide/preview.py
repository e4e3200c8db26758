"""Preview a decision by applying it and rolling the transaction back (ADR 0025).

No second account of the effects exists that could differ from the deed.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.db import transaction

from verifyhub.review.decide.apply import apply_decision
from verifyhub.review.decisions import Decision, Reviewer
from verifyhub.review.models import Override, ReviewItem
from verifyhub.review.queue import item_for
from verifyhub.verification.models import Verification


class _TakenBackError(Exception):
    """Ends the transaction of a preview."""


@contextmanager
def taken_back() -> Iterator[None]:
    """Roll back everything that is done inside."""
    with suppress(_TakenBackError), transaction.atomic():
        yield
        raise _TakenBackError("a preview is never kept")


def preview_decision(
    item: ReviewItem, decision: Decision, reviewer: Reviewer
) -> list[dict[str, Any]]:
    """Return the effects that `apply_decision` would have now; nothing is kept.

    Args and errors are those of `rehearse_decision`.
    """
    overrides = rehearse_decision(item, decision, reviewer)
    return [effect for each in overrides for effect in each.effects]


def rehearse_decision(
    item: ReviewItem, decision: Decision, reviewer: Reviewer
) -> list[Override]:
    """Return what `apply_decision` would write now; no row of it exists afterwards.

    Args:
        item: What is judged, in the version that the reviewer saw.
        decision: What would be said.
        reviewer: Who would say it.

    Raises:
        ReviewError: As `apply_decision` would.
    """
    with taken_back():
        # Rows of its own: what the decision writes on them is not true afterwards.
        run = Verification.objects.get(pk=item.verification_id)
        outcome = apply_decision(
            item=item_for(verification=run),
            decision=decision,
            reviewer=reviewer,
            version=item.version,
            settled=True,
        )
    return outcome.overrides
