"""Count the answers that arrived in a period, by daily counts."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import cache
from uuid import UUID

from verifyhub.ingest.models import Interaction
from verifyhub.metrics.counting.stretches import plan
from verifyhub.metrics.models import Change, CountState, DayCount
from verifyhub.metrics.windows import Window, midnight, midnight_of


def answers_received(project_id: UUID) -> Callable[[datetime, datetime], int]:
    """Return a function that counts a project's answers in [since, until).

    Days with changes since they were counted, and parts of days, are counted from the
    rows.
    """
    state = CountState.objects.filter(project=project_id).first()
    noted = Change.objects.filter(project_id=project_id).order_by()
    changed = {
        midnight(at).date() for at in noted.values_list("slice", flat=True).distinct()
    }
    counted = DayCount.objects.filter(project=project_id, is_total=True)
    by_day = dict(counted.values_list("day", "answers"))

    # Periods end now or at the beginning of a day, so they are often repeated.
    @cache
    def rows(since: datetime | None, until: datetime | None) -> int:
        interactions = Interaction.objects.filter(project_id=project_id)
        if since:
            interactions = interactions.filter(created_at__gte=since)
        return (
            interactions.filter(created_at__lt=until).count()
            if until
            else interactions.count()
        )

    def on(day: date) -> int:
        if day not in changed:
            return by_day.get(day, 0)
        at = midnight_of(day)
        return rows(at, at + timedelta(days=1))

    def received(since: datetime, until: datetime) -> int:
        if state is None or since >= until:
            return rows(since, until)
        stretch_plan = plan(Window(days=None, since=since, until=until), state)
        total = sum(
            rows(*stretch) for stretch in [*stretch_plan.raw, *stretch_plan.slices]
        )
        first, last = stretch_plan.days or (until.date(), until.date())
        if first is None or last is None:
            return total
        days = by_day.keys() | changed
        return total + sum(on(day) for day in days if first <= day < last)

    return received
