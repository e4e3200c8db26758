"""Count anew what has changed: little at a time, and as often as one likes."""

from datetime import date, datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.metrics.models import Change, CountState
from verifyhub.metrics.selectors.counting.stored import stretches_of
from verifyhub.metrics.services.slices import take_turn, write_slices
from verifyhub.metrics.windows import midnight

# Changes looked at, and slices counted, in one transaction.
MAX_CHANGES = 20_000
MAX_SLICES = 24


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
    begin(project_id)
    noted = Change.objects.filter(project_id=project_id).order_by("id")
    slices: set[datetime] = set()
    taken = []
    for change, at in noted.values_list("id", "slice")[:MAX_CHANGES]:
        if at not in slices and len(slices) == MAX_SLICES:
            continue
        slices.add(at)
        taken.append(change)
    if slices:
        write_slices(project_id, slices, stretches_of(slices))
        Change.objects.filter(pk__in=taken).delete()
    return len(taken)


def begin(project_id: UUID) -> CountState:
    """Begin to keep a project's counts: those of earlier days follow (`recount`)."""
    state, _ = CountState.objects.get_or_create(
        project_id=project_id, defaults={"counted_from": tomorrow()}
    )
    return state


def tomorrow() -> date:
    """Return the first day of which nothing can have been received."""
    today = midnight(timezone.now()).date()
    return date.fromordinal(today.toordinal() + 1)
