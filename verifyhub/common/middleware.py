"""Middleware of every request, page or API."""

from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django_structlog.middlewares import RequestMiddleware
from structlog.contextvars import bind_contextvars, get_contextvars

# Paths followed by a secret that grants access.
SECRET = ("/accounts/join/", "/accounts/password/set/")


class RequestLogMiddleware(RequestMiddleware):
    """Log each request once, with an id that the response contains too."""

    def prepare(self, request: HttpRequest) -> None:
        """Bind the request's id to log lines; the start of a request is not logged."""
        bind_contextvars(request_id=str(uuid4()))
        self.bind_user_id(request)

    def handle_response(self, request: HttpRequest, response: HttpResponse) -> None:
        """Add the request's id to the response, to look its log lines up."""
        response["X-Request-ID"] = str(get_contextvars().get("request_id", ""))
        super().handle_response(request, response)

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        """Return method and path without the query, which may contain agents' text.

        Secret paths, such as an invitation's, are truncated.
        """
        hidden = next(
            (prefix for prefix in SECRET if request.path.startswith(prefix)), None
        )
        path = f"{hidden}…" if hidden else request.path
        return f"{request.method} {path}"


class PageMiddleware(GZipMiddleware):
    """Compresses pages, and makes browsers revalidate them before showing them again.

    A page contains what agents saw, so no shared cache may store it. The browser may,
    so that going back is instant. Replies of the API are not compressed: on a local
    network that takes longer than it saves.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Add the headers to a page, and compress it if the browser accepts that."""
        response.headers.setdefault(
            "Permissions-Policy", "camera=(), geolocation=(), microphone=(), usb=()"
        )
        kind = response.headers.get("Content-Type", "")
        if response.streaming or not kind.startswith("text/html"):
            return response
        response.headers.setdefault("Cache-Control", "private, no-cache")
        return super().process_response(request, response)
