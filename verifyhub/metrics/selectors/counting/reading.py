"""What a window's figures are built from."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from uuid import UUID

from verifyhub.accounts.models import Project
from verifyhub.metrics.selectors.counting.raw import count_parts
from verifyhub.metrics.selectors.counting.tally import Tally
from verifyhub.metrics.windows import Window


@dataclass(frozen=True, kw_only=True)
class Reading:
    """The counts of a window.

    Attributes:
        days: By day (UTC), oldest first; a day on which nothing happened is missing.
        as_of: When the oldest part of them was counted, where that is not just now.
    """

    days: dict[date, Tally]
    as_of: datetime | None = None

    @cached_property
    def total(self) -> Tally:
        """All days together."""
        made = Tally()
        for tally in self.days.values():
            made.include(tally)
        return made


_Held = dict[tuple[UUID, Window], Reading]
_held: ContextVar[_Held | None] = ContextVar("metrics_readings", default=None)


@contextmanager
def one_reading() -> Iterator[None]:
    """Let all selectors called inside count once, and so speak of the same moment."""
    token = _held.set({})
    try:
        yield
    finally:
        _held.reset(token)


def read(project: Project, window: Window) -> Reading:
    """Count what a project received and did in a window."""
    held = _held.get()
    if held is None:
        return _count(project, window)
    at = (project.pk, window)
    if at not in held:
        held[at] = _count(project, window)
    return held[at]


def _count(project: Project, window: Window) -> Reading:
    days: dict[date, Tally] = defaultdict(Tally)
    for (day, _), tally in count_parts(project.pk, window).items():
        days[day].include(tally)
    return Reading(days=dict(sorted(days.items())))
