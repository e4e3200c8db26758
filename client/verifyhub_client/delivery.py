"""Send batches to the server."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from uuid import uuid4

from verifyhub_client.errors import ConnectionBrokenError
from verifyhub_client.protocol import API, TEMPORARY, asked_pause, problem_of
from verifyhub_client.replies import ReplyError, read_json
from verifyhub_client.steps import Request, Response, Send

# The operator must correct a wrong key or address; until then answers wait.
WRONG_KEY = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
NOT_NOW = TEMPORARY | WRONG_KEY | {HTTPStatus.NOT_FOUND}


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """The result of sending a batch.

    Attributes:
        sent, refused: The numbers of its first answers that were stored and refused.
        problem: Why the last of them was refused, or the next one was not sent.
        pause_seconds: The pause that the server requested.
        is_hopeless: Whether the next try would fail too, for the same reason.
    """

    sent: int = 0
    refused: int = 0
    problem: str = ""
    pause_seconds: float = 0.0
    is_hopeless: bool = False

    @property
    def settled(self) -> int:
        """The number of first answers that need not be sent again."""
        return self.sent + self.refused


class Courier:
    """Sends batches to one hub; used by one thread.

    Several answers are sent as one bulk, if the server supports it, and otherwise in
    separate requests. All bulks of a courier have the same id.

    Args:
        send: Sends one request.
        seconds: The time limit of one request.
    """

    def __init__(self, send: Send, *, seconds: float) -> None:
        self._send, self._seconds = send, seconds
        self._bulk, self._line = f"client-{uuid4().hex}", 1
        self._takes_bulks = True

    def deliver(self, lines: Sequence[bytes]) -> Delivery:
        """Send answers in order until one cannot be sent now.

        Args:
            lines: The documents, each with an `id`, so that they may be sent again.
        """
        try:
            if len(lines) > 1 and self._takes_bulks:
                reply = self._send(self._bulk_of(lines))
                if reply.status == HTTPStatus.MULTI_STATUS:
                    return self._read(reply, len(lines))
                if reply.status in TEMPORARY | WRONG_KEY:
                    return _put_off(reply)
                # The server does not support bulks, or refuses this one.
                is_too_large = reply.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
                self._takes_bulks = is_too_large
        except ConnectionBrokenError as error:
            return Delivery(problem=str(error))
        return self._one_by_one(lines)

    def _one_by_one(self, lines: Sequence[bytes]) -> Delivery:
        sent = refused = 0
        problem = ""
        for line in lines:
            try:
                reply = self._send(self._single(line))
            except ConnectionBrokenError as error:
                return Delivery(sent=sent, refused=refused, problem=str(error))
            if reply.status in NOT_NOW or (
                reply.status < HTTPStatus.BAD_REQUEST and not _is_stored(reply)
            ):
                return _put_off(reply, sent, refused)
            if reply.status < HTTPStatus.BAD_REQUEST:
                sent += 1
            else:
                refused, problem = refused + 1, _said(reply)
        return Delivery(sent=sent, refused=refused, problem=problem)

    def _read(self, reply: Response, count: int) -> Delivery:
        """Return the result of a bulk; with an invalid reply, nothing is sent."""
        try:
            *results, last = [read_json(line) for line in reply.body.splitlines()]
            summary = last["summary"]
            done = _settled(results, first=self._line, count=count)
            self._line += done.settled
            if done.settled == count:
                return done
            return Delivery(
                sent=done.sent,
                refused=done.refused,
                problem=f"{summary['status']}: {str(summary['detail'])[:500]}",
                pause_seconds=float(summary["retry_after"] or 0),
            )
        except (ReplyError, LookupError, TypeError, ValueError):
            return Delivery(problem="the reply is none to a bulk")

    def _bulk_of(self, lines: Sequence[bytes]) -> Request:
        return Request(
            method="POST",
            path=f"{API}/bulk/",
            query={
                "id": self._bulk,
                "format": "native",
                "from_line": str(self._line),
            },
            headers={"Content-Type": "application/jsonl"},
            body=b"\n".join(lines) + b"\n",
            timeout_seconds=self._seconds,
        )

    def _single(self, line: bytes) -> Request:
        return Request(
            method="POST",
            path=f"{API}/interactions/",
            headers={
                "Content-Type": "application/json",
                "Idempotency-Key": hashlib.sha256(line).hexdigest(),
            },
            body=line,
            timeout_seconds=self._seconds,
        )


def _settled(
    results: Sequence[Mapping[str, Any]], *, first: int, count: int
) -> Delivery:
    """Count the results of the first lines; lines without one are sent again."""
    said = {int(one["line"]): one for one in results}
    sent = refused = 0
    problem = ""
    for number in range(first, first + count):
        if number not in said:
            break
        one = said[number]
        if int(one["status"]) < HTTPStatus.MULTIPLE_CHOICES:
            sent += 1
        else:
            refused, problem = refused + 1, _refusal(one)
    return Delivery(sent=sent, refused=refused, problem=problem)


def _refusal(one: Mapping[str, Any]) -> str:
    fields = ", ".join(str(error["field"]) for error in one["errors"])
    return f"{one['status']}: refused ({fields[:500]})"


def _is_stored(reply: Response) -> bool:
    """Whether VerifyHub stored the answer; the reply may be another server's."""
    try:
        return "id" in read_json(reply.body)
    except (ReplyError, TypeError):
        return False


def _put_off(reply: Response, sent: int = 0, refused: int = 0) -> Delivery:
    return Delivery(
        sent=sent,
        refused=refused,
        problem=_said(reply),
        pause_seconds=asked_pause(reply),
        is_hopeless=reply.status not in TEMPORARY,
    )


def _said(reply: Response) -> str:
    detail, errors = problem_of(reply)
    fields = ", ".join(field for field, _ in errors)
    return f"{reply.status}: {detail}" + (f" ({fields})" if fields else "")
