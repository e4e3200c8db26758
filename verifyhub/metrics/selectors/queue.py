"""Figures about work that waits, runs or has failed: now, whatever the window."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Q

from verifyhub.accounts.models import Project
from verifyhub.verification.models import Verification


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """Verifications that are not finished.

    Attributes:
        waiting: Pending or running.
        failed: Given up after their attempts; neither a pass nor a flag.
        oldest_age_s: Seconds that the oldest waiting one has waited; None if none.
    """

    waiting: int
    failed: int
    oldest_age_s: float | None


WAITING = Q(state__in=[Verification.State.PENDING, Verification.State.RUNNING])


def queue(project: Project, now: datetime) -> Queue:
    """Count unfinished verifications and tell how long the oldest has waited."""
    totals = Verification.objects.filter(project=project).aggregate(
        waiting=Count("pk", filter=WAITING),
        failed=Count("pk", filter=Q(state=Verification.State.FAILED)),
        oldest=Min("created_at", filter=WAITING),
    )
    oldest = totals.pop("oldest")
    age = (now - oldest).total_seconds() if oldest else None
    return Queue(**totals, oldest_age_s=age)
