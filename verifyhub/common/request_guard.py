"""Refuse requests before any view runs."""

from collections.abc import Callable
from email.message import Message

from django.conf import settings
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    StreamingHttpResponse,
)

from verifyhub.common.api import (
    API_PREFIX,
    REPLY_HEADERS,
    ApiProblem,
    body_too_large,
    problem_response,
)

# Transcripts are long and often compressed; their view decompresses them.
TRANSCRIPTS_PATH = f"{API_PREFIX}v1/transcripts/"
# Streams of any length, read and answered line by line; their view limits each line.
BULK_PATH = f"{API_PREFIX}v1/bulk/"
# Endpoints for OpenTelemetry exporters. Bodies may be binary and compressed; their view
# decompresses them within its limits.
OTLP_BASES = ("", "/api/public/otel", "/api/v1/otlp")
OTLP_TRACES = tuple(f"{base}/v1/traces" for base in OTLP_BASES)
OTLP_LOGS = tuple(f"{base}/v1/logs" for base in OTLP_BASES)
OTLP_PATHS = (*OTLP_TRACES, *OTLP_LOGS)


# Where runs are sent, except for bulks.
RUN_PATHS = (f"{API_PREFIX}v1/interactions/", TRANSCRIPTS_PATH, *OTLP_PATHS)


def sends_run(method: str, path: str) -> bool:
    """Whether a request sends a run, or spans of one."""
    return method == "POST" and path.startswith(RUN_PATHS)


def reads_body_itself(path: str, length: int | None) -> bool:
    """Whether the application reads the body as a stream (`config.web`).

    Bulk requests are answered while they are sent, and a file for the background may be
    longer than the body of an unauthenticated request may be. All other API requests
    without a stated length within the limit are refused unread.

    Args:
        path: The request's path.
        length: Bytes of the body; None if not stated.
    """
    if path == BULK_PATH:
        return True
    is_api = path.startswith((API_PREFIX, *OTLP_PATHS))
    return not is_api and length is not None and length > settings.MAX_BODY_BYTES


class RequestGuardMiddleware:
    """Refuses text that PostgreSQL cannot store, and bodies without a limit.

    NUL in a URL is refused everywhere, since it would cause a database error. Bodies of
    API requests must be uncompressed UTF-8 with a stated length within the limit.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        is_api = request.path.startswith((API_PREFIX, *OTLP_PATHS))
        problem = _address_problem(request)
        if is_api:
            problem = problem or _body_problem(request)
        if problem is not None:
            return problem_response(problem) if is_api else HttpResponseBadRequest()
        response = self.get_response(request)
        if request.method == "HEAD" and isinstance(response, StreamingHttpResponse):
            # HEAD has no body: generating an endless one would occupy a thread.
            response.streaming_content = iter(())
        if is_api:
            # Verdicts and traces are private; no shared cache may store them.
            response.headers.setdefault("Cache-Control", "no-store")
            for name, value in request.META.get(REPLY_HEADERS, {}).items():
                response.headers[name] = value
        return response


def _address_problem(request: HttpRequest) -> ApiProblem | None:
    if "\x00" in request.path or "%00" in request.META.get("QUERY_STRING", ""):
        return ApiProblem(400, "The URL contains the character U+0000.")
    return None


def _body_problem(request: HttpRequest) -> ApiProblem | None:
    meta = request.META
    length = meta.get("CONTENT_LENGTH") or ""
    if request.path == BULK_PATH:
        return None
    if "HTTP_TRANSFER_ENCODING" in meta and not length:
        return ApiProblem(411, "Send the length of the body in Content-Length.")
    if length and (not length.isascii() or not length.isdigit()):
        return ApiProblem(400, "Content-Length is not a number.")
    if length and (len(length) > 15 or int(length) > settings.MAX_BODY_BYTES):
        return body_too_large()
    if request.path.rstrip("/") in OTLP_PATHS:
        return None
    if (
        meta.get("HTTP_CONTENT_ENCODING", "identity").lower() != "identity"
        and request.path != TRANSCRIPTS_PATH
    ):
        return ApiProblem(415, "Send the body without Content-Encoding.")
    header = Message()
    header["Content-Type"] = (
        meta.get("CONTENT_TYPE", "").replace("\n", " ").replace("\r", " ")
    )
    if str(header.get_param("charset", "utf-8")).lower() not in {"utf-8", "utf8"}:
        return ApiProblem(415, "Send the body in UTF-8.")
    return None
