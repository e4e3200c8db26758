"""The counts of a window, read once for each request."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from uuid import UUID

from verifyhub.accounts.models import Project
from verifyhub.metrics.counting.stored import Fresh, StoredWindow, count_into, read_kept
from verifyhub.metrics.counting.stretches import plan
from verifyhub.metrics.counting.tally import Tally
from verifyhub.metrics.models import CountState
from verifyhub.metrics.windows import Window


@dataclass(frozen=True, kw_only=True)
class WindowCounts:
    """The counts of a window.

    Attributes:
        days: Counts by day (UTC), oldest first; days without any are missing.
        fresh: The recounted periods.
        as_of: Changes since then are missing, if there were too many to recount for a
            request; None if none are missing.
    """

    days: dict[date, Tally]
    fresh: Fresh
    as_of: datetime | None = None

    @cached_property
    def total(self) -> Tally:
        """The sum of all days."""
        sums = Tally()
        for tally in self.days.values():
            sums.include(tally)
        return sums


_Readings = dict[tuple[UUID, Window], WindowCounts]
_cache: ContextVar[_Readings | None] = ContextVar("metrics_readings", default=None)


@contextmanager
def one_reading() -> Iterator[None]:
    """Let all selectors called in the body share the same counts."""
    if _cache.get() is not None:
        yield
        return
    token = _cache.set({})
    try:
        yield
    finally:
        _cache.reset(token)


def read(project: Project, window: Window) -> WindowCounts:
    """Return the counts of a project in a window."""
    cache = _cache.get()
    if cache is None:
        return _count(project, window)
    at = (project.pk, window)
    if at not in cache:
        cache[at] = _count(project, window)
    return cache[at]


def _count(project: Project, window: Window) -> WindowCounts:
    state = CountState.objects.filter(project=project).first()
    if state is None:
        counted = StoredWindow()
        count_into(counted.days, project.pk, [(window.since, window.until)], window)
    else:
        plan_of_window = plan(window, state)
        counted = read_kept(project.pk, window, plan_of_window, state.sliced_from)
    days = {day: tally for day, tally in sorted(counted.days.items()) if tally}
    return WindowCounts(days=days, fresh=counted.fresh, as_of=counted.as_of)
