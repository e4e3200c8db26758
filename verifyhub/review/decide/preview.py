"""Tell what a decision will do, by doing it and taking the transaction back (ADR 0027).

No second account of the effects exists that could differ from the deed.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.db import transaction

from verifyhub.accounts.models import User
from verifyhub.review.decide.apply import apply_decision
from verifyhub.review.decide.undo import take_back
from verifyhub.review.decisions import Decision, Reviewer
from verifyhub.review.errors import ItemChangedError
from verifyhub.review.gold import answer_of
from verifyhub.review.models import FREE, Judgement, Override, ReviewItem
from verifyhub.review.queue import item_for
from verifyhub.verification.models import MentionVerdict, Verification


class _TakenBackError(Exception):
    """Ends the transaction of a preview."""


@contextmanager
def taken_back() -> Iterator[None]:
    """Let nothing of what is done inside have happened afterwards."""
    with suppress(_TakenBackError), transaction.atomic():
        yield
        raise _TakenBackError("a preview is never kept")


def preview_decision(
    *, run: Verification, decision: Decision, reviewer: Reviewer, version: int
) -> list[dict[str, Any]]:
    """Return the effects that `apply_decision` would have now; nothing is kept.

    Args and errors are those of `rehearse_decision`.
    """
    made = rehearse_decision(
        run=run, decision=decision, reviewer=reviewer, version=version
    )
    return [effect for each in made for effect in each.effects]


def rehearse_decision(
    *, run: Verification, decision: Decision, reviewer: Reviewer, version: int
) -> list[Override]:
    """Return what `apply_decision` would write now; no row of it exists afterwards.

    Args:
        run: The verification that is judged; it need not be in the queue yet.
        decision: What would be said.
        reviewer: Who would say it.
        version: The item's version that the reviewer saw.

    Raises:
        ReviewError: As `apply_decision` would.
    """
    with taken_back():
        # Rows of its own: what the decision writes on them is not true afterwards.
        fresh = Verification.objects.get(pk=run.pk)
        outcome = apply_decision(
            item=item_for(verification=fresh),
            decision=decision,
            reviewer=reviewer,
            version=version,
            settled=True,
        )
    return outcome.overrides


def rehearse_gold(
    item: ReviewItem, decision: Decision, reviewer: User
) -> list[Override]:
    """Return what a decision would write if nobody had decided the answer so far.

    Raises:
        ItemChangedError: If the reviewer has given a verdict already.
        ReviewError: As `apply_decision` raises it.
    """
    own = answer_of(item, reviewer)
    if own is not None and own.state == Judgement.State.GIVEN and decision.settles:
        raise ItemChangedError(f"{item.pk} is judged")
    with taken_back():
        _forget(item, reviewer, own)
        return rehearse_decision(
            run=Verification.objects.get(pk=item.verification_id),
            decision=decision,
            reviewer=reviewer,
            version=item.version,
        )


def _forget(item: ReviewItem, reviewer: User, own: Judgement | None) -> None:
    """Undo what others decided, and do what the reviewer marked so far."""
    fresh = ReviewItem.objects.select_related("verification", "project").get(pk=item.pk)
    standing = fresh.overrides.filter(undone_at=None).select_related(
        "mention", "project"
    )
    for made in standing.order_by("-created_at", "-id"):
        made.item = fresh
        take_back(made, reviewer)
    ReviewItem.objects.filter(pk=item.pk).update(state=ReviewItem.State.OPEN, **FREE)
    marks = MentionVerdict.objects.filter(verification=item.verification_id)
    marks.update(human_status="")
    for flip in Decision.from_dict(own.decision).mentions if own else ():
        marks.filter(index=flip.index).update(human_status=flip.status)
