"""Send one request to a receiver, within the operator's limits."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from django.conf import settings

from verifyhub.common.private_hosts import allowed_in
from verifyhub.egress.client import http_client
from verifyhub.egress.deadline import Deadline
from verifyhub.egress.errors import EgressError
from verifyhub.egress.policy import EgressPolicy
from verifyhub.events.formats.message import Outgoing

# From DNS lookup to the last byte; the specification says 15 to 30.
DEADLINE_SECONDS = 15
# Maximum bytes read of a reply.
MAX_REPLY = 16 * 1024
MAX_RETRY_AFTER = 24 * 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiverReply:
    """A receiver's reply; `status` is None without a complete one.

    `error` is a code of `error_words`, or the name of an exception.
    """

    status: int | None = None
    error: str = ""
    body: bytes = b""
    retry_after: float | None = None
    duration_ms: int = 0

    @property
    def was_taken(self) -> bool:
        """Whether the receiver accepted it; a redirect does not count."""
        return self.status is not None and 200 <= self.status < 300

    def excerpt(self, characters: int) -> str:
        """Return the beginning of the body as text, whatever its type."""
        return self.body.decode("utf-8", "replace").replace("\x00", "�")[:characters]


def why_refused(url: str) -> str:
    """Return why an address is not allowed, as a code of `EgressError`; else "".

    Only its text is checked; the resolved address is checked at every attempt. An
    address without TLS needs the operator's permission.
    """
    try:
        target = _policy().check_url(url)
    except EgressError as error:
        return error.code
    allowed = (target.host, target.port) in _policy().allowed
    if target.scheme != "https" and not allowed:
        return "address_not_https"
    return ""


def exchange(outgoing: Outgoing) -> ReceiverReply:
    """Send a request; errors are returned as a reply, never raised."""
    began = time.monotonic()
    try:
        reply = _exchange(outgoing)
    except EgressError as error:
        reply = ReceiverReply(error=error.code)
    except Exception as error:  # noqa: BLE001 - one receiver must not stop all others
        reply = ReceiverReply(error=type(error).__name__)
    elapsed = round((time.monotonic() - began) * 1000)
    return replace(reply, duration_ms=elapsed)


def _exchange(outgoing: Outgoing) -> ReceiverReply:
    refused = why_refused(outgoing.url)
    if refused:
        raise EgressError("blocked", refused, was_sent=False)
    with (
        http_client(
            _policy(), Deadline(DEADLINE_SECONDS), max_bytes=2 * MAX_REPLY
        ) as client,
        client.stream(
            "POST",
            outgoing.url,
            content=outgoing.body,
            headers=dict(outgoing.headers),
        ) as reply,
    ):
        body = b""
        try:
            for chunk in reply.iter_raw():
                body += chunk
                if len(body) >= MAX_REPLY:
                    break
        except EgressError:
            # The status was received, and counts.
            pass
        return ReceiverReply(
            status=reply.status_code,
            body=body[:MAX_REPLY],
            retry_after=_retry_after(reply.headers),
        )


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Parse `Retry-After`, seconds or a date; None if it is invalid."""
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdecimal():
        return float(min(int(text[:9]), MAX_RETRY_AFTER))
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    wait = (moment - datetime.now(UTC)).total_seconds()
    return min(max(wait, 0.0), MAX_RETRY_AFTER)


def _policy() -> EgressPolicy:
    allowed = allowed_in(settings.HOME, "webhooks")
    return EgressPolicy(allowed=settings.WEBHOOK_ALLOW_PRIVATE | allowed)
