"""The review backlog: its size, age and growth."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.db.models import Min

from verifyhub.accounts.models import Project
from verifyhub.metrics.counting.reading import read
from verifyhub.metrics.counting.waiting import waiting_by_day
from verifyhub.metrics.figures import Figure, counted, rate
from verifyhub.metrics.windows import Window
from verifyhub.review.models import ReviewItem


@dataclass(frozen=True, slots=True, kw_only=True)
class BacklogDay:
    """One day (UTC): items that were opened, and items that were decided."""

    day: date
    opened: int
    decided: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BacklogFigures:
    """The review queue now, and its growth in the window.

    `clears_in_days` is the time until the queue is empty at this rate; None if more
    items are opened than decided.
    """

    waiting: Figure
    oldest: Figure
    half_age: Figure
    opened: Figure
    decisions: Figure
    opened_per_day: Figure
    decisions_per_day: Figure
    clears_in_days: float | None
    days: list[BacklogDay]


def backlog(project: Project, window: Window, now: datetime) -> BacklogFigures:
    """Measure the queue at `now` (aware), and its changes in the window."""
    waiting = waiting_by_day(project.pk)
    size = sum(waiting.values())
    days = _days(project, window)
    span = _span(days, window, now)
    opened = sum(day.opened for day in days)
    decided = sum(day.decided for day in days)
    open_items = ReviewItem.objects.filter(project=project, state=ReviewItem.State.OPEN)
    first = open_items.aggregate(at=Min("created_at"))["at"]
    oldest = (now - first).total_seconds() if first else None
    more = (decided - opened) / span if span else 0.0
    return BacklogFigures(
        waiting=counted("backlog", size),
        oldest=Figure(name="oldest", value=oldest, n=size),
        half_age=Figure(name="half_age", value=_half_age(waiting, now), n=size),
        opened=counted("opened", opened),
        decisions=counted("decisions", decided),
        opened_per_day=rate("opened_per_day", opened, span),
        decisions_per_day=rate("decisions_per_day", decided, span),
        clears_in_days=size / more if more > 0 else None,
        days=days,
    )


def _days(project: Project, window: Window) -> list[BacklogDay]:
    days = []
    for day, tally in read(project, window).days.items():
        opened = tally.sum("opened")["opened"]
        decided = tally.sum("decisions")["decisions"]
        if opened or decided:
            days.append(BacklogDay(day=day, opened=opened, decided=decided))
    return days


def _span(days: list[BacklogDay], window: Window, now: datetime) -> int:
    """Return the days that the window covers so far, from its first on; 0 if none."""
    first = window.since.date() if window.since else (days[0].day if days else None)
    last = (window.until - timedelta(microseconds=1)) if window.until else now
    return max(0, (last.astimezone(UTC).date() - first).days + 1) if first else 0


def _half_age(waiting: dict[date, int], now: datetime) -> float | None:
    half, passed = sum(waiting.values()) / 2, 0
    for day in sorted(waiting):
        passed += waiting[day]
        if passed >= half and passed:
            return float((now.astimezone(UTC).date() - day).days * 86_400)
    return None
