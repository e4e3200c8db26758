"""How a batch goes to the server: which answers it has, which it refused."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus

from verifyhub_client.errors import ConnectionBrokenError
from verifyhub_client.protocol import API, TEMPORARY, asked_pause, problem_of
from verifyhub_client.steps import Request, Response, Send

# A wrong key or address is the operator's to mend; until then everything waits.
NOT_NOW = frozenset(
    {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """What became of a batch.

    Attributes:
        sent, refused: How many of its first answers the server has, and will not take.
        problem: Why the others were not sent; empty where there are none.
        pause_seconds: What the server asked for before the next try.
        is_hopeless: Whether a try soon would end alike.
    """

    sent: int = 0
    refused: int = 0
    problem: str = ""
    pause_seconds: float = 0.0
    is_hopeless: bool = False

    @property
    def settled(self) -> int:
        """How many of the first answers need no further try."""
        return self.sent + self.refused


def deliver(lines: Sequence[bytes], send: Send, *, seconds: float) -> Delivery:
    """Send answers in their order until one cannot be sent now.

    Args:
        lines: The documents, each with an `id`: sending one again changes nothing.
        send: Sends one request.
        seconds: For one request, from connecting to the last byte.
    """
    sent = refused = 0
    problem = ""
    for line in lines:
        try:
            reply = send(_request(line, seconds))
        except ConnectionBrokenError as error:
            return Delivery(sent=sent, refused=refused, problem=str(error))
        if reply.status < HTTPStatus.MULTIPLE_CHOICES:
            sent += 1
        elif reply.status in TEMPORARY or reply.status in NOT_NOW:
            return Delivery(
                sent=sent,
                refused=refused,
                problem=_said(reply),
                pause_seconds=asked_pause(reply),
                is_hopeless=reply.status in NOT_NOW,
            )
        else:
            refused, problem = refused + 1, _said(reply)
    return Delivery(sent=sent, refused=refused, problem=problem)


def _request(line: bytes, seconds: float) -> Request:
    return Request(
        method="POST",
        path=f"{API}/interactions/",
        headers={
            "Content-Type": "application/json",
            "Idempotency-Key": hashlib.sha256(line).hexdigest(),
        },
        body=line,
        timeout_seconds=seconds,
    )


def _said(reply: Response) -> str:
    detail, errors = problem_of(reply)
    fields = ", ".join(field for field, _ in errors)
    return f"{reply.status}: {detail}" + (f" ({fields})" if fields else "")
