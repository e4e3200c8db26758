"""How a run is sent to the server and its verdict fetched, as steps.

A request that may have arrived is sent again under the same `Idempotency-Key` and the
same id, so that nothing is stored twice.
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
# What a request may take beyond the time the server is asked to wait.
GRACE_SECONDS = 10.0
# Between two looks for an opinion, where the server does not say.
OPINION_PAUSE_SECONDS = 15.0
# The reason of a verdict that lacks the opinion of a model.
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
    """How long and how often a server is tried.

    Attributes:
        tries: Requests in a row without a usable reply, then it counts as away.
        first_pause_seconds: Before the second try; doubled for each further one, and
            shortened at random so that many clients do not come at once.
        longest_pause_seconds: No pause is longer, whatever the server asks for.
        verdict_seconds: In all, for one answer's verdict.
        opinion_seconds: Beyond that, for the opinion of a model that a verdict still
            lacks; the server asks for it again by itself. 0 takes the verdict as it is.
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
    """What is wrong with a draft: `ok` where nothing is.

    Each finding has `text`, `kind`, `span`, `reason`, `suggestion` and `constraint`;
    its names are data and may be hostile.
    """

    ok: bool
    findings: tuple[Mapping[str, Any], ...] = ()


def check_steps(body: Mapping[str, Any], patience: Patience) -> Steps[Verdict]:
    """Send one run and fetch its verdict.

    Args:
        body: The document of the run, with an `id`.
        patience: How long and how often to try.

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
    """Read a verdict again while an opinion is missing, as long as patience lasts.

    The verdict without it is sound as far as it goes: it is returned in the end.
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
    """Fetch what a session's agent should be told next, in a format of the API.

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
    """Have the server hold a draft against what its project knows.

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
    """Send until a usable reply comes, at most `patience.tries` times."""
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
    """Return the seconds to wait after so many failures in a row, spread at random."""
    pause = min(longest, first * 2.0 ** min(number - 1, 30))
    # Spreads clients over time; nothing secret depends on it.
    return pause * random.uniform(0.5, 1.0)  # noqa: S311


def asked_pause(reply: Response) -> float:
    """Return the seconds of `Retry-After`, a number or a date; 0 without one."""
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
    """Return what a refusal says: its text, and the fields it names with why."""
    try:
        data = read_json(reply.body)
        errors = tuple((str(e["field"]), str(e["message"])) for e in data["errors"])
        return str(data["detail"])[:500], errors[:20]
    except (ReplyError, LookupError, TypeError):
        return "the server refused the request", ()


def _reference(reply: Response, own_id: str) -> str:
    """How the interaction is named in addresses: the server's id, else one's own."""
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
