"""The session's state between the password and the second factor."""

import time
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.crypto import constant_time_compare

from verifyhub.accounts.models import Authenticator, Membership, User
from verifyhub.accounts.second_factor import is_asked_of, is_on

OWN_BACKEND = "django.contrib.auth.backends.ModelBackend"
# The session's key for a person who gave the password and must still give a code.
WAITING = "second_step"
SECONDS = 600
# The source of a session's second factor: the id of a device, or the provider.
GIVEN = "second_factor"
PROVIDER = "provider"


def ask_for_code(request: HttpRequest, user: User, address: str) -> HttpResponse:
    """Redirect a person with a correct password to the page that asks for a code.

    Args:
        request: The request.
        user: The person.
        address: The local URL to continue with.
    """
    request.session[WAITING] = {
        "user": user.pk,
        "hash": user.get_session_auth_hash(),
        "until": int(time.time()) + SECONDS,
        "next": address,
    }
    return redirect("accounts:sign-in-code")


def waiting_person(request: HttpRequest) -> tuple[User, str] | None:
    """Return who must give a code in this session, and the URL after it; or None.

    It ends with time, or if the password was changed or the account disabled.
    """
    waiting = request.session.get(WAITING)
    if not waiting or waiting["until"] < time.time():
        return None
    user = User.objects.filter(pk=waiting["user"], is_active=True).first()
    if user is None or not constant_time_compare(
        waiting["hash"], user.get_session_auth_hash()
    ):
        return None
    return user, waiting["next"]


def sign_in_with(request: HttpRequest, user: User, device: Authenticator) -> None:
    """Sign in a person who gave a code."""
    request.session.pop(WAITING, None)
    login(request, user, backend=OWN_BACKEND)
    request.session[GIVEN] = device.pk


def sign_in_from_provider(
    request: HttpRequest, user: User, claims: Mapping[str, Any], address: str
) -> HttpResponse:
    """Sign in a person from the provider; ask for a code if the provider did not."""
    was_asked = settings.OIDC.asks_second_factor or "mfa" in _methods(claims)
    if not was_asked and is_on(user):
        return ask_for_code(request, user, address)
    login(request, user, backend=OWN_BACKEND)
    if was_asked:
        request.session[GIVEN] = PROVIDER
    return redirect(address)


def is_missing(request: HttpRequest, membership: Membership) -> bool:
    """Whether a project requires a second factor, and the session had none."""
    if not is_asked_of(membership.role, membership.project):
        return False
    factor = request.session.get(GIVEN)
    if factor is None or factor == PROVIDER:
        return factor is None
    rows = Authenticator.objects.filter(user_id=membership.user_id, confirmed=True)
    return not rows.filter(pk=factor).exists()


def make_up_for(request: HttpRequest, user: User) -> HttpResponse:
    """Redirect a member whose session lacks a second factor to give one."""
    if is_on(user):
        address = request.get_full_path() if request.method == "GET" else "/"
        return ask_for_code(request, user, address)
    return redirect("accounts:second-factor")


def _methods(claims: Mapping[str, Any]) -> list[Any]:
    """Return the provider's authentication methods: RFC 8176."""
    methods = claims.get("amr")
    return methods if isinstance(methods, list) else []
