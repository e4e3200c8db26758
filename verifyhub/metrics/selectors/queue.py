"""Metrics of pending, running and failed work, as of now."""

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
        failed: Failed after all attempts; neither a pass nor a flag.
        oldest_age_s: Age of the oldest waiting one in seconds; None if none.
        new_wait_s: Expected wait of a new one in seconds; see `new_wait_s`.
    """

    waiting: int
    failed: int
    oldest_age_s: float | None
    new_wait_s: float


# The period for measuring the rate of finished verifications.
PACE_WINDOW = timedelta(minutes=1)
RUNNING = Q(state=Verification.State.RUNNING)
WAITING = Q(state__in=Verification.WAITING)


def queue(project: Project, now: datetime) -> Queue:
    """Count unfinished verifications, and measure the longest wait."""
    of_project = Verification.objects.filter(project=project)
    # Two queries, each with a partial index without finished verifications.
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

    It is the backlog divided by the rate since the arrival of the oldest waiting one,
    or of the last minute. Running ones count as finished: batches finish together, so
    that a new backlog would otherwise seem endless. Without any finished one, it is at
    least the age of the oldest.

    Args:
        verifications: Those of one or several projects.
        waiting: How many of them are pending or running.
        running: How many of them are running.
        oldest: When the oldest waiting one arrived; None if none is waiting.
        now: The time.
    """
    if oldest is None:
        return 0.0
    since = max(oldest, now - PACE_WINDOW)
    done = running + verifications.filter(finished_at__gt=since).count()
    if not done:
        return max(0.0, (now - oldest).total_seconds())
    return waiting * max(0.0, (now - since).total_seconds()) / done
