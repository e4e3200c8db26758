"""Count the answers of an act on many as what became of them while they waited."""

from verifyhub.accounts.models import User
from verifyhub.review.models import ActMember, ReviewItem

State = ActMember.State
# For whom an answer waits: `ActMember.reason`.
FOR_SECOND = "second"
FOR_OTHERS = "others"


def end_waiting(
    *,
    item: ReviewItem,
    waits_for: str,
    state: ActMember.State,
    reason: str = "",
    detail: str = "",
    reviewer: User | None = None,
) -> None:
    """Say of an answer, in every act for which it waits, what became of it.

    The caller holds the item's row, so that an act being undone sees it before or
    after, never in between.

    Args:
        item: The answer's item.
        waits_for: FOR_SECOND or FOR_OTHERS.
        state: What it is from now on.
        reason: Why, as a code.
        detail: A name that belongs to it.
        reviewer: Whose acts; everybody's by default.
    """
    members = ActMember.objects.filter(item=item, state=State.WAITS, reason=waits_for)
    if reviewer is not None:
        members = members.filter(act__reviewer=reviewer)
    members.update(state=state, reason=reason, detail=detail)
