"""Do what a request asks for once, however often it is sent with one key."""

from typing import Any, cast

from rest_framework.request import Request

from verifyhub.accounts.models import ApiKey
from verifyhub.common.api import ApiProblem
from verifyhub.ingest.services import (
    IdempotencyKeyReusedError,
    Reply,
    reply_once,
)
from verifyhub.ingest.waiting import TooManyWaitingError, check_room
from verifyhub.verification.api.preferences import idempotency_key, request_digest


def once(request: Request, act: Any) -> Reply:
    """Act, or return the first reply to the same `Idempotency-Key`.

    Raises:
        ApiProblem: 422 if the key was first used with another request.
    """
    try:
        return reply_once(
            api_key=cast(ApiKey, request.auth),
            key=idempotency_key(request),
            request_sha256=request_digest(request),
            act=act,
        )
    except IdempotencyKeyReusedError as error:
        raise key_reused() from error


def room_for(request: Request) -> None:
    """Refuse what brings answers where too many of the project wait already.

    Raises:
        ApiProblem: 429, with `Retry-After`.
    """
    try:
        check_room(cast(ApiKey, request.auth).project_id)
    except TooManyWaitingError as error:
        raise too_many(error) from error


def too_many(error: TooManyWaitingError) -> ApiProblem:
    """The refusal of more than can be taken in now."""
    return ApiProblem(429, str(error), headers={"Retry-After": str(error.retry_after)})


def key_reused() -> ApiProblem:
    """The refusal of an `Idempotency-Key` that stands for another request."""
    message = "was first used with another request."
    return ApiProblem(
        422,
        f"The Idempotency-Key {message}",
        errors=(("Idempotency-Key", message),),
    )
