"""The OpenAPI description of verifying an interaction again."""

from dataclasses import dataclass
from typing import Annotated

from drf_spectacular.utils import OpenApiResponse, extend_schema
from pydantic import Field

from verifyhub.common.api import PAGE_PARAMETERS, page_shape
from verifyhub.common.api_schema import reply
from verifyhub.common.contract import ContractModel
from verifyhub.engine.presets.strictness import Strictness
from verifyhub.verification.api.bodies import VerificationRunBody
from verifyhub.verification.api.schemas import (
    ACCEPTED,
    BODY_PROBLEMS,
    GONE,
    IDEMPOTENCY_KEY,
    OUTPUTS_REMOVED,
    PREFER,
    REFERENCE,
    UNKNOWN,
    VERDICT,
    problems,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReverifyRequest(ContractModel):
    """How to verify an interaction again."""

    strictness: Strictness | None = None
    """The preset; null for the project's preset."""
    layers: Annotated[bool, Field(strict=True)] = False
    """Run the detection layers, regardless of the project's settings."""


reverify_interaction = extend_schema(
    operation_id="reverifyInteraction",
    tags=["interactions"],
    summary="Verify an interaction again (scope: ingest)",
    parameters=[REFERENCE, PREFER, IDEMPOTENCY_KEY],
    request=None,
    responses={
        200: VERDICT,
        202: ACCEPTED,
        **problems(
            **UNKNOWN,
            **BODY_PROBLEMS,
            **GONE,
            s409=f"A verification is pending, or {OUTPUTS_REMOVED}.",
        ),
    },
)
list_verifications = extend_schema(
    operation_id="listVerifications",
    tags=["interactions"],
    summary="List the verifications of an interaction, newest first (scope: read)",
    parameters=[REFERENCE, *PAGE_PARAMETERS],
    responses={
        200: OpenApiResponse(
            page_shape(reply(VerificationRunBody)), description="One page."
        ),
        **problems(**UNKNOWN),
    },
)
open_verification = extend_schema(
    operation_id="openVerification",
    tags=["interactions"],
    summary="Verify an interaction again with a chosen strictness (scope: review)",
    parameters=[REFERENCE, PREFER, IDEMPOTENCY_KEY],
    request=ReverifyRequest,
    responses={
        200: VERDICT,
        202: ACCEPTED,
        **problems(
            **UNKNOWN,
            **BODY_PROBLEMS,
            **GONE,
            s409=f"A verification is pending, or {OUTPUTS_REMOVED}.",
        ),
    },
)
