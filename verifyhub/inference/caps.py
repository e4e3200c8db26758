"""The caps: the unit and period of each."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

DAY, MONTH, VERDICT, NOW = "day", "month", "verdict", "now"


@dataclass(frozen=True, slots=True)
class Cap:
    """One cap; `name` is its column in `Budget`.

    `counter` is the suffix of the columns of its counters, and `scale` the number of
    the counter's units in one of the cap's.
    """

    name: str
    period: str
    counter: str
    words: Promise
    scale: int = 1


CAPS = (
    Cap("day_microdollars", DAY, "microdollars", _("money per day")),
    Cap("month_microdollars", MONTH, "microdollars", _("money per month")),
    Cap("day_tokens", DAY, "tokens", _("tokens per day")),
    Cap("month_tokens", MONTH, "tokens", _("tokens per month")),
    Cap("day_seconds", DAY, "ms", _("model time per day"), 1000),
    Cap("month_seconds", MONTH, "ms", _("model time per month"), 1000),
    Cap("calls_at_once", NOW, "calls", _("calls at once")),
    Cap("verdict_microdollars", VERDICT, "microdollars", _("money per verdict")),
    Cap("verdict_tokens", VERDICT, "tokens", _("tokens per verdict")),
    Cap("verdict_calls", VERDICT, "calls", _("calls per verdict")),
)
BY_NAME = {cap.name: cap for cap in CAPS}
PERIOD_CAPS = tuple(cap for cap in CAPS if cap.period in {DAY, MONTH})
VERDICT_CAPS = tuple(cap for cap in CAPS if cap.period == VERDICT)


def resumes_at(cap: Cap, now: datetime) -> datetime | None:
    """Return when a reached cap allows calls again, in UTC.

    None if it does not depend on time: a verdict's own cap, or concurrent calls.
    """
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    if cap.period == DAY:
        return midnight + timedelta(days=1)
    if cap.period == MONTH:
        return (midnight.replace(day=1) + timedelta(days=32)).replace(day=1)
    return None
