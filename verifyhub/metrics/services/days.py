"""Count days that were never counted, and recount on demand."""

from collections import defaultdict
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Max, Min, Sum
from django.db.models.functions import Now
from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.ingest.models import Interaction
from verifyhub.metrics.counting.raw import DAY
from verifyhub.metrics.models import (
    SLICE,
    Change,
    CountState,
    DayCount,
    DayName,
    SliceCount,
    TotalName,
)
from verifyhub.metrics.services.slices import (
    try_lock_counts,
    write_slices,
    write_whole_day,
)
from verifyhub.metrics.windows import midnight, midnight_of
from verifyhub.review.models import Judgement, ReviewItem


@transaction.atomic
def count_next_day(*, project_id: UUID) -> date | None:
    """Count the newest day that is not counted yet, each in its own transaction.

    Returns:
        The day; None if all are counted, or another process is counting.
    """
    if (
        not try_lock_counts(project_id)
        or not Project.objects.filter(pk=project_id).exists()
    ):
        return None
    state = begin(project_id)
    if state.counted_from is None:
        return None
    day = _newest_before(project_id, state.counted_from)
    if day is not None:
        _count(project_id, day, state.sliced_from)
    state.counted_from = day
    state.save()
    return day


@transaction.atomic
def recount(*, project_id: UUID) -> None:
    """Delete all counts of a project; `count_next_day` counts them again.

    Until then pages read the rows.
    """
    SliceCount.objects.filter(project_id=project_id).delete()
    DayCount.objects.filter(project_id=project_id).delete()
    DayName.objects.filter(project_id=project_id).delete()
    TotalName.objects.filter(project_id=project_id).delete()
    CountState.objects.filter(project_id=project_id).delete()


def _count(project_id: UUID, day: date, sliced_from: date) -> None:
    if day < sliced_from:
        write_whole_day(project_id, day)
        return
    begun = midnight_of(day)
    write_slices(project_id, [begun + SLICE * place for place in range(DAY // SLICE)])


def _newest_before(project_id: UUID, day: date) -> date | None:
    """Return the last day before one on which anything was received or decided."""
    end = midnight_of(day)
    moments = [
        model.objects.filter(project_id=project_id, **{f"{field}__lt": end}).aggregate(
            at=Max(field)
        )["at"]
        for model, field in (
            (Interaction, "created_at"),
            (ReviewItem, "created_at"),
            (ReviewItem, "resolved_at"),
            (Judgement, "given_at"),
        )
    ]
    times = [at for at in moments if at is not None]
    return max(times).astimezone(UTC).date() if times else None


# Changes read, and slices counted, in one transaction; a whole day counts as several
# slices.
MAX_CHANGES = 20_000
MAX_SLICES = 24
DAY_IN_SLICES = 8
# Days before today that are counted in slices.
SLICED_DAYS = 2
# Changed answers up to which a project is counted without a rest.
COUNTED_AT_ONCE = 1_500
# Recounting an answer takes 0.06 to 0.3 ms of processor time, depending on its names.
REST_FOR_AN_ANSWER = timedelta(milliseconds=4)


def newest_change() -> int:
    """Return the id of the newest change; 0 without any."""
    newest: int = Change.objects.aggregate(newest=Max("id", default=0))["newest"]
    return newest


def projects_to_refresh(newest: int) -> list[UUID]:
    """Return the projects with changes, except for those that are resting.

    While runs arrive, the current slice changes continuously, and the time to recount
    it grows with its size. So a project rests after a change, for a time proportional
    to the answers in changed slices beyond those that a page recounts by itself.

    Args:
        newest: The id of the last change to consider.
    """
    ages = {
        (project, at): age
        for project, at, age in Change.objects.filter(pk__lte=newest)
        .order_by()
        .values_list("project_id", "slice")
        .annotate(age=Now() - Min("created_at"))
    }
    counted = (
        SliceCount.objects.order_by()
        .filter(slice__in={at for _, at in ages})
        .values_list("project_id", "slice")
        .annotate(held=Sum("answers"))
    )
    answers: dict[UUID, int] = defaultdict(int)
    for project, at, count in counted:
        if (project, at) in ages:
            answers[project] += count
    oldest: dict[UUID, timedelta] = {}
    for (project, _), age in ages.items():
        oldest[project] = max(age, oldest.get(project, age))
    return sorted(
        project_id
        for project_id, age in oldest.items()
        if age >= _rest(answers[project_id])
    )


def _rest(answers: int) -> timedelta:
    return min(SLICE, REST_FOR_AN_ANSWER * max(0, answers - COUNTED_AT_ONCE))


@transaction.atomic
def refresh(*, project_id: UUID) -> int:
    """Recount changed slices, oldest changes first, and delete these changes.

    A change that commits meanwhile keeps its row, and is counted next time. It may run
    repeatedly and concurrently.

    Returns:
        How many changes were processed; 0 if none is left, or another process is
        counting.
    """
    if not try_lock_counts(project_id):
        return 0
    if not Project.objects.filter(pk=project_id).exists():
        return Change.objects.filter(project_id=project_id).delete()[0]
    with connection.cursor() as cursor:
        # Leaves other processors to verification.
        cursor.execute("SET LOCAL max_parallel_workers_per_gather = 0")
    recent = _retire_slices(begin(project_id))
    slices: set[datetime] = set()
    days: set[date] = set()
    taken_up = []
    noted = Change.objects.filter(project_id=project_id).order_by("id")
    for change, at in noted.values_list("id", "slice")[:MAX_CHANGES]:
        day = at.astimezone(UTC).date()
        is_full = len(slices) + DAY_IN_SLICES * len(days) >= MAX_SLICES
        if at in slices or day in days:
            taken_up.append(change)
        elif not is_full:
            taken_up.append(change)
            if day >= recent:
                slices.add(at)
            else:
                days.add(day)
    if slices:
        write_slices(project_id, slices)
    for day in sorted(days):
        write_whole_day(project_id, day)
    Change.objects.filter(pk__in=taken_up).delete()
    return len(taken_up)


def _retire_slices(state: CountState) -> date:
    """Delete the slices of old days; the days' sums stay."""
    recent = first_sliced_day()
    if state.sliced_from < recent:
        # One day later, since a page may be about to read them.
        oldest = midnight(timezone.now()) - timedelta(days=SLICED_DAYS + 1)
        SliceCount.objects.filter(project_id=state.pk, slice__lt=oldest).delete()
        state.sliced_from = recent
        state.save()
    return state.sliced_from


def begin(project_id: UUID) -> CountState:
    """Start to store a project's counts; earlier days follow (`count_next_day`)."""
    state, _ = CountState.objects.get_or_create(
        project_id=project_id,
        defaults={"counted_from": tomorrow(), "sliced_from": first_sliced_day()},
    )
    return state


def tomorrow() -> date:
    """Return the first day on which nothing can have been received."""
    return (midnight(timezone.now()) + DAY).date()


def first_sliced_day() -> date:
    """Return the first day (UTC) that is counted in slices today."""
    return (midnight(timezone.now()) - timedelta(days=SLICED_DAYS)).date()
