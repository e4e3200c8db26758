"""How many answers arrived in any time, from the counts of days."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import UUID

from django.db.models import Sum

from verifyhub.ingest.models import Interaction
from verifyhub.metrics.models import Change, CountState, DayCount
from verifyhub.metrics.selectors.counting.stretches import plan
from verifyhub.metrics.windows import Window, midnight


def answers_received(project_id: UUID) -> Callable[[datetime, datetime], int]:
    """Return what counts a project's answers in [since, until).

    Days in which something changed since they were counted, and less than days, are
    counted from the rows.
    """
    state = CountState.objects.filter(project=project_id).first()
    noted = Change.objects.filter(project_id=project_id).order_by()
    changed = {midnight(at) for at in noted.values_list("slice", flat=True).distinct()}

    def rows(since: datetime | None, until: datetime | None) -> int:
        found = Interaction.objects.filter(project_id=project_id)
        if since:
            found = found.filter(created_at__gte=since)
        return found.filter(created_at__lt=until).count() if until else found.count()

    def received(since: datetime, until: datetime) -> int:
        if state is None or since >= until:
            return rows(since, until)
        made = plan(Window(days=None, since=since, until=until), state)
        total = sum(rows(*stretch) for stretch in [*made.raw, *made.slices])
        first, last = made.days or (until.date(), until.date())
        if first is None or last is None or first >= last:
            return total
        own = [at for at in changed if first <= at.astimezone(UTC).date() < last]
        counted = DayCount.objects.filter(
            project=project_id, is_total=True, day__gte=first, day__lt=last
        ).exclude(day__in=[at.astimezone(UTC).date() for at in own])
        total += counted.aggregate(answers=Sum("answers"))["answers"] or 0
        return total + sum(rows(at, at + timedelta(days=1)) for at in own)

    return received
