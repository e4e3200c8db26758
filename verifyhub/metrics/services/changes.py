"""Recount what has changed: little at a time, and as often as needed."""

from datetime import UTC, date, datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.metrics.models import Change, CountState, SliceCount
from verifyhub.metrics.services.slices import (
    take_turn,
    write_slices,
    write_whole_day,
)
from verifyhub.metrics.windows import midnight

# Changes looked at, and slices counted, in one transaction; a whole day is as much
# work as some slices.
MAX_CHANGES = 20_000
MAX_SLICES = 24
DAY_IN_SLICES = 8
# Days before today that are counted in slices.
SLICED_DAYS = 2


def projects_to_refresh() -> list[UUID]:
    """Return the projects in which something has changed."""
    rows = Change.objects.order_by().values_list("project_id", flat=True)
    return sorted(rows.distinct())


@transaction.atomic
def refresh(*, project_id: UUID) -> int:
    """Count the slices that changed, the oldest changes first, and forget those.

    A change that commits while this runs keeps its row, and is counted next time.
    Running it twice, or from several workers, changes nothing.

    Returns:
        How many changes were taken up; 0 when none is left, or another is at it.
    """
    if not take_turn(project_id):
        return 0
    if not Project.objects.filter(pk=project_id).exists():
        return Change.objects.filter(project_id=project_id).delete()[0]
    recent = _retire_slices(begin(project_id))
    slices: set[datetime] = set()
    days: set[date] = set()
    taken = []
    noted = Change.objects.filter(project_id=project_id).order_by("id")
    for change, at in noted.values_list("id", "slice")[:MAX_CHANGES]:
        day = at.astimezone(UTC).date()
        is_full = len(slices) + DAY_IN_SLICES * len(days) >= MAX_SLICES
        if at in slices or day in days:
            taken.append(change)
        elif not is_full:
            taken.append(change)
            if day >= recent:
                slices.add(at)
            else:
                days.add(day)
    if slices:
        write_slices(project_id, slices)
    for day in sorted(days):
        write_whole_day(project_id, day)
    Change.objects.filter(pk__in=taken).delete()
    return len(taken)


def _retire_slices(state: CountState) -> date:
    """Forget the slices of days that have become old; their sums stay."""
    recent = first_sliced_day()
    if state.sliced_from < recent:
        # A day later than need be: a page may be about to read them.
        oldest = midnight(timezone.now()) - timedelta(days=SLICED_DAYS + 1)
        SliceCount.objects.filter(project_id=state.pk, slice__lt=oldest).delete()
        state.sliced_from = recent
        state.save()
    return state.sliced_from


def begin(project_id: UUID) -> CountState:
    """Begin to keep a project's counts: those of earlier days follow (`recount`)."""
    state, _ = CountState.objects.get_or_create(
        project_id=project_id,
        defaults={"counted_from": tomorrow(), "sliced_from": first_sliced_day()},
    )
    return state


def tomorrow() -> date:
    """Return the first day of which nothing can have been received."""
    today = midnight(timezone.now()).date()
    return date.fromordinal(today.toordinal() + 1)


def first_sliced_day() -> date:
    """Return the first day (UTC) that is counted in slices today."""
    return (midnight(timezone.now()) - timedelta(days=SLICED_DAYS)).date()
