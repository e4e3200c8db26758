"""Compare how often a name is invented before and after its constraint is active."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet

from verifyhub.common.shares import Share
from verifyhub.engine.thresholds import Thresholds
from verifyhub.ingest.models import Interaction
from verifyhub.memory.models import Constraint, Sighting

# Answers of one rate, the latest of its window: the confidence interval of a share
# over so many is within a third of a percentage point.
MAX_ANSWERS = 100_000
# How many answers arrived in [since, until).
Arrived = Callable[[datetime, datetime], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """The share of a project's answers that stated a name without evidence.

    `share` counts answers that arrived in [since, until); `since` is later than
    requested if more than `MAX_ANSWERS` arrived.
    """

    since: datetime
    until: datetime
    share: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """The hallucination rate of a name before and after it was shared with agents.

    `before` is measured during the shadow period if there was one (`in_shadow`): the
    sightings that made the name a constraint were selected for being frequent, which
    would exaggerate the effect. `after` is None for a constraint that was never
    active, or became so before the time was recorded.
    """

    before: Rate | None
    after: Rate | None
    in_shadow: bool


def rates(
    constraint: Constraint, *, now: datetime, arrived: Arrived | None = None
) -> Rates:
    """Measure the rates of a name, from a bounded number of a project's answers.

    Args:
        constraint: The name.
        now: The moment (aware).
        arrived: Returns how many answers arrived in [since, until) without counting
            rows, if the caller can; then the window has no limit.
    """
    active_at, retired_at = constraint.active_at, constraint.retired_at
    until = active_at or now
    shadow = constraint.shadow_at
    in_shadow = shadow is not None and shadow < until
    rule = Thresholds.with_overrides(constraint.project.thresholds)
    since = until - timedelta(days=rule.recurrence_days)
    if shadow is not None and in_shadow:
        since = shadow
    return Rates(
        before=_rate(constraint, since, until, arrived),
        after=_rate(constraint, active_at, retired_at or now, arrived)
        if active_at
        else None,
        in_shadow=in_shadow,
    )


def sightings_of(constraint: Constraint) -> QuerySet[Sighting]:
    """Return the sightings that count for a constraint, under any of its names."""
    own = [constraint.pk, *constraint.merged.values_list("pk", flat=True)]
    return Sighting.objects.filter(constraint__in=own, counts=True)


def _rate(
    constraint: Constraint,
    since: datetime,
    until: datetime,
    arrived: Arrived | None,
) -> Rate:
    if arrived is None:
        since, total = _bounded(constraint, since, until)
    else:
        total = arrived(since, until)
    rows = _answers(constraint, since, until).filter(
        id__in=sightings_of(constraint).values("interaction_id")
    )
    share = Share(count=rows.count(), total=total)
    return Rate(since=since, until=until, share=share)


def _bounded(
    constraint: Constraint, since: datetime, until: datetime
) -> tuple[datetime, int]:
    """Return how many answers arrived since a time, and that time or a later one."""
    arrived = _answers(constraint, since, until).values_list("created_at", flat=True)
    total = arrived[:MAX_ANSWERS].count()
    if total == MAX_ANSWERS:
        since = arrived.order_by("-created_at")[total - 1]
        # Several answers may have arrived at that very time.
        total = _answers(constraint, since, until).count()
    return since, total


def _answers(
    constraint: Constraint, since: datetime, until: datetime
) -> QuerySet[Interaction]:
    return Interaction.objects.filter(
        project_id=constraint.project_id, created_at__gte=since, created_at__lt=until
    ).order_by()
