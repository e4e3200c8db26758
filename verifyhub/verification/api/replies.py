"""Replies to requests that send answers."""

from rest_framework.request import Request

from verifyhub.accounts.authentication import key_of
from verifyhub.common.api import ApiProblem
from verifyhub.ingest.waiting import TooManyWaitingError, check_room


def room_for(request: Request) -> None:
    """Refuse new answers if too many of the project wait already.

    Raises:
        ApiProblem: 429, with `Retry-After`.
    """
    try:
        check_room(key_of(request).project_id)
    except TooManyWaitingError as error:
        raise too_many(error) from error


def too_many(error: TooManyWaitingError) -> ApiProblem:
    """Return the error for more answers than are accepted now."""
    return ApiProblem(429, str(error), headers={"Retry-After": str(error.retry_after)})
