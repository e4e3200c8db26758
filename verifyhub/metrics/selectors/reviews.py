"""Figures about people's decisions, and where the checks were wrong."""

from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet

from verifyhub.accounts.models import Project
from verifyhub.common.shares import Share
from verifyhub.metrics.selectors.mentions import counted_mentions
from verifyhub.metrics.windows import Window, within
from verifyhub.review.models import ReviewItem
from verifyhub.verification.models import MentionStatus, Verdict

DECIDED = ~Q(state=ReviewItem.State.OPEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviews:
    """How far people got with the queue, and how often they disagreed.

    Attributes:
        open: Items still waiting for a person.
        overridden: Decided items in which the person's verdict is not the
            machine's, of all decided items.
        found_wrong: Decided items that a person rejected: answers known to be wrong.
    """

    open: int
    overridden: Share
    found_wrong: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class FalseAlarmRow:
    """Names flagged for one reason in decided answers, and how many were right."""

    reason: str
    cleared: Share


def items(project: Project, window: Window) -> QuerySet[ReviewItem, ReviewItem]:
    """Return the review items of answers received in the window."""
    return within(ReviewItem.objects.filter(project=project), window)


def reviews(project: Project, window: Window) -> Reviews:
    """Count open and decided items."""
    disagrees = (
        DECIDED & ~Q(human_verdict="") & ~Q(human_verdict=F("verification__verdict"))
    )
    totals = items(project, window).aggregate(
        open=Count("pk", filter=~DECIDED),
        decided=Count("pk", filter=DECIDED),
        overridden=Count("pk", filter=disagrees),
        wrong=Count("pk", filter=DECIDED & _judged_wrong()),
    )
    return Reviews(
        open=totals["open"],
        overridden=Share(count=totals["overridden"], total=totals["decided"]),
        found_wrong=Share(count=totals["wrong"], total=totals["decided"]),
    )


def false_alarms(project: Project, window: Window) -> list[FalseAlarmRow]:
    """Return, by reason, the share of flagged names that a person declared right.

    Only names in decided answers count: an unread answer says nothing about the check.
    """
    rows = (
        counted_mentions(project, window)
        .filter(status=MentionStatus.UNVERIFIED)
        .exclude(verification__review_item=None)
        .exclude(verification__review_item__state=ReviewItem.State.OPEN)
        .values("reason")
        .annotate(
            total=Count("pk"),
            cleared=Count("pk", filter=Q(human_status=MentionStatus.VERIFIED)),
        )
        .order_by("-total", "reason")
    )
    return [
        FalseAlarmRow(
            reason=row["reason"],
            cleared=Share(count=row["cleared"], total=row["total"]),
        )
        for row in rows
    ]


def _judged_wrong() -> Q:
    confirmed = Q(human_verdict="", verification__verdict=Verdict.REJECT)
    return Q(human_verdict=Verdict.REJECT) | confirmed
