"""The rows of the queue's list."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import User
from verifyhub.review.models import ReviewItem
from verifyhub.review.queue.leases import holder_name, is_held
from verifyhub.review.queue.ranking import risk_band, urgency
from verifyhub.review.queue.reason_words import words_of
from verifyhub.review.queue.selectors import queue_settings
from verifyhub.review.queue.stand import factors_of
from verifyhub.review.support import AnswerSupport, support_of_runs

RISK_WORDS = {
    "high": _("High risk"),
    "medium": _("Medium risk"),
    "low": _("Low risk"),
}
# Reasons for which the list shows the name instead of a sentence.
NAMED = ("unverified_names", "look_alike")
VALUE = "unsupported_value"


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueRow:
    """One item as the list and the item's bar show it."""

    item: ReviewItem
    reasons: list[str]
    risk: str
    held_by: str
    held_by_me: bool
    overdue: bool
    urgency: float
    support: AnswerSupport | None = None

    @property
    def risk_word(self) -> Promise:
        """The band of its risk in words."""
        return RISK_WORDS[self.risk]

    @property
    def flagged(self) -> str:
        """The first unsupported name or value, if these are the first reason."""
        first = (self.item.reason_facts or [{}])[0]
        if first.get("kind") == VALUE:
            return str(first.get("text") or "")
        is_name = first.get("kind") in NAMED and self.support is not None
        return self.support.first_missing if self.support and is_name else ""

    @property
    def more(self) -> int:
        """How many flagged names or values the list does not show."""
        first = (self.item.reason_facts or [{}])[0]
        missing = self.support.missing - 1 if self.support and self.flagged else 0
        if first.get("kind") == VALUE:
            missing = int(first.get("count") or 1) - 1
        return max(0, missing) + max(0, len(self.reasons) - 1)


def row_of(
    item: ReviewItem,
    *,
    user: User,
    now: datetime,
    doubling_hours: int,
    support: AnswerSupport | None = None,
) -> QueueRow:
    """Build the row of one item for a viewer; a list adds its support."""
    is_open = item.state == ReviewItem.State.OPEN
    is_leased = is_open and is_held(item, now)
    return QueueRow(
        item=item,
        reasons=words_of(item.reason_facts, item.reasons),
        risk=risk_band(item.risk),
        held_by=holder_name(item) if is_leased else "",
        held_by_me=is_leased and item.lease_holder_id == user.pk,
        overdue=is_open and item.due_at is not None and item.due_at < now,
        urgency=urgency(item.rank, now, doubling_hours),
        support=support,
    )


def rows_of(
    items: Iterable[ReviewItem], *, user: User, now: datetime
) -> list[QueueRow]:
    """Build the rows of a list."""
    items = list(items)
    # If an item measures its reviewer, names have the verification's status.
    masked = {i.verification_id for i in items if i.is_masked}
    support = support_of_runs([i.verification_id for i in items], masked=masked)
    hours = queue_settings(items[0].project_id).doubling_hours if items else 0
    return [
        row_of(
            item,
            user=user,
            now=now,
            doubling_hours=hours,
            support=support[item.verification_id],
        )
        for item in items
    ]


def explain(item: ReviewItem) -> dict[str, float]:
    """Return the factors of an item's rank, and their current product as `urgency`."""
    hours = (timezone.now() - item.created_at).total_seconds() / 3600
    doubling = queue_settings(item.project_id).doubling_hours
    reach_factor, age_factor = factors_of(item).reach_factor, 2 ** (hours / doubling)
    return {
        "risk": item.risk,
        "uncertainty": item.uncertainty,
        "reach": item.reach,
        "reach_factor": reach_factor,
        "age_factor": age_factor,
        "doubling_hours": doubling,
        "urgency": item.risk * item.uncertainty * reach_factor * age_factor,
    }
