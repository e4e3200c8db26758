"""Limits on failed sign-ins that do not let strangers lock people out.

django-axes counts failures by name and address: after eight there is a pause of 15
minutes. A browser with a former sign-in has a signed cookie and is counted separately,
so that failures of others at its address do not affect it. It is also exempt from the
limits of an address and of a name, which stop trying one password with many names, and
one name from many addresses. See "Device Cookies" of OWASP.
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
    """Return the name for django-axes' counts: a known browser has its own."""
    name = (credentials or {}).get("username") or request.POST.get("username")
    if not name:
        return name
    device = known_device(request, name)
    # No account has a longer name, and django-axes' column is limited.
    return f"{name[:MAX_NAME]} [{device}]" if device else name[:MAX_NAME]


def known_device(request: HttpRequest, name: str) -> str:
    """Return the id of a browser with a former sign-in as this name; else empty."""
    try:
        cookie = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=KEPT)
    except signing.BadSignature:
        return ""
    return str(cookie["device"]) if cookie["name"] == name else ""


def remember_device(request: HttpRequest, response: HttpResponse, name: str) -> None:
    """Set the cookie of a browser that signed in with this name."""
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
    """Whether too many sign-ins have failed from its address, or for its name."""
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
