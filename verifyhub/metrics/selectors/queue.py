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
    of_project = Verification.objects.filter(project=project)
    # Two questions: each has an index of its own, and finished ones are in neither.
    waiting = of_project.filter(WAITING).aggregate(
        n=Count("pk"), oldest=Min("created_at")
    )
    oldest = waiting["oldest"]
    return Queue(
        waiting=waiting["n"],
        failed=of_project.filter(state=Verification.State.FAILED).count(),
        oldest_age_s=(now - oldest).total_seconds() if oldest else None,
    )
