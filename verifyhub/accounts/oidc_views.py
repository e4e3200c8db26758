"""Views that redirect to the OpenID Connect provider and handle its callback."""

from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from verifyhub.accounts import oidc
from verifyhub.accounts.door_views import IN_SESSION
from verifyhub.accounts.invitations import find_invitation
from verifyhub.accounts.second_step import sign_in_from_provider
from verifyhub.common.logs import get_logger

logger = get_logger(__name__)

NEXT = "oidc_next"
REFUSAL_TEXTS: Final = {
    "disabled": _("Your account is disabled. Ask the operator of this server."),
    "name_taken": _(
        "An account with your name exists. The operator of this server"
        " can connect it: “verifyhub user connect NAME SUBJECT”."
    ),
    "no_name": _("The identity provider sent no valid user name."),
    "not_invited": _(
        "The identity provider knows you, but you have no invitation here. Ask a "
        "project admin for an invitation, and open it before you sign in."
    ),
    "provider": _(
        "The identity provider could not be reached, or its response is invalid."
    ),
}


@never_cache
@require_GET
def begin(request: HttpRequest) -> HttpResponse:
    """Redirect to the provider, and store the address to return to."""
    if not settings.OIDC.issuer:
        raise Http404
    address = request.GET.get("next", "")
    is_own = url_has_allowed_host_and_scheme(address, {request.get_host()})
    request.session[NEXT] = address if is_own else ""
    try:
        return oidc.begin(request)
    except oidc.ProviderError as error:
        return _refused(request, "provider", str(error), status=502)


@never_cache
@require_GET
def callback(request: HttpRequest) -> HttpResponse:
    """Sign in the person who returns from the provider."""
    if not settings.OIDC.issuer:
        raise Http404
    token = request.session.get(IN_SESSION, "")
    try:
        claims = oidc.claims_of(request)
        is_invited = bool(token) and find_invitation(token) is not None
        user = oidc.sign_in(claims=claims, is_invited=is_invited)
    except oidc.ProviderError as error:
        return _refused(request, "provider", str(error), status=502)
    except oidc.SignInRefusedError as error:
        return _refused(request, error.code, error.code, status=403)
    address = request.session.pop(NEXT, "") or resolve_url(settings.LOGIN_REDIRECT_URL)
    return sign_in_from_provider(request, user, claims, address)


def _refused(
    request: HttpRequest, code: str, reason: str, *, status: int
) -> HttpResponse:
    logger.warning("oidc.refused", reason=reason[:200])
    context = {"why": REFUSAL_TEXTS[code], "provider": settings.OIDC.name}
    return render(request, "accounts/oidc_refused.html", context, status=status)
