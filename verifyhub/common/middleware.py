"""What happens to every request, whichever page or API it is for."""

from django.http import HttpRequest, HttpResponse
from django_structlog.middlewares import RequestMiddleware
from structlog.contextvars import get_contextvars


class RequestLogMiddleware(RequestMiddleware):
    """Log each request once, with an id that the answer carries too."""

    def handle_response(self, request: HttpRequest, response: HttpResponse) -> None:
        """Name the request in the answer, so that a report leads to its log lines."""
        response["X-Request-ID"] = str(get_contextvars().get("request_id", ""))
        super().handle_response(request, response)

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        """Leave the query out: it may hold a task's text or a search."""
        return f"{request.method} {request.path}"
