"""A viewer's language, time zone and theme."""

from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.http import HttpRequest

# Set by the browser (verifyhub/static/js/theme.js); a person's setting comes first.
ZONE_COOKIE = "tz"


@cache
def zone_names() -> tuple[str, ...]:
    """Return the names of the time zones that a person may choose, in order.

    Names without a slash, which are old aliases, are left out, except for UTC.
    """
    return ("UTC", *sorted(name for name in available_timezones() if "/" in name))


@cache
def _known_zones() -> frozenset[str]:
    return frozenset(available_timezones())


def zone_of(request: HttpRequest, chosen: str = "") -> ZoneInfo:
    """Return the viewer's time zone: the chosen one, the browser's, or UTC.

    Args:
        request: The request, whose untrusted cookie may name the browser's zone.
        chosen: The person's own setting; empty for none.
    """
    for name in (chosen, request.COOKIES.get(ZONE_COOKIE, "")):
        if name in _known_zones():
            return ZoneInfo(name)
    return ZoneInfo(settings.TIME_ZONE)
