"""Handle requests with an `Idempotency-Key` exactly once."""

import hashlib
from collections.abc import Callable
from functools import wraps
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from verifyhub.accounts.authentication import key_of
from verifyhub.common.api import ApiProblem
from verifyhub.ingest.services import (
    IdempotencyKeyReusedError,
    StoredReply,
    reply_once,
)

MAX_IDEMPOTENCY_KEY = 255
View = Callable[..., Response]


def idempotent(view: View) -> View:
    """Let a view that creates something accept an `Idempotency-Key`.

    A repeated request with the same key gets the first reply again; a refused request
    does not use up its key. The view's OpenAPI description is extended accordingly. Not
    for replies with a secret, which would be stored with the reply.
    """

    @wraps(view)
    def answered(
        instance: Any, request: Request, *args: Any, **kwargs: Any
    ) -> Response:
        def act() -> tuple[int, Any]:
            response = view(instance, request, *args, **kwargs)
            return response.status_code, response.data

        reply = once(request, act)
        headers = {"Idempotent-Replayed": "true"} if reply.replayed else {}
        return Response(reply.body, status=reply.status_code, headers=headers)

    answered.takes_idempotency_key = True  # type: ignore[attr-defined]
    return answered


def once(request: Request, act: Any) -> StoredReply:
    """Call `act`, or return the first reply to the same `Idempotency-Key`.

    Raises:
        ApiProblem: 422 if the key was already used with a different request.
    """
    key = idempotency_key(request)
    try:
        return reply_once(
            api_key=key_of(request),
            key=key,
            request_sha256=request_digest(request) if key else "",
            act=act,
        )
    except IdempotencyKeyReusedError as error:
        raise key_reused() from error


def idempotency_key(request: Request) -> str | None:
    """Return the `Idempotency-Key`, if one was sent.

    Raises:
        ApiProblem: 400 if it is empty, longer than 255 characters or not printable.
    """
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if (
        not 1 <= len(key) <= MAX_IDEMPOTENCY_KEY
        or not key.isascii()
        or not (key.isprintable())
    ):
        message = f"must be 1 to {MAX_IDEMPOTENCY_KEY} printable ASCII characters."
        raise ApiProblem(
            400,
            "The Idempotency-Key cannot be used.",
            errors=(("Idempotency-Key", message),),
        )
    return key


def request_digest(request: Request) -> str:
    """Return the SHA-256 of method, URL and body, the request that a key belongs to."""
    digest = hashlib.sha256(f"{request.method} {request.get_full_path()}\n".encode())
    digest.update(request.body)
    return digest.hexdigest()


def key_reused() -> ApiProblem:
    """Return the error for an `Idempotency-Key` of another request."""
    message = "was already used with a different request."
    return ApiProblem(
        422,
        f"The Idempotency-Key {message}",
        errors=(("Idempotency-Key", message),),
    )
