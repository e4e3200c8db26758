"""Split a window into days and slices with stored counts, and the rest."""

from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta

from verifyhub.metrics.counting.raw import DAY, ORIGIN, Stretch
from verifyhub.metrics.models import SLICE, CountState
from verifyhub.metrics.windows import Window, midnight_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A plan for reading a window.

    Attributes:
        days: Whole days (UTC) with stored counts, half-open; None for no limit.
        slices: Periods of whole slices with stored counts.
        raw: Periods that are counted from the rows.
    """

    days: tuple[date | None, date | None] | None = None
    slices: list[tuple[datetime, datetime]] = field(default_factory=list)
    raw: list[Stretch] = field(default_factory=list)


def plan(window: Window, state: CountState) -> Plan:
    """Split a window into periods with and without stored counts."""
    edges = _edges(window, state.counted_from)
    sliced = midnight_of(state.sliced_from)
    unsliced = [stretch for stretch in edges.slices if stretch[0] < sliced]
    return replace(
        edges,
        slices=[stretch for stretch in edges.slices if stretch not in unsliced],
        raw=[*edges.raw, *unsliced],
    )


def _edges(window: Window, counted_from: date | None) -> Plan:
    edges = Plan()
    since, until = window.since, window.until
    begun = midnight_of(counted_from) if counted_from else None
    if begun and (since is None or since < begun):
        if until and until <= begun:
            return Plan(raw=[(since, until)])
        edges.raw.append((since, begun))
        since = begun
    first = _up(since, DAY) if since else None
    last = _down(until, DAY) if until else None
    if since and until and first and last and first >= last:
        _part(edges, since, until)
        return edges
    if since and first and since < first:
        _part(edges, since, first)
    if until and last and last < until:
        _part(edges, last, until)
    return Plan(
        days=(first.date() if first else None, last.date() if last else None),
        slices=edges.slices,
        raw=edges.raw,
    )


def _part(stretch_plan: Plan, since: datetime, until: datetime) -> None:
    """Plan parts of days as slices, and parts of slices from the rows."""
    first, last = _up(since, SLICE), _down(until, SLICE)
    if first >= last:
        stretch_plan.raw.append((since, until))
        return
    stretch_plan.slices.append((first, last))
    stretch_plan.raw.extend((a, b) for a, b in ((since, first), (last, until)) if a < b)


def _down(moment: datetime, width: timedelta) -> datetime:
    return moment - (moment - ORIGIN) % width


def _up(moment: datetime, width: timedelta) -> datetime:
    over = (moment - ORIGIN) % width
    return moment + (width - over) if over else moment
