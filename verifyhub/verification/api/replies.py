"""Replies to requests that send answers or start work."""

from collections.abc import Mapping

from rest_framework.request import Request
from rest_framework.response import Response

from verifyhub.accounts.authentication import key_of
from verifyhub.common.api import ApiProblem
from verifyhub.ingest.services import StoredReply
from verifyhub.ingest.waiting import TooManyWaitingError
from verifyhub.verification.services import check_room

RETRY_AFTER_SECONDS = "1"


def replied(reply: StoredReply, headers: Mapping[str, str] | None = None) -> Response:
    """Return a stored reply; a 202 says where to look for the result, and when."""
    own = dict(headers or {})
    if reply.status_code == 202:
        own["Retry-After"] = RETRY_AFTER_SECONDS
        own["Location"] = reply.body["links"]["self"]
    if reply.replayed:
        own["Idempotent-Replayed"] = "true"
    return Response(reply.body, status=reply.status_code, headers=own)


def room_for(request: Request) -> None:
    """Refuse new answers if too many of the project wait already.

    Raises:
        ApiProblem: 429, with `Retry-After`.
    """
    try:
        check_room(key_of(request).project_id, 1)
    except TooManyWaitingError as error:
        raise too_many(error) from error


def too_many(error: TooManyWaitingError) -> ApiProblem:
    """Return the error for more answers than are accepted now."""
    return ApiProblem(429, str(error), headers={"Retry-After": str(error.retry_after)})
