"""Send runs to the server and fetch their verdicts, as steps.

A request that may have arrived is sent again with the same `Idempotency-Key` and id, so
that nothing is stored twice.
"""

import hashlib
import json
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import quote
from uuid import UUID

from verifyhub_client.errors import (
    ConnectionBrokenError,
    HubRefusedError,
    HubUnavailableError,
    VerdictPendingError,
    VerificationFailedError,
)
from verifyhub_client.replies import ReplyError, read_json
from verifyhub_client.steps import Pause, Request, Response, Steps
from verifyhub_client.verdict import NoVerdictError, Verdict

API = "/api/v1"
MAX_WAIT_SECONDS = 30
# The time of a request beyond the seconds that the server is asked to wait.
GRACE_SECONDS = 10.0
# The pause between two requests for an opinion, unless the server sets one.
OPINION_PAUSE_SECONDS = 15.0
# The reason of a verdict without the opinion of a model.
AWAITING_VERIFIER = "awaiting_verifier"
TEMPORARY = frozenset(
    {
        HTTPStatus.REQUEST_TIMEOUT,
        HTTPStatus.TOO_EARLY,
        HTTPStatus.TOO_MANY_REQUESTS,
        HTTPStatus.INTERNAL_SERVER_ERROR,
        HTTPStatus.BAD_GATEWAY,
        HTTPStatus.SERVICE_UNAVAILABLE,
        HTTPStatus.GATEWAY_TIMEOUT,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Limits of retries and waits.

    Attributes:
        tries: Consecutive requests without a usable reply after which the server counts
            as unavailable.
        first_pause_seconds: The pause before the second try; doubled for each further
            one, and shortened at random to spread clients over time.
        longest_pause_seconds: The maximum pause, whatever the server requests.
        verdict_seconds: The total time for the verdict on one answer.
        opinion_seconds: Additional time for a model's opinion that a verdict lacks; the
            server requests it again by itself. 0 for none.
    """

    tries: int = 4
    first_pause_seconds: float = 0.5
    longest_pause_seconds: float = 30.0
    verdict_seconds: float = 120.0
    opinion_seconds: float = 0.0

    def __post_init__(self) -> None:
        if self.tries < 1:
            raise ValueError("at least one try is needed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Guarded:
    """The findings in a draft; `ok` if there are none.

    Each finding has `text`, `kind`, `span`, `reason`, `suggestion` and `constraint`;
    its names are untrusted data.
    """

    ok: bool
    findings: tuple[Mapping[str, Any], ...] = ()


def check_steps(body: Mapping[str, Any], patience: Patience) -> Steps[Verdict]:
    """Send one run and fetch its verdict.

    Args:
        body: The document of the run, with an `id`.
        patience: Limits of retries and waits.

    Raises:
        HubUnavailableError, HubRefusedError, VerificationFailedError,
        VerdictPendingError: See `errors`.
    """
    end = time.monotonic() + patience.verdict_seconds
    data = json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    headers = {
        "Content-Type": "application/json",
        "Idempotency-Key": hashlib.sha256(data).hexdigest(),
    }
    reply = yield from _reliably(
        "POST", f"{API}/interactions/", patience, end, headers=headers, body=data
    )
    where = f"{API}/interactions/{_reference(reply, str(body['id']))}/verdict/"
    while reply.status == HTTPStatus.ACCEPTED:
        if time.monotonic() >= end:
            raise VerdictPendingError(str(body["id"]))
        left = max(0.0, end - time.monotonic())
        yield Pause(min(asked_pause(reply) or 1.0, left))
        reply = yield from _reliably("GET", where, patience, end, fetching=True)
    return (yield from _with_opinion(_verdict(reply), where, patience))


def _with_opinion(first: Verdict, where: str, patience: Patience) -> Steps[Verdict]:
    """Fetch a verdict again while an opinion is missing, up to `opinion_seconds`.

    After that, the valid verdict without the opinion is returned.
    """
    verdict, end = first, time.monotonic() + patience.opinion_seconds
    while verdict.reason == AWAITING_VERIFIER:
        left = end - time.monotonic()
        if left <= 0:
            break
        yield Pause(min(verdict.retry_after_seconds or OPINION_PAUSE_SECONDS, left))
        try:
            reply = yield from _reliably("GET", where, patience, end, fetching=True)
        except (HubUnavailableError, VerificationFailedError):
            break
        if reply.status == HTTPStatus.OK:
            verdict = _verdict(reply)
    return verdict


def context_steps(
    session: str,
    task: str,
    budget: int,
    patience: Patience,
    format: str = "text",  # noqa: A002 - the API's own word
) -> Steps[str]:
    """Fetch the context of a session, in a format of the API.

    Raises:
        HubUnavailableError, HubRefusedError: See `errors`.
    """
    reply = yield from _reliably(
        "GET",
        f"{API}/sessions/{quote(session, safe='')}/context/",
        patience,
        time.monotonic() + patience.verdict_seconds,
        query={"task": task[:2000], "budget": str(budget), "format": format},
        wait=False,
    )
    try:
        return reply.body.decode()
    except UnicodeDecodeError as error:
        raise HubUnavailableError("the context is no text") from error


def guard_steps(text: str, patience: Patience) -> Steps[Guarded]:
    """Check a draft with the names of the project.

    Raises:
        HubUnavailableError, HubRefusedError: See `errors`.
    """
    reply = yield from _reliably(
        "POST",
        f"{API}/guard/",
        patience,
        time.monotonic() + patience.verdict_seconds,
        headers={"Content-Type": "application/json"},
        body=json.dumps({"text": text}, ensure_ascii=False).encode(),
        wait=False,
    )
    try:
        data = read_json(reply.body)
        return Guarded(ok=bool(data["ok"]), findings=tuple(data["findings"]))
    except (ReplyError, LookupError, TypeError) as error:
        raise HubUnavailableError("the reply is no finding of the guard") from error


def _reliably(
    method: str,
    path: str,
    patience: Patience,
    end: float,
    *,
    headers: Mapping[str, str] | None = None,
    query: Mapping[str, str] | None = None,
    body: bytes | None = None,
    fetching: bool = False,
    wait: bool = True,
) -> Steps[Response]:
    """Send until there is a usable reply, at most `patience.tries` times."""
    problem = ""
    for number in range(1, patience.tries + 1):
        left = max(1.0, end - time.monotonic())
        seconds = int(min(MAX_WAIT_SECONDS, left))
        preference = {"Prefer": f"wait={seconds}"} if wait else {}
        request = Request(
            method=method,
            path=path,
            query=query or {},
            headers={**(headers or {}), **preference},
            body=body,
            timeout_seconds=seconds + GRACE_SECONDS,
        )
        asked = 0.0
        try:
            reply: Response = yield request
        except ConnectionBrokenError as error:
            problem = str(error)
        else:
            if reply.status not in TEMPORARY:
                return _usable(reply, fetching=fetching)
            problem, asked = f"status {reply.status}", asked_pause(reply)
        if number == patience.tries or time.monotonic() >= end:
            break
        yield Pause(_pause(number, asked, patience))
    raise HubUnavailableError(f"VerifyHub gave no usable reply: {problem}")


def _pause(number: int, asked: float, patience: Patience) -> float:
    longest = patience.longest_pause_seconds
    return max(
        min(asked, longest), backoff(number, patience.first_pause_seconds, longest)
    )


def backoff(number: int, first: float, longest: float) -> float:
    """Return the randomised seconds to wait after `number` consecutive failures."""
    pause = min(longest, first * 2.0 ** min(number - 1, 30))
    # Spreads clients over time; nothing secret depends on it.
    return pause * random.uniform(0.5, 1.0)  # noqa: S311


def asked_pause(reply: Response) -> float:
    """Return the seconds in `Retry-After`, a number or a date; 0 without it."""
    text = reply.headers.get("retry-after", "")
    if text.isascii() and text.isdecimal():
        return float(text)
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return 0.0
    return max(0.0, at.timestamp() - time.time())


def _usable(reply: Response, *, fetching: bool) -> Response:
    if reply.status in {HTTPStatus.OK, HTTPStatus.ACCEPTED}:
        return reply
    if reply.status == HTTPStatus.CONFLICT and fetching:
        raise VerificationFailedError("the server could not verify this answer")
    detail, errors = problem_of(reply)
    raise HubRefusedError(reply.status, detail, errors)


def problem_of(reply: Response) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the text of an error reply, and its invalid fields with reasons."""
    try:
        data = read_json(reply.body)
        errors = tuple((str(e["field"]), str(e["message"])) for e in data["errors"])
        return str(data["detail"])[:500], errors[:20]
    except (ReplyError, LookupError, TypeError):
        return "the server refused the request", ()


def _reference(reply: Response, own_id: str) -> str:
    """Return the id of the interaction in URLs: the server's, or else the own one."""
    if reply.status == HTTPStatus.ACCEPTED:
        try:
            data = read_json(reply.body)
            return str(UUID(data["links"]["self"].rstrip("/").rpartition("/")[2]))
        except (ReplyError, LookupError, TypeError, ValueError, AttributeError):
            pass
    return quote(own_id, safe="")


def _verdict(reply: Response) -> Verdict:
    try:
        return Verdict.from_json(read_json(reply.body))
    except (ReplyError, NoVerdictError) as error:
        raise HubUnavailableError("the reply is no verdict object") from error
