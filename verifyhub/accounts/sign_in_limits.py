"""Limits on failed sign-ins that do not let strangers lock people out.

django-axes counts failures by name and address: eight, then a quarter of an hour. A
browser that has signed in as somebody holds a signed cookie and is counted by itself,
so failures of others at its address are not its own; and the limits of an address and
of a name, which end trying one password with many names and one name from many
addresses, are none of its. See "Device Cookies" of OWASP.
"""

import secrets
from collections.abc import Mapping
from datetime import timedelta

from axes.models import AccessAttempt
from django.conf import settings
from django.core import signing
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

COOKIE = "device"
SALT = "accounts.device"
KEPT = timedelta(days=365)
MAX_NAME = 150


def counted_name(
    request: HttpRequest, credentials: Mapping[str, str] | None = None
) -> str | None:
    """Return under which name django-axes counts: a known browser has its own."""
    name = (credentials or {}).get("username") or request.POST.get("username")
    if not name:
        return name
    device = known_device(request, name)
    # No account has a longer name, and the column of django-axes ends somewhere.
    return f"{name[:MAX_NAME]} [{device}]" if device else name[:MAX_NAME]


def known_device(request: HttpRequest, name: str) -> str:
    """The id of a browser that has signed in under this name; empty for any other."""
    try:
        cookie = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=KEPT)
    except signing.BadSignature:
        return ""
    return str(cookie["device"]) if cookie["name"] == name else ""


def remember_device(request: HttpRequest, response: HttpResponse, name: str) -> None:
    """Set the cookie of a browser that signed in under this name."""
    device = known_device(request, name) or secrets.token_hex(8)
    response.set_cookie(
        COOKIE,
        signing.dumps({"name": name, "device": device}, salt=SALT),
        max_age=KEPT,
        httponly=True,
        secure=settings.SECURE,
        samesite="Lax",
    )


def is_held_back(request: HttpRequest, name: str) -> bool:
    """Whether a sign-in has to wait: too many failed from its address, or by name."""
    name = name.replace("\0", "")
    if known_device(request, name):
        return False
    since = timezone.now() - timedelta(hours=settings.AXES_COOLOFF_TIME)
    recent = AccessAttempt.objects.filter(attempt_time__gt=since)
    limits = (
        (
            recent.filter(ip_address=request.META.get("REMOTE_ADDR") or None),
            settings.SIGN_IN_FAILURES_OF_ADDRESS,
        ),
        (recent.filter(username=name), settings.SIGN_IN_FAILURES_OF_NAME),
    )
    return any(
        (rows.aggregate(all=Sum("failures_since_start"))["all"] or 0) >= most
        for rows, most in limits
    )
