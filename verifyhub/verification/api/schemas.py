"""The OpenAPI description of the interactions' interface.

What comes in is described by the types that read it, replies by the types of their
bodies, verdicts by what is stored; tests hold real replies against them.
"""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
)

from verifyhub.common.api import page_parameters, page_shape
from verifyhub.common.api_schema import reply
from verifyhub.common.contract import json_schemas
from verifyhub.engine import types
from verifyhub.engine.deliberation.model import Step
from verifyhub.engine.mitigation.rewrite import Rewrite
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.verification.api import examples
from verifyhub.verification.api.bodies import (
    AcceptedBody,
    InteractionDetailBody,
    InteractionSummaryBody,
)
from verifyhub.verification.services import NewCheckSettings

PROBLEM = "application/problem+json"
PAGE_SIZE, MAX_PAGE_SIZE = 50, 200
# The components' names, where a class has another one.
NAMES = {
    "CheckResult": "Check",
    "ClaimResult": "FactClaim",
    "GoalResult": "Goal",
    "LayerResult": "Layer",
    "MentionResult": "Mention",
    "NewCheckSettings": "CheckSettings",
    "ReportWarning": "Warning",
    "Step": "DeliberationStep",
    "ValueResult": "Value",
    "VerificationReport": "Verdict",
}


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def components() -> dict[str, Any]:
    """Describe the components of operations; slow, so only for the document."""
    requests = json_schemas(
        [types.Interaction], {"Interaction": "InteractionRequest", "RunUsage": "Usage"}
    )
    stored = [VerificationReport, Rewrite, Step, NewCheckSettings]
    kinds = {**json_schemas([InteractionDetailBody], {}, "serialization"), **requests}
    sent = kinds["InteractionRequest"]["properties"]
    detail = kinds["InteractionDetail"]
    detail["properties"] = {**sent, **detail["properties"]}
    detail["required"] = list(detail["properties"])
    return {**kinds, **json_schemas(stored, NAMES, "serialization")}


def add_components(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add the schemas that operations refer to."""
    result.setdefault("components", {}).setdefault("schemas", {}).update(components())
    return result


class ApiKeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The security scheme of requests with an API key."""

    target_class = "verifyhub.accounts.authentication.ApiKeyAuthentication"
    name = "apiKey"

    def get_security_definition(self, _auto_schema: Any) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "An API key of the project, `vh_…`, with the scope listed "
            "in the operation.",
        }


def problems(**descriptions: str) -> dict[Any, OpenApiResponse]:
    shared = {
        "s401": "The API key is missing, unknown, revoked or expired.",
        "s403": "The key lacks the scope.",
        "s503": "The database is unavailable; see Retry-After.",
    }
    return {
        (int(name[1:]), PROBLEM): OpenApiResponse(ref("Problem"), description=text)
        for name, text in {**shared, **descriptions}.items()
    }


BODY_PROBLEMS = {
    "s400": "The JSON is malformed, or a field is invalid.",
    "s411": "`Content-Length` is missing.",
    "s413": "The body exceeds the size limit.",
    "s415": "The body is not plain UTF-8 JSON.",
    "s422": "The Idempotency-Key was already used with a different request.",
}
UNKNOWN = {"s404": "The project has no such interaction."}
GONE = {"s410": "It was deleted during the request."}
OUTPUTS_REMOVED = "the project's retention deleted the tool outputs"
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
    description="Up to 255 printable ASCII characters. A repeated request with the "
    "same key returns the first response.",
)
REFERENCE = OpenApiParameter(
    "reference",
    str,
    OpenApiParameter.PATH,
    description="Your own id of the interaction, or its UUID.",
)
ACCEPTED = OpenApiResponse(
    reply(AcceptedBody),
    description="Committed; the verdict is not ready yet.",
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
    description="A 2xx response means that the run is committed. With `Prefer: wait=N` "
    "the response is the verdict, if it is ready in time.",
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
                "s409": "The id is already used for different content.",
                "s422": "The parent does not exist, or the Idempotency-Key was already "
                "used with a different request.",
            }
        ),
    },
)
list_interactions = extend_schema(
    operation_id="listInteractions",
    tags=["interactions"],
    summary="List interactions, newest first (scope: read)",
    parameters=[
        *page_parameters(PAGE_SIZE, MAX_PAGE_SIZE),
        OpenApiParameter("session", str, description="Only this session."),
    ],
    responses={
        200: OpenApiResponse(
            page_shape(reply(InteractionSummaryBody)), description="One page."
        ),
        **problems(),
    },
)
read_interaction = extend_schema(
    operation_id="readInteraction",
    tags=["interactions"],
    summary="Read an interaction with its verdict (scope: read)",
    parameters=[REFERENCE],
    responses={
        200: OpenApiResponse(
            ref("InteractionDetail"), description="The interaction as sent."
        ),
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
