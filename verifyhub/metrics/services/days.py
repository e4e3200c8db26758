"""Count what was received before anybody counted, and everything again on demand."""

from datetime import UTC, date, datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from verifyhub.accounts.models import Project
from verifyhub.ingest.models import Interaction
from verifyhub.metrics.counting.raw import DAY
from verifyhub.metrics.models import (
    SLICE,
    CountState,
    DayCount,
    DayName,
    SliceCount,
    TotalName,
)
from verifyhub.metrics.services.changes import begin
from verifyhub.metrics.services.slices import take_turn, write_slices, write_whole_day
from verifyhub.review.models import Judgement, ReviewItem


@transaction.atomic
def count_next_day(*, project_id: UUID) -> date | None:
    """Count the newest day that is not counted yet, each in its own transaction.

    Returns:
        The day; None when all are counted, or another is at it.
    """
    if not take_turn(project_id) or not Project.objects.filter(pk=project_id).exists():
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
    """Forget all counts of a project; `count_next_day` makes them again.

    Until then pages read the rows themselves.
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
    begun = datetime(day.year, day.month, day.day, tzinfo=UTC)
    write_slices(project_id, [begun + SLICE * place for place in range(DAY // SLICE)])


def _newest_before(project_id: UUID, day: date) -> date | None:
    """Return the last day before one on which anything was received or done."""
    end = datetime(day.year, day.month, day.day, tzinfo=UTC)
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
    known = [at for at in moments if at is not None]
    return max(known).astimezone(UTC).date() if known else None
