"""The parts of the OpenAPI document that every operation shares.

Views describe what is specific to them. This module adds the rest: errors, the
headers of every reply, the required scope.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from http import HTTPStatus
from typing import Any, cast

from django.conf import settings
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from verifyhub.common.api import PROBLEM_JSON, ProblemBody
from verifyhub.common.api_strictness import narrow
from verifyhub.common.contract import BODY, json_schemas

PROBLEM_EXAMPLE = {
    "type": "about:blank",
    "title": "Not Found",
    "status": 404,
    "detail": "This project has no such interaction.",
    "errors": [],
    "request_id": "4d1f3a52-6f0e-4e0b-9a61-0f6f0c9d2b11",
}
# Replies of every operation, by status: the component and its description.
ANYWHERE = {
    "400": ("Refused", "A parameter is unknown or cannot be used; `errors` names it."),
    "401": ("Unknown", "The API key is missing, unknown, revoked or expired."),
    "403": ("Forbidden", "The key lacks the scope."),
    "406": ("NotAcceptable", "No supported format matches `Accept`."),
    "429": (
        "TooMany",
        "Rate limit exceeded for the key or its project; see Retry-After.",
    ),
    "503": ("Away", "The database is unavailable; see Retry-After."),
}
WITH_ID = {"404": ("NotFound", "The project has nothing with this id.")}
WITH_BODY = {
    "400": ("Refused", "The JSON is malformed, or a field is invalid."),
    "411": ("NoLength", "`Content-Length` is missing."),
    "413": ("TooLarge", "The body exceeds the size limit."),
    "415": (
        "WrongKind",
        "The content type is not supported, or the body is not UTF-8.",
    ),
}
WITH_IDEMPOTENCY_KEY = {
    "422": ("Reused", "The Idempotency-Key was already used with a different request.")
}
IDEMPOTENCY_KEY: dict[str, Any] = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "Up to 255 printable ASCII characters. A repeated request with the "
    "same key returns the first response.",
    "schema": {"type": "string"},
}
SWITCH = frozenset({"true", "false"})
RETRIED = ("429", "503")
HEADERS: dict[str, Any] = {
    "X-Request-ID": ("Identifies the request in the server log.", {"type": "string"}),
    "RateLimit-Policy": (
        "The rate limits, as `name;q=requests;w=seconds`.",
        {"type": "string", "examples": ['"key";q=30000;w=60, "project";q=60000;w=60']},
    ),
    "RateLimit": (
        "Remaining requests, as `name;r=requests;t=seconds until reset`.",
        {"type": "string", "examples": ['"key";r=29999;t=1, "project";r=59999;t=1']},
    ),
    "RateLimit-Limit": (
        "Requests allowed by the limit closest to exhaustion.",
        {"type": "integer", "minimum": 0},
    ),
    "RateLimit-Remaining": (
        "Remaining requests of that limit.",
        {"type": "integer", "minimum": 0},
    ),
    "RateLimit-Reset": (
        "Seconds until that limit resets.",
        {"type": "integer", "minimum": 0},
    ),
}
RETRY_AFTER = ("Seconds to wait before retrying.", {"type": "integer"})


_REPLIES: dict[str, type] = {}


def reply(kind: type) -> dict[str, str]:
    """Return a reference to a reply's component, and add it to the document.

    Raises:
        ValueError: If another type's component has the same name.
    """
    name = kind.__name__.removesuffix(BODY)
    if _REPLIES.setdefault(name, kind) is not kind:
        raise ValueError(f"Two replies are called {name}.")
    return {"$ref": f"#/components/schemas/{name}"}


@dataclass(frozen=True, slots=True)
class Parameter:
    """The properties of a query parameter that are the same for every view.

    Attributes:
        choices: The allowed values; empty if the view decides.
        is_free: Whether it may be any text, even an empty one.
        is_many: Whether it may be repeated.
        is_day: Whether it is a date.
    """

    name: str
    choices: frozenset[str] = frozenset()
    is_free: bool = False
    is_many: bool = False
    is_day: bool = False


class DescribedView(AutoSchema):
    """The schema of one operation, with the parts that all share."""

    method: str

    def get_operation(self, *args: Any) -> dict[str, Any] | None:
        """Return the view's description of the operation, completed."""
        operation = super().get_operation(*args)
        if operation is not None:
            self._name_scope(operation)
            handler = getattr(self.view, self.method.lower(), None)
            if getattr(handler, "takes_idempotency_key", False):
                # A copy, since operations restrict it differently.
                operation.setdefault("parameters", []).append({**IDEMPOTENCY_KEY})
            free = {
                parameter.name: parameter.is_free for parameter in self.parameters()
            }
            narrow(operation, free=free)
            _complete(operation, self.path)
        return operation

    def get_tags(self) -> list[str]:
        """Return the group of the operation in the document."""
        return [settings.API_TAGS.get(name, name) for name in super().get_tags()]

    def parameters(self) -> Iterator["Parameter"]:
        """Every query parameter of the operation."""
        for parameter in self.get_override_parameters():
            if not isinstance(parameter, OpenApiParameter):
                for field in fields(cast(Any, parameter)):
                    yield Parameter(field.name, is_free=field.default == "")
            elif parameter.location == OpenApiParameter.QUERY:
                kind = parameter.type
                yield Parameter(
                    parameter.name,
                    choices=_choices(parameter),
                    is_free=_is_free(parameter),
                    is_many=bool(parameter.many)
                    or (isinstance(kind, dict) and "items" in kind),
                    is_day=parameter.type is OpenApiTypes.DATE,
                )

    def _process_override_parameters(self, direction: str = "request") -> Any:
        described: dict[Any, Any] = super()._process_override_parameters(direction)  # type: ignore[no-untyped-call]
        for parameter in filter(None, described.values()):
            shape = parameter["schema"]
            if isinstance(shape.get("type"), list):  # No part of an address is null.
                (shape["type"],) = {*shape["type"]} - {"null"}
            if None in shape.get("enum", ()):
                shape["enum"] = [word for word in shape["enum"] if word is not None]
        return described

    def _name_scope(self, operation: dict[str, Any]) -> None:
        handler = getattr(self.view, self.method.lower(), None)
        scope = getattr(handler, "scope", None)
        if scope is None:
            return
        operation["x-scope"] = scope
        summary = operation.get("summary", "")
        if f"scope: {scope}" not in summary:
            operation["summary"] = f"{summary} (scope: {scope})"


def _choices(parameter: OpenApiParameter) -> frozenset[str]:
    if parameter.type in (bool, OpenApiTypes.BOOL):
        return SWITCH
    return frozenset(map(str, parameter.enum or ()))


def _is_free(parameter: OpenApiParameter) -> bool:
    if isinstance(parameter.type, dict):
        return parameter.type.get("minLength") == 0
    if parameter.enum:
        return "" in parameter.enum
    return parameter.type is str and parameter.name != "cursor"


def _complete(operation: dict[str, Any], path: str) -> None:
    """Add the error replies of operations of this kind, and the headers."""
    replies = operation["responses"]
    if "otlp" not in operation.get("tags", ()):
        refusals = dict(ANYWHERE)
        if "{" in path:
            refusals |= WITH_ID
        if "requestBody" in operation:
            refusals |= WITH_BODY
        names = {parameter["name"] for parameter in operation.get("parameters", ())}
        if "Idempotency-Key" in names:
            refusals |= WITH_IDEMPOTENCY_KEY
        for status, (name, _) in refusals.items():
            replies.setdefault(status, {"$ref": f"#/components/responses/{name}"})
    for status, reply in replies.items():
        if "$ref" in reply:
            continue
        reply["headers"] = {**headers_of(status), **reply.get("headers", {})}
        if int(status) >= HTTPStatus.BAD_REQUEST and not reply.get("content"):
            reply["content"] = problem_content()
    operation["responses"] = dict(sorted(replies.items()))


def headers_of(status: str) -> dict[str, Any]:
    """Return the headers of a reply, as references."""
    names = [*HEADERS, *(["Retry-After"] if status in RETRIED else [])]
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def problem_content() -> dict[str, Any]:
    """Return problem details as the content of a reply."""
    return {PROBLEM_JSON: {"schema": {"$ref": "#/components/schemas/Problem"}}}


def add_shared(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add the components that operations refer to."""
    components = result.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    schemas |= json_schemas([*_REPLIES.values(), ProblemBody], {}, "serialization")
    headers = {**HEADERS, "Retry-After": RETRY_AFTER}
    components["headers"] = {
        name: {"description": text, "schema": schema}
        for name, (text, schema) in headers.items()
    }
    shared = {**ANYWHERE, **WITH_ID, **WITH_IDEMPOTENCY_KEY, **WITH_BODY}
    components["responses"] = {
        name: {
            "description": text,
            "headers": headers_of(status),
            "content": {
                PROBLEM_JSON: {
                    "schema": {"$ref": "#/components/schemas/Problem"},
                    "examples": {
                        "Problem": {
                            "value": {
                                **PROBLEM_EXAMPLE,
                                "title": HTTPStatus(int(status)).phrase,
                                "status": int(status),
                                "detail": text,
                            }
                        }
                    },
                }
            },
        }
        for status, (name, text) in shared.items()
    }
    return result
