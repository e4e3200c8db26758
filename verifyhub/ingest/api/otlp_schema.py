"""The OpenAPI description of the spans' interface."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiResponse

from verifyhub.common.api_bodies import operation
from verifyhub.ingest.formats.otlp.bodies import JSON, PROTOBUF

REQUEST: dict[str, Any] = {
    "resourceSpans": [
        {
            "resource": {
                "attributes": [
                    {"key": "service.name", "value": {"stringValue": "shop-agent"}}
                ]
            },
            "scopeSpans": [
                {
                    "scope": {"name": "my.agent"},
                    "spans": [
                        {
                            "traceId": "5b8efff798038103d269b633813fc60c",
                            "spanId": "eee19b7ec3c1b174",
                            "name": "invoke_agent shop-agent",
                            "kind": 1,
                            "startTimeUnixNano": "1763740800000000000",
                            "endTimeUnixNano": "1763740803000000000",
                            "attributes": [
                                {
                                    "key": "gen_ai.operation.name",
                                    "value": {"stringValue": "invoke_agent"},
                                }
                            ],
                        }
                    ],
                }
            ],
        }
    ]
}
REPLY = {
    "partialSuccess": {
        "rejectedSpans": "1",
        "errorMessage": "A trace id is not 32 hexadecimal digits.",
    }
}
STATUS = {"code": 3, "message": "The body is not an ExportTraceServiceRequest."}

_OBJECT: dict[str, Any] = {"type": "object", "additionalProperties": True}
_STATUS_SCHEMA = {
    "type": "object",
    "properties": {"code": {"type": "integer"}, "message": {"type": "string"}},
    "required": ["code", "message"],
    "description": "google.rpc.Status.",
}
_REFUSALS = {
    400: "The body is invalid.",
    401: "The API key is missing, unknown, revoked or expired.",
    403: "The key lacks the scope.",
    413: "The body is too large, compressed or uncompressed.",
    415: (
        "The body is neither protobuf nor JSON, or uses another compression than gzip."
    ),
    429: "Too many traces are waiting; see Retry-After.",
    503: "The database is unavailable; see Retry-After.",
}


def _request(resources: str, message: str) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": {resources: {"type": ["array", "null"], "items": _OBJECT}},
        "description": f"{message} of OTLP; unknown fields are ignored.",
    }
    return {PROTOBUF: OpenApiTypes.BINARY, JSON: schema}


def _responses(rejected: str) -> dict[tuple[int, str], OpenApiResponse]:
    texts = {"type": "string"}
    partial = {
        "type": "object",
        "properties": {rejected: texts, "errorMessage": texts},
    }
    stored = {"type": "object", "properties": {"partialSuccess": partial}}
    shapes = [(200, "Stored.", stored)]
    shapes += [(status, text, _STATUS_SCHEMA) for status, text in _REFUSALS.items()]
    return {
        (status, kind): OpenApiResponse(
            schema if kind == JSON else OpenApiTypes.BINARY, description=text
        )
        for status, text, schema in shapes
        for kind in (JSON, PROTOBUF)
    }


class BasicKeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The security scheme of exporters that only support Basic authentication."""

    target_class = "verifyhub.accounts.authentication.BasicKeyAuthentication"
    name = "basicKey"

    def get_security_definition(self, _auto_schema: Any) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "basic",
            "description": "An API key as the password; the user name is ignored.",
        }


export_traces = operation(
    None,
    "Send spans over OTLP/HTTP",
    scope="ingest",
    tags=["otlp"],
    description=(
        "Set `OTEL_EXPORTER_OTLP_ENDPOINT` to this server. Spans may arrive in any "
        "order, late or more than once. A trace becomes an interaction when its root "
        "span ends, or when no more spans arrive."
    ),
    request=_request("resourceSpans", "ExportTraceServiceRequest"),
    replies=_responses("rejectedSpans"),
    examples=[
        OpenApiExample("One span", REQUEST, request_only=True, media_type=JSON),
        OpenApiExample(
            "One of them refused",
            REPLY,
            response_only=True,
            media_type=JSON,
            status_codes=["200"],
        ),
        OpenApiExample(
            "Refused",
            STATUS,
            response_only=True,
            media_type=JSON,
            status_codes=["400"],
        ),
    ],
)
LOGS_REQUEST: dict[str, Any] = {
    "resourceLogs": [
        {
            "scopeLogs": [
                {
                    "scope": {"name": "my.agent"},
                    "logRecords": [
                        {
                            "traceId": "5b8efff798038103d269b633813fc60c",
                            "spanId": "eee19b7ec3c1b174",
                            "eventName": "gen_ai.user.message",
                            "timeUnixNano": "1763740800000000000",
                            "body": {
                                "kvlistValue": {
                                    "values": [
                                        {
                                            "key": "content",
                                            "value": {"stringValue": "Is it there?"},
                                        }
                                    ]
                                }
                            },
                        }
                    ],
                }
            ]
        }
    ]
}
export_logs = operation(
    None,
    "Send log records over OTLP/HTTP",
    scope="ingest",
    tags=["otlp"],
    description=(
        "Older instrumentation libraries write messages as log records: `gen_ai.*` "
        "events with the ids of their span. VerifyHub reads them as events of that "
        "span, in any order. Other records are not stored and count as rejected."
    ),
    request=_request("resourceLogs", "ExportLogsServiceRequest"),
    replies=_responses("rejectedLogRecords"),
    examples=[
        OpenApiExample("A message", LOGS_REQUEST, request_only=True, media_type=JSON)
    ],
)
