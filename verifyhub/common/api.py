"""Shared parts of API views: the strict parser, pagination, problem details."""

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus
from typing import IO, Annotated, Any, NotRequired

import structlog
from django.conf import settings
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import Error
from django.db.models import QuerySet
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext, gettext_noop
from django.views import defaults
from drf_spectacular.utils import OpenApiParameter
from pydantic import Field, with_config
from rest_framework import exceptions
from rest_framework.pagination import CursorPagination
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from typing_extensions import TypedDict

from verifyhub.common.api_strictness import CURSOR_SHAPE
from verifyhub.common.contract import FieldError
from verifyhub.common.database_faults import SENTENCES, fault_of, is_away
from verifyhub.common.logs import get_logger
from verifyhub.common.object_store import ObjectStoreError
from verifyhub.common.strict_json import StrictJSONError, loads

logger = get_logger(__name__)

API_PREFIX = "/api/"
PROBLEM_JSON = "application/problem+json"
RETRY_DATABASE_SECONDS = 2
STORE_AWAY = gettext_noop(
    "The object store for large outputs and answers does not respond."
)
# The attribute of a request with headers that its reply must have.
REPLY_HEADERS = "verifyhub.reply_headers"


class FieldErrorBody(TypedDict):
    field: str
    message: str


@with_config(use_attribute_docstrings=True)
class ProblemBody(TypedDict):
    """RFC 9457; `errors` names the fields."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[FieldErrorBody]
    request_id: str | None
    violated_policies: NotRequired[
        Annotated[list[str], Field(serialization_alias="violated-policies")]
    ]
    """With status 429: the exceeded limits of `RateLimit-Policy`."""


class ApiProblem(exceptions.APIException):
    """An error reply as problem details (RFC 9457).

    Attributes:
        errors: The invalid fields, as pairs of path and message.
        headers: Further response headers.
        kind: A URI for this kind of problem; `about:blank` if the status is enough.
        members: Further members of this kind.
    """

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        errors: tuple[tuple[str, str], ...] = (),
        headers: Mapping[str, str] | None = None,
        kind: str = "about:blank",
        members: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status_code = status
        self.errors = errors
        self.headers = dict(headers or {})
        self.members = {"type": kind, **(members or {})}


LIMIT, CURSOR = "limit", "cursor"


class LimitedPages(CursorPagination):
    """Pages of a list of the API, with `limit` rows, at most `max_page_size`.

    Newest first by default; rows that are added meanwhile neither skip nor repeat
    others.
    """

    ordering: tuple[str, ...] = ("-created_at", "-id")
    page_size = 100
    page_size_query_param = LIMIT
    max_page_size = 1000

    def get_page_size(self, request: Request) -> int:
        """Return how many rows a page has.

        Raises:
            ApiProblem: 400 if `limit` is not a positive whole number.
        """
        requested = request.query_params.get(LIMIT)
        if requested is None:
            return self.page_size
        if not (requested.isascii() and requested.isdecimal() and requested.strip("0")):
            message = f"must be a whole number from 1 to {self.max_page_size}"
            raise ApiProblem(
                400, "The page cannot be returned.", errors=((LIMIT, message),)
            )
        return min(int(requested[:9]), self.max_page_size)

    def decode_cursor(self, request: Request) -> Any:
        """Return the position where a page begins.

        Raises:
            ApiProblem: 400 if `cursor` is not from a page of this list.
        """
        cursor = request.query_params.get(CURSOR)
        if cursor is not None and not (
            len(cursor) >= CURSOR_SHAPE["minLength"]
            and re.fullmatch(CURSOR_SHAPE["pattern"], cursor)
        ):
            raise cursor_refused()
        try:
            return super().decode_cursor(request)
        except exceptions.NotFound as error:
            raise cursor_refused() from error


def page_of(
    rows: QuerySet[Any],
    request: Request,
    *,
    ordering: tuple[str, ...] = LimitedPages.ordering,
    body: Callable[[Any], Any],
    size: int = LimitedPages.page_size,
    most: int = LimitedPages.max_page_size,
) -> Response:
    """Answer with one page of a list.

    Args:
        rows: All rows of the list.
        request: Its `cursor` and `limit` select the page.
        ordering: Fields that give every row a unique and constant position.
        body: Returns the body of a row.
        size: Rows of a page without `limit`.
        most: Maximum rows of a page.

    Raises:
        ApiProblem: 400 if `cursor` or `limit` is invalid.
    """
    pages = LimitedPages()
    pages.page_size, pages.max_page_size, pages.ordering = size, most, ordering
    page = pages.paginate_queryset(rows, request) or []
    return pages.get_paginated_response([body(row) for row in page])


def page_parameters(
    size: int = LimitedPages.page_size, most: int = LimitedPages.max_page_size
) -> list[OpenApiParameter]:
    """Describe the parameters of pagination, with `size` and `most` as in `page_of`."""
    return [
        OpenApiParameter(CURSOR, str, description="From `next` or `previous`."),
        OpenApiParameter(
            LIMIT,
            {"type": "integer", "minimum": 1, "default": size},
            description=f"Rows per page, at most {most}; larger values are reduced to "
            "it.",
        ),
    ]


PAGE_PARAMETERS = page_parameters()


def page_shape(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of a page of items."""
    link = {
        "type": ["string", "null"],
        "format": "uri",
        "example": "https://hub.example/api/v1/documents/?cursor=cD0yMDI2",
    }
    results = {"type": "array", "items": item}
    return {
        "type": "object",
        "properties": {"next": link, "previous": link, "results": results},
        "required": ["next", "previous", "results"],
    }


def cursor_refused() -> ApiProblem:
    """Return the error for an invalid cursor."""
    message = "must be an unchanged cursor from a page"
    return ApiProblem(400, "The page cannot be returned.", errors=((CURSOR, message),))


class StrictJSONParser(BaseParser):
    """Parse a request body with the strict JSON parser."""

    media_type = "application/json"
    mends_texts = False

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,  # noqa: ARG002 - the framework's signature
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        request = (parser_context or {}).get("request")
        try:
            # `body` keeps the bytes, to which an idempotency key is bound.
            data = request.body if request is not None else stream.read()
        except OSError as error:
            raise ApiProblem(
                400, "The body is shorter than its Content-Length."
            ) from error
        try:
            return loads(
                data,
                max_bytes=settings.MAX_BODY_BYTES,
                mends_texts=self.mends_texts,
            )
        except StrictJSONError as error:
            if error.too_large:
                raise body_too_large() from error
            raise ApiProblem(
                400,
                f"The body is invalid: {error}",
                errors=((error.path or "", error.message),),
            ) from error


class RunParser(StrictJSONParser):
    """Parse a run; tool outputs may contain any characters."""

    mends_texts = True


def form_problem(form: BaseForm) -> exceptions.ValidationError:
    """Return the problem of query parameters that a page's form refuses, by name."""
    return exceptions.ValidationError(
        {name: [str(text) for text in texts] for name, texts in form.errors.items()}
    )


def body_too_large() -> ApiProblem:
    """Return the error for a body over the limit."""
    return ApiProblem(
        413, f"The body has more than {settings.MAX_BODY_BYTES} bytes, the limit."
    )


def problem_details(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Return the response to an exception of an API view; None for a 500 page."""
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    elif isinstance(error, ValidationError):
        # A cursor or another parameter whose type does not fit the column.
        error = ApiProblem(400, "A parameter of the request is invalid.")
    elif isinstance(error, FieldError):
        text = f"{error.field}: {error}" if error.field else str(error)
        errors = ((error.field, str(error)),)
        error = ApiProblem(400, f"The request is refused: {text}", errors=errors)
    elif isinstance(error, Error) and is_away(error):
        error = _database_away(error)
    elif isinstance(error, ObjectStoreError):
        error = _store_away(error)
    if not isinstance(error, exceptions.APIException):
        return None
    status = error.status_code
    body = problem_body(status, _sentence(error), tuple(_field_errors(error)))
    headers = dict(getattr(error, "headers", {}))
    if auth_header := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = auth_header
    if (wait := getattr(error, "wait", None)) is not None:
        headers["Retry-After"] = f"{wait:.0f}"
    return Response(
        {**body, **getattr(error, "members", {})},
        status=status,
        headers=headers,
        content_type=PROBLEM_JSON,
    )


def problem_response(problem: ApiProblem) -> JsonResponse:
    """Return the response to a problem outside a REST framework view."""
    body = problem_body(problem.status_code, str(problem.detail), problem.errors)
    return JsonResponse(
        {**body, **problem.members},
        status=problem.status_code,
        headers=problem.headers,
        content_type=PROBLEM_JSON,
    )


def problem_body(
    status: int, detail: str, errors: tuple[tuple[str, str], ...] = ()
) -> ProblemBody:
    """Return the members of a problem; `request_id` is its id in the server's log."""
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "errors": [{"field": field, "message": text} for field, text in errors],
        "request_id": structlog.contextvars.get_contextvars().get("request_id"),
    }


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if request.path.startswith(API_PREFIX):
        return problem_response(ApiProblem(400, "The request is malformed."))
    return defaults.bad_request(request, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if request.path.startswith(API_PREFIX):
        return problem_response(ApiProblem(404, "This URL does not exist."))
    return defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the response to an uncaught error; an unreachable database is a 503."""
    error = sys.exc_info()[1]
    if isinstance(error, Error) and is_away(error):
        problem = _database_away(error)
        if request.path.startswith(API_PREFIX):
            return problem_response(problem)
        page = {"cause": gettext(SENTENCES[fault_of(error)])}
        return _unavailable(problem, page)
    if isinstance(error, ObjectStoreError):
        problem = _store_away(error)
        if request.path.startswith(API_PREFIX):
            return problem_response(problem)
        return _unavailable(problem, {"cause": gettext(STORE_AWAY)})
    if request.path.startswith(API_PREFIX):
        return problem_response(
            ApiProblem(
                500, "Internal server error. The server log contains the request id."
            )
        )
    return defaults.server_error(request)


def _unavailable(problem: ApiProblem, page: dict[str, str]) -> HttpResponse:
    return HttpResponse(
        render_to_string("503.html", page, request=None),
        status=503,
        headers=problem.headers,
    )


def _database_away(error: Error) -> ApiProblem:
    fault = fault_of(error)
    logger.error("database.unavailable", error=type(error).__name__, cause=fault)
    return ApiProblem(
        503,
        f"{SENTENCES[fault]} Nothing was stored.",
        headers={"Retry-After": str(RETRY_DATABASE_SECONDS)},
    )


def _store_away(error: ObjectStoreError) -> ApiProblem:
    logger.error("object_store.unavailable", error=str(error))
    return ApiProblem(
        503, STORE_AWAY, headers={"Retry-After": str(RETRY_DATABASE_SECONDS)}
    )


def _sentence(error: exceptions.APIException) -> str:
    if isinstance(error.detail, list | dict):
        return "Some fields cannot be used."
    return str(error.detail)


def _field_errors(error: exceptions.APIException) -> Iterator[tuple[str, str]]:
    if isinstance(error, ApiProblem):
        yield from error.errors
    elif isinstance(error.detail, list | dict):
        yield from _flatten(error.detail, "")


def _flatten(detail: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield nested serializer errors as pairs of path and message."""
    if isinstance(detail, dict):
        for key, inner in detail.items():
            yield from _flatten(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(detail, list):
        for inner in detail:
            yield from _flatten(inner, path)
    else:
        yield path, str(detail)
