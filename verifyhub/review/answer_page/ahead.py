"""The next answer, fetched while its reviewer looks at the one before it.

Nothing is taken for it: a decision takes the next item as ever. Only where that is what
was fetched, in the state in which it was fetched, is it not rendered a second time.
"""

from uuid import UUID

from django.db.models import Count, Q

from verifyhub.accounts.models import User
from verifyhub.ingest.models import Interaction
from verifyhub.review.models import Draft, Judgement, Override, Proposal, ReviewItem
from verifyhub.verification.models import MentionVerdict, Verification

# The header in which a page names what it has fetched, and the server agrees to it.
HEADER = "X-Ahead"


def stamp_of(interaction: Interaction, user: User) -> str:
    """Name the state of an open item's page as somebody sees it.

    Empty where the page is none of an open item: it is never fetched ahead.
    """
    newest = Verification.objects.filter(interaction=interaction).order_by("-number")
    run = newest.values_list("pk", "state").first()
    if run is None or run[1] != Verification.State.FINISHED:
        return ""
    waiting = Q(proposals__state=Proposal.State.PENDING)
    found = (
        ReviewItem.objects.filter(verification=run[0], state=ReviewItem.State.OPEN)
        .annotate(proposed=Count("proposals", filter=waiting))
        .values_list("pk", "version", "round", "assignee_id", "proposed")
        .first()
    )
    if found is None:
        return ""
    own = Draft.objects.filter(interaction=interaction, user=user)
    draft = own.values_list("version", flat=True).first() or 0
    judged = Judgement.objects.filter(item=found[0]).count()
    return ":".join(str(part) for part in (*found, run[0], draft, judged))


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
