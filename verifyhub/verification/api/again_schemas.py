"""The OpenAPI description of verifying an interaction again."""

from drf_spectacular.utils import OpenApiResponse, extend_schema

from verifyhub.common.api import PAGE_PARAMETERS
from verifyhub.verification.api.schemas import (
    ACCEPTED,
    BODY_PROBLEMS,
    GONE,
    IDEMPOTENCY_KEY,
    PREFER,
    REFERENCE,
    UNKNOWN,
    VERDICT,
    problems,
    ref,
)

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
            **UNKNOWN, **BODY_PROBLEMS, **GONE, s409="A verification is waiting."
        ),
    },
)
list_verifications = extend_schema(
    operation_id="listVerifications",
    tags=["interactions"],
    summary="List the verifications of an interaction, newest first (scope: read)",
    parameters=[REFERENCE, *PAGE_PARAMETERS],
    responses={
        200: OpenApiResponse(ref("VerificationRuns"), description="One page."),
        **problems(**UNKNOWN),
    },
)
open_verification = extend_schema(
    operation_id="openVerification",
    tags=["interactions"],
    summary="Verify an interaction again, as strictly as chosen (scope: review)",
    parameters=[REFERENCE, PREFER, IDEMPOTENCY_KEY],
    request={"application/json": ref("VerificationRequest")},
    responses={
        200: VERDICT,
        202: ACCEPTED,
        **problems(
            **UNKNOWN, **BODY_PROBLEMS, **GONE, s409="A verification is waiting."
        ),
    },
)
