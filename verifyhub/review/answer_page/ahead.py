"""The next answer, fetched while its reviewer looks at the one before it.

Nothing is taken for it: a decision takes the next item as ever. Only where that is what
was fetched, in the state in which it was fetched, is it not rendered a second time.
"""

from typing import Any
from uuid import UUID

from django.db.models import Count, OuterRef, QuerySet, Subquery

from verifyhub.accounts.models import User
from verifyhub.review.models import Draft, Judgement, Override, Proposal, ReviewItem
from verifyhub.verification.models import MentionVerdict, Verification

# The header in which a page names what it has fetched, and the server agrees to it.
HEADER = "X-Ahead"
STATE = (
    *("pk", "version", "round", "assignee_id", "verification_id"),
    *("proposed", "judged", "draft"),
)


def stamp_of(interaction_id: UUID, user: User) -> str:
    """Name the state of an open item's page as somebody sees it.

    Empty where the page is none of an open item: it is never fetched ahead.
    """
    newest = Verification.objects.filter(interaction=interaction_id).order_by("-number")
    draft = Draft.objects.filter(interaction=interaction_id, user=user)
    waiting = Proposal.objects.filter(state=Proposal.State.PENDING)
    found = (
        ReviewItem.objects.filter(
            verification=Subquery(newest.values("pk")[:1]),
            verification__state=Verification.State.FINISHED,
            state=ReviewItem.State.OPEN,
        )
        .annotate(
            proposed=_count(waiting),
            judged=_count(Judgement.objects.all()),
            draft=Subquery(draft.values("version")[:1]),
        )
        .values_list(*STATE)
        .first()
    )
    return ":".join(str(part) for part in found) if found else ""


def _count(rows: QuerySet[Any]) -> Subquery:
    """Count the rows of each item."""
    of_item = rows.filter(item=OuterRef("pk")).order_by().values("item")
    return Subquery(of_item.annotate(rows=Count("pk")).values("rows"))


def is_told_of(decided: ReviewItem, following: UUID) -> bool:
    """Whether a page of an answer shows what was just decided of another.

    It does where both name the same: what people said of a name stands beside it.
    """
    keys = MentionVerdict.objects.filter(verification=decided.verification_id)
    return MentionVerdict.objects.filter(
        verification__interaction=following, key__in=keys.values("key")
    ).exists()


def has_decisions(item: ReviewItem) -> bool:
    """Whether something that was said of an item stands."""
    return Override.objects.filter(item=item, undone_at=None).exists()
