"""Figures about pending, running and failed work, as of now."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Min, Q, QuerySet

from verifyhub.accounts.models import Project
from verifyhub.verification.models import Verification


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """Verifications that are not finished.

    Attributes:
        waiting: Pending or running.
        failed: Given up after their attempts; neither a pass nor a flag.
        oldest_age_s: Seconds that the oldest waiting one has waited; None if none.
        new_wait_s: Seconds that one that comes now will wait; see `new_wait_s`.
    """

    waiting: int
    failed: int
    oldest_age_s: float | None
    new_wait_s: float


# How far back one looks for how quickly verifications are finished.
PACE_WINDOW = timedelta(minutes=1)
RUNNING = Q(state=Verification.State.RUNNING)
WAITING = Q(state__in=Verification.WAITING)


def queue(project: Project, now: datetime) -> Queue:
    """Count unfinished verifications, and measure the longest wait."""
    of_project = Verification.objects.filter(project=project)
    # Two questions: each has an index of its own, and finished ones are in neither.
    waiting = of_project.filter(WAITING).aggregate(
        n=Count("pk"), running=Count("pk", filter=RUNNING), oldest=Min("created_at")
    )
    oldest = waiting["oldest"]
    return Queue(
        waiting=waiting["n"],
        failed=of_project.filter(state=Verification.State.FAILED).count(),
        oldest_age_s=(now - oldest).total_seconds() if oldest else None,
        new_wait_s=new_wait_s(
            of_project,
            waiting=waiting["n"],
            running=waiting["running"],
            oldest=oldest,
            now=now,
        ),
    )


def new_wait_s(
    verifications: QuerySet[Verification],
    *,
    waiting: int,
    running: int,
    oldest: datetime | None,
    now: datetime,
) -> float:
    """Return the expected wait of a new verification, in seconds.

    As long as those before it take at the pace since the oldest of them came, or of the
    last minute. What runs counts as done: batches end together, so that a backlog which
    just came would else seem endless. Where nothing was done, at least as long as the
    oldest has waited.

    Args:
        verifications: Of one project, or of some.
        waiting: How many of them are pending or running.
        running: How many of these run.
        oldest: When the first of these came; None where none waits.
        now: The time.
    """
    if oldest is None:
        return 0.0
    since = max(oldest, now - PACE_WINDOW)
    done = running + verifications.filter(finished_at__gt=since).count()
    if not done:
        return max(0.0, (now - oldest).total_seconds())
    return waiting * max(0.0, (now - since).total_seconds()) / done
