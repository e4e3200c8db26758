"""The OpenAPI description of the interactions' interface.

What comes in is described by the types that read it, replies by the types of their
bodies, verdicts by what is stored; tests hold real replies against them.
"""

from dataclasses import dataclass
from typing import Annotated, Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
)
from pydantic import Field

from verifyhub.common.api import PAGE_PARAMETERS, page_parameters
from verifyhub.common.api_bodies import operation, shown, shown_page
from verifyhub.common.contract import ContractModel, json_schemas
from verifyhub.engine import types
from verifyhub.engine.deliberation.model import Step
from verifyhub.engine.ledger.shown import LedgerBody
from verifyhub.engine.mitigation.rewrite import Rewrite
from verifyhub.engine.presets.strictness import Strictness
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.verification.api import examples
from verifyhub.verification.api.bodies import (
    AcceptedBody,
    InteractionDetailBody,
    InteractionSummaryBody,
    VerificationRunBody,
)
from verifyhub.verification.services import NewCheckSettings

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


@dataclass(frozen=True, slots=True, kw_only=True)
class ReverifyRequest(ContractModel):
    """How to verify an interaction again."""

    strictness: Strictness | None = None
    """The preset; null for the project's preset."""
    layers: Annotated[bool, Field(strict=True)] = False
    """Run the detection layers, regardless of the project's settings."""


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


GONE = "It was deleted during the request."
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
ACCEPTED = shown(
    AcceptedBody, examples.ACCEPTED, "Committed; the verdict is not ready yet."
)
VERDICT = OpenApiResponse(
    ref("Verdict"),
    description="The verdict object.",
    examples=[OpenApiExample("Verdict", examples.VERDICT)],
)

post_interaction = operation(
    "postInteraction",
    "Send an agent's task, answer and tool calls",
    scope="ingest",
    description="A 2xx response means that the run is committed. With `Prefer: wait=N` "
    "the response is the verdict, if it is ready in time.",
    parameters=[PREFER, IDEMPOTENCY_KEY],
    request={"application/json": ref("InteractionRequest")},
    example=examples.INTERACTION,
    replies={200: VERDICT, 202: ACCEPTED},
    refusals={
        410: GONE,
        409: "The id is already used for different content.",
        422: "The parent does not exist, or the Idempotency-Key was already "
        "used with a different request.",
    },
)
list_interactions = operation(
    "listInteractions",
    "List interactions, newest first",
    scope="read",
    parameters=[
        *page_parameters(PAGE_SIZE, MAX_PAGE_SIZE),
        OpenApiParameter("session", str, description="Only this session."),
    ],
    replies={200: shown_page(InteractionSummaryBody)},
)
read_interaction = operation(
    "readInteraction",
    "Read an interaction with its verdict",
    scope="read",
    parameters=[REFERENCE],
    replies={
        200: OpenApiResponse(
            ref("InteractionDetail"), description="The interaction as sent."
        )
    },
)
read_verdict = operation(
    "readVerdict",
    "Read the newest verdict of an interaction",
    scope="read",
    parameters=[REFERENCE, PREFER],
    replies={200: VERDICT, 202: ACCEPTED},
    refusals={410: GONE, 409: "The verification failed; there is no verdict."},
)

# Both ways to verify again.
_AGAIN: dict[str, Any] = {
    "parameters": [REFERENCE, PREFER, IDEMPOTENCY_KEY],
    "replies": {200: VERDICT, 202: ACCEPTED},
    "refusals": {
        409: f"A verification is pending, or {OUTPUTS_REMOVED}.",
        410: GONE,
    },
}
reverify_interaction = operation(
    "reverifyInteraction",
    "Verify an interaction again",
    scope="ingest",
    request=None,
    **_AGAIN,
)
list_verifications = operation(
    "listVerifications",
    "List the verifications of an interaction, newest first",
    scope="read",
    parameters=[REFERENCE, *PAGE_PARAMETERS],
    replies={200: shown_page(VerificationRunBody)},
)
open_verification = operation(
    "openVerification",
    "Verify an interaction again with a chosen strictness",
    scope="review",
    request=ReverifyRequest,
    **_AGAIN,
)
read_ledger = operation(
    "readLedger",
    "Read the ledger of a run",
    scope="read",
    parameters=[REFERENCE],
    replies={200: shown(LedgerBody, None, "All tables with their first rows.")},
    refusals={409: f"There is no ledger: {OUTPUTS_REMOVED}."},
)
