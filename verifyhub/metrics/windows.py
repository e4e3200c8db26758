"""The window of metrics: a period and a filter of answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any, TypeVar

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext, ngettext

from verifyhub.ingest.model_names import model_named

CHOICES = (7, 30, 90, None)
DEFAULT_DAYS = 30
MAX_NAME = 200

Rows = TypeVar("Rows", bound=QuerySet[Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Answers received in a period, of all agents or some.

    Attributes:
        days: The last days (UTC), including today; None for everything, or for chosen
            dates.
        since: The beginning (aware); None for no limit.
        until: The end, exclusive (aware); None for now.
        agent: The agent's name; empty for all.
        tier: The tier of its model; empty for all.
        model: Its model from the run's metadata, or else its tier; empty for all.
    """

    days: int | None
    since: datetime | None
    until: datetime | None = None
    agent: str = ""
    tier: str = ""
    model: str = ""

    @property
    def label(self) -> str:
        """The window as a phrase that ends a sentence."""
        if self.days:
            return ngettext(
                "in the last %(days)d day", "in the last %(days)d days", self.days
            ) % {"days": self.days}
        if self.since or self.until:
            return gettext("in the days chosen")
        return gettext("so far")

    @property
    def parameter(self) -> str:
        """The window's value in a URL: `7`, `30`, `90`, `all`, or `dates`."""
        if self.days:
            return str(self.days)
        return "dates" if self.since or self.until else "all"

    @property
    def is_of_some(self) -> bool:
        """Whether only some agents' answers count."""
        return bool(self.agent or self.tier or self.model)


MOST_PLACES = 400
WEEK = 7
MOMENT = timedelta(microseconds=1)


def time_axis(
    window: Window, days: Sequence[date], *, now: datetime, step: int = 1
) -> list[str]:
    """Return every day (UTC), or each seventh, of a window, as ISO dates in order.

    Args:
        window: The window; without a beginning it begins with the first of `days`.
        days: The days that have values, in order; without any there is no axis.
        now: The time (aware).
        step: Days between two ticks; 7 for weeks, which begin on Mondays.
    """
    if not days:
        return []
    last = now if window.until is None else min(now, window.until - MOMENT)
    end = max(last.astimezone(UTC).date(), days[-1])
    begin = days[0]
    if window.since is not None:
        begin = min(begin, window.since.astimezone(UTC).date())
    if step == WEEK:
        begin -= timedelta(days=begin.weekday())
    count = min(MOST_PLACES, (end - begin).days // step + 1)
    return [
        (begin + timedelta(days=step * place)).isoformat() for place in range(count)
    ]


def within(rows: Rows, window: Window, prefix: str = "interaction__") -> Rows:
    """Filter rows by the interactions in a window.

    Args:
        rows: Interactions, or rows related to one.
        window: The window.
        prefix: The path to the interaction; empty if the rows are interactions.
    """
    condition = Q()
    if window.since:
        condition &= Q(**{f"{prefix}created_at__gte": window.since})
    if window.until:
        condition &= Q(**{f"{prefix}created_at__lt": window.until})
    if window.agent:
        condition &= Q(**{f"{prefix}agent_name": window.agent})
    if window.tier:
        condition &= Q(**{f"{prefix}agent_tier": window.tier})
    if window.model:
        rows = rows.alias(model_named=model_named(prefix))
        condition &= Q(model_named=window.model)
    return rows.filter(condition) if condition else rows


def window_from(
    parameter: str, now: datetime, query: Mapping[str, str] | None = None
) -> Window:
    """Parse a URL's `days`; invalid values mean the default.

    Args:
        parameter: `7`, `30`, `90`, `all`, or `dates` for those in `query`.
        now: The time (aware).
        query: May have `since` and `until` (days, both inclusive, in the time zone of
            `now`), `agent`, `tier` and `model`.
    """
    values = query or {}
    side: dict[str, Any] = {
        name: values.get(name, "").replace("\0", "")[:MAX_NAME]
        for name in ("agent", "tier", "model")
    }
    first, last = (_day(values.get(name, "")) for name in ("since", "until"))
    if first and last:
        first, last = sorted((first, last))
    if parameter in ("", "dates") and (first or last):
        zone = now.tzinfo or timezone.get_default_timezone()
        return Window(
            days=None,
            since=_midnight(first, zone),
            until=_midnight(last, zone, days=1),
            **side,
        )
    if parameter == "all":
        return Window(days=None, since=None, **side)
    choices = {str(days): days for days in CHOICES if days}
    days = choices.get(parameter, DEFAULT_DAYS)
    since = midnight(now) - timedelta(days=days - 1)
    return Window(days=days, since=since, **side)


def midnight(moment: datetime) -> datetime:
    """Return the midnight (UTC) at which the day of an aware time begins."""
    return moment.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def midnight_of(day: date) -> datetime:
    """Return the midnight (UTC) at which a day begins."""
    return datetime.combine(day, time.min, tzinfo=UTC)


def _day(text: str) -> date | None:
    try:
        return parse_date(text)
    except ValueError:
        return None


def _midnight(day: date | None, zone: tzinfo, days: int = 0) -> datetime | None:
    if day is None or day >= date.max - timedelta(days=2):
        return None
    return datetime.combine(day + timedelta(days=days), time.min, tzinfo=zone)
