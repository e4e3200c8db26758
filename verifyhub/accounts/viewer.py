"""A viewer's language, time zone and theme."""

from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.http import HttpRequest

# Set by the browser (verifyhub/static/js/theme.js); a person's own choice outranks it.
ZONE_COOKIE = "tz"


@cache
def zone_names() -> tuple[str, ...]:
    """Names of the time zones a person may choose, in order.

    Names without a slash are left out, but for UTC: they are old aliases.
    """
    return ("UTC", *sorted(name for name in available_timezones() if "/" in name))


@cache
def _known_zones() -> frozenset[str]:
    return frozenset(available_timezones())


def zone_of(request: HttpRequest, chosen: str = "") -> ZoneInfo:
    """Return the zone to show times in: the chosen one, else the browser's, else UTC.

    Args:
        request: Whose cookie may name the browser's zone; its text is not trusted.
        chosen: The person's own setting; empty for none.
    """
    for name in (chosen, request.COOKIES.get(ZONE_COOKIE, "")):
        if name in _known_zones():
            return ZoneInfo(name)
    return ZoneInfo(settings.TIME_ZONE)
