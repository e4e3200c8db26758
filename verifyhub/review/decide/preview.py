"""Preview a decision by applying it and rolling the transaction back (ADR 0025).

So previewed effects cannot differ from applied ones.
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
    """Roll back all changes in the body."""
    with suppress(_TakenBackError), transaction.atomic():
        yield
        raise _TakenBackError("a preview is never kept")


def preview_decision(
    item: ReviewItem, decision: Decision, reviewer: Reviewer
) -> list[dict[str, Any]]:
    """Return the effects that `apply_decision` would have now, without applying it.

    Arguments and errors are those of `rehearse_decision`.
    """
    overrides = rehearse_decision(item, decision, reviewer)
    return [effect for each in overrides for effect in each.effects]


def rehearse_decision(
    item: ReviewItem, decision: Decision, reviewer: Reviewer
) -> list[Override]:
    """Return the result that `apply_decision` would have now; its rows are rolled back.

    Args:
        item: The item, in the version that the reviewer saw.
        decision: The decision.
        reviewer: Who would decide.

    Raises:
        ReviewError: As `apply_decision` would.
    """
    with taken_back():
        # Loaded again, since the decision changes attributes of these objects.
        run = Verification.objects.get(pk=item.verification_id)
        outcome = apply_decision(
            item=item_for(verification=run),
            decision=decision,
            reviewer=reviewer,
            version=item.version,
            settled=True,
        )
    return outcome.overrides
