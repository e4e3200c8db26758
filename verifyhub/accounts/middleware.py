"""Middleware: limits of request bodies, and the viewer's language and time zone."""

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from verifyhub.accounts.models import User
from verifyhub.accounts.viewer import zone_of
from verifyhub.common.request_guard import BULK_PATH

# Paths for programs; their language and time zone do not depend on the user.
MACHINE_PATHS = ("/api/v1/", "/api/openapi.json", "/metrics", "/healthz", "/readyz")


class LongBodyMiddleware:
    """Refuses long bodies of unauthenticated requests before they are read.

    Forms for files accept longer ones, which occupy a thread. The view checks the user
    only after the CSRF check, which reads the body.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Handle the request, or refuse it."""
        length = request.META.get("CONTENT_LENGTH") or "0"
        is_long = not length.isdecimal() or int(length[:15]) > settings.MAX_BODY_BYTES
        # Bulks have keys and their own limits.
        if is_long and request.path != BULK_PATH and not request.user.is_authenticated:
            text = f"The body has more than {settings.MAX_BODY_BYTES} bytes, the limit."
            return HttpResponse(text, status=413, content_type="text/plain")
        return self.get_response(request)


class ViewerMiddleware:
    """Apply a person's own language and time zone before those of the browser.

    It comes after Django's LocaleMiddleware, which selects by cookie and header, and
    after authentication. Responses of earlier middleware are in the browser's language.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Handle the request in the viewer's language and time zone."""
        if request.path.startswith(MACHINE_PATHS):
            translation.activate("en")
            return self.get_response(request)
        # Pages read it often, which takes longer through Django's lazy object.
        request.user = get_user(request)
        user = request.user if isinstance(request.user, User) else None
        if user is not None and user.language:
            translation.activate(user.language)
            request.LANGUAGE_CODE = translation.get_language()
        # Restores UTC for the thread's next request.
        with timezone.override(zone_of(request, user.time_zone if user else "")):
            return self.get_response(request)
