"""The OpenAPI description of the interactions' interface.

What comes in is described by the types that read it. The JSON Schemas of replies are
written out; tests hold real replies against them.
"""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
)

from verifyhub.common.contract import json_schemas
from verifyhub.engine import types
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.verification.api import examples
from verifyhub.verification.api.bulk_components import BULK_COMPONENTS
from verifyhub.verification.api.detection_components import DETECTION_SCHEMAS
from verifyhub.verification.api.ledger_schema import LEDGER_SCHEMAS
from verifyhub.verification.api.review_schema import REVIEW
from verifyhub.verification.api.transcript_components import TRANSCRIPT_COMPONENTS
from verifyhub.verification.api.verdict_schema import NAMES, RUN_SCHEMAS
from verifyhub.verification.api.work_schemas import WORK_SCHEMAS, WORK_TYPES
from verifyhub.verification.services import NewCheckSettings

PROBLEM = "application/problem+json"
STATES = ["pending", "running", "finished", "failed"]


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def _object(
    properties: dict[str, Any], required: list[str] | None = None, **more: Any
) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties) if required is None else required,
        "additionalProperties": False,
        **more,
    }


def _text(limit: int | None = None, **more: Any) -> dict[str, Any]:
    return {"type": "string", **({"maxLength": limit} if limit else {}), **more}


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    return {**schema, "type": [schema["type"], "null"]}


URI = _text(format="uri")
LINKS = _object({"self": URI, "verdict": URI, "page": URI})
STATE = {"type": "string", "enum": STATES}
AGENT = _object({"name": _text(), "tier": _text(), "role": _text()})
VERDICT_WORD = {"type": "string", "enum": ["accept", "uncertain", "reject", None]}
SUMMARY_FIELDS: dict[str, Any] = {
    "id": _text(description="Your id where you gave one, else the UUID."),
    "uuid": _text(format="uuid"),
    "state": _nullable({"type": "string", "enum": [*STATES, None]}),
    "created_at": _text(format="date-time"),
    "session": _nullable(_text()),
    "agent": AGENT,
    "verdict": _nullable(VERDICT_WORD),
    "confidence": _nullable({"type": "number", "minimum": 0, "maximum": 1}),
    "coverage": _nullable({"type": "number", "minimum": 0, "maximum": 1}),
    "links": LINKS,
}
DETAIL_FIELDS: dict[str, Any] = {
    "id": SUMMARY_FIELDS["id"],
    "uuid": SUMMARY_FIELDS["uuid"],
    "state": SUMMARY_FIELDS["state"],
    "error": _text(description="Why the verification failed, if it did."),
    "created_at": SUMMARY_FIELDS["created_at"],
    "agent": AGENT,
    "verdict": {"anyOf": [ref("Verdict"), {"type": "null"}]},
    "review": REVIEW,
    "verification_results": {
        "type": "array",
        "items": {"type": "object", "additionalProperties": True},
        "description": "Results of goal checks, oldest first.",
    },
    "links": LINKS,
}
COMPONENTS: dict[str, Any] = {
    **RUN_SCHEMAS,
    **WORK_SCHEMAS,
    **LEDGER_SCHEMAS,
    **DETECTION_SCHEMAS,
    **BULK_COMPONENTS,
    **TRANSCRIPT_COMPONENTS,
    "Accepted": _object(
        {
            "id": _text(),
            "state": STATE,
            "links": LINKS,
            "verification": ref("VerificationRun"),
        },
        ["id", "state", "links"],
    ),
    "InteractionSummary": _object(SUMMARY_FIELDS),
    "InteractionPage": _object(
        {
            "next": _nullable(URI),
            "previous": _nullable(URI),
            "results": {"type": "array", "items": ref("InteractionSummary")},
        }
    ),
}


def components() -> dict[str, Any]:
    """Describe what operations refer to; costly, so for the document alone."""
    requests = json_schemas(
        [types.Interaction], {"Interaction": "InteractionRequest", "RunUsage": "Usage"}
    )
    sent = requests["InteractionRequest"]["properties"]
    return {
        **requests,
        **json_schemas([VerificationReport, *WORK_TYPES], NAMES, "serialization"),
        **json_schemas([NewCheckSettings], NAMES, "serialization"),
        **COMPONENTS,
        "InteractionDetail": _object({**sent, **DETAIL_FIELDS}),
    }


def add_components(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Put the schemas that operations refer to into the document."""
    result.setdefault("components", {}).setdefault("schemas", {}).update(components())
    return result


class ApiKeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How a request says who it is."""

    target_class = "verifyhub.accounts.authentication.ApiKeyAuthentication"
    name = "apiKey"

    def get_security_definition(self, _auto_schema: Any) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "An API key of the project, `vh_…`, with the scope named"
            " at the operation.",
        }


def problems(**descriptions: str) -> dict[Any, OpenApiResponse]:
    shared = {
        "s401": "No API key, or one that is unknown, revoked or expired.",
        "s403": "The key lacks the scope.",
        "s503": "The database is away; see Retry-After.",
    }
    return {
        (int(name[1:]), PROBLEM): OpenApiResponse(ref("Problem"), description=text)
        for name, text in {**shared, **descriptions}.items()
    }


BODY_PROBLEMS = {
    "s400": "The JSON is malformed or refused, or a field cannot be used.",
    "s411": "The length of the body is not stated.",
    "s413": "The body is over the limit.",
    "s415": "The body is not plain UTF-8 JSON.",
    "s422": "The Idempotency-Key was used with another request.",
}
UNKNOWN = {"s404": "The project has no such interaction."}
GONE = {"s410": "It was deleted while the request waited for it."}
PREFER = OpenApiParameter(
    "Prefer",
    str,
    OpenApiParameter.HEADER,
    description="`wait=N`: wait up to N seconds, 30 at most, for the verdict.",
    examples=[OpenApiExample("Wait ten seconds", "wait=10")],
)
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="Up to 255 printable ASCII characters: the first reply to it is"
    " given again.",
)
REFERENCE = OpenApiParameter(
    "reference",
    str,
    OpenApiParameter.PATH,
    description="Your own id of the interaction, or its UUID.",
)
ACCEPTED = OpenApiResponse(
    ref("Accepted"),
    description="Committed; the verdict will come.",
    examples=[OpenApiExample("Accepted", examples.ACCEPTED)],
)
VERDICT = OpenApiResponse(
    ref("Verdict"),
    description="The verdict object.",
    examples=[OpenApiExample("Verdict", examples.VERDICT)],
)

post_interaction = extend_schema(
    operation_id="postInteraction",
    tags=["interactions"],
    summary="Send an agent's task, answer and tool calls (scope: ingest)",
    description="A 2xx means that the run is committed. With `Prefer: wait=N` the"
    " reply is the verdict, if it is ready in time.",
    parameters=[PREFER, IDEMPOTENCY_KEY],
    request={"application/json": ref("InteractionRequest")},
    examples=[OpenApiExample("A run", examples.INTERACTION, request_only=True)],
    responses={
        200: VERDICT,
        202: ACCEPTED,
        **problems(
            **{
                **BODY_PROBLEMS,
                **GONE,
                "s409": "The id names other content.",
                "s422": "The parent is not there, or the Idempotency-Key was used with"
                " another request.",
            }
        ),
    },
)
list_interactions = extend_schema(
    operation_id="listInteractions",
    tags=["interactions"],
    summary="List interactions, newest first (scope: read)",
    parameters=[
        OpenApiParameter("cursor", str, description="From `next` or `previous`."),
        OpenApiParameter(
            "limit", {"type": "integer", "minimum": 1}, description="At most 200."
        ),
        OpenApiParameter("session", str, description="Only this session."),
    ],
    responses={
        200: OpenApiResponse(ref("InteractionPage"), description="One page."),
        **problems(),
    },
)
read_interaction = extend_schema(
    operation_id="readInteraction",
    tags=["interactions"],
    summary="Read an interaction whole, with its verdict (scope: read)",
    parameters=[REFERENCE],
    responses={
        200: OpenApiResponse(ref("InteractionDetail"), description="As it was sent."),
        **problems(**UNKNOWN),
    },
)
read_verdict = extend_schema(
    operation_id="readVerdict",
    tags=["interactions"],
    summary="Read the newest verdict of an interaction (scope: read)",
    parameters=[REFERENCE, PREFER],
    responses={
        200: VERDICT,
        202: ACCEPTED,
        **problems(
            **UNKNOWN, **GONE, s409="The verification failed; there is no verdict."
        ),
    },
)
