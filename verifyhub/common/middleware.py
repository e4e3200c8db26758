"""Middleware of every request, page or API."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django_structlog.middlewares import RequestMiddleware
from structlog.contextvars import get_contextvars

# What follows these in an address is a secret that grants access.
SECRET = ("/accounts/join/", "/accounts/password/set/")


class RequestLogMiddleware(RequestMiddleware):
    """Log each request once, with an id that the answer carries too."""

    def handle_response(self, request: HttpRequest, response: HttpResponse) -> None:
        """Add the request's id to the response, so that its log lines can be found."""
        response["X-Request-ID"] = str(get_contextvars().get("request_id", ""))
        super().handle_response(request, response)

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        """Leave the query out: it may hold a task's text or a search.

        Of addresses that are a secret, such as an invitation's, the beginning is left.
        """
        hidden = next(
            (prefix for prefix in SECRET if request.path.startswith(prefix)), None
        )
        path = f"{hidden}…" if hidden else request.path
        return f"{request.method} {path}"


class PageMiddleware(GZipMiddleware):
    """Compresses pages, and makes browsers revalidate them before showing them again.

    A page holds what agents saw: no cache on the way may keep it. The browser may, so
    that going back is instant. Replies of the API are left alone: agents on the same
    network gain nothing, and would wait for the packing.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Add the headers to a page, and pack it where the browser can unpack it."""
        response.headers.setdefault(
            "Permissions-Policy", "camera=(), geolocation=(), microphone=(), usb=()"
        )
        kind = response.headers.get("Content-Type", "")
        if response.streaming or not kind.startswith("text/html"):
            return response
        response.headers.setdefault("Cache-Control", "private, no-cache")
        return super().process_response(request, response)
