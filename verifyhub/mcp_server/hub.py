"""Send requests to the hub's API with the caller's key."""

import asyncio
import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

import httpx2

from verifyhub.common.strict_json import StrictJSONError, loads

API = "/api/v1"
# Far larger than any reply that is read here; protects memory from a broken hub.
MAX_REPLY_BYTES = 64 * 1024 * 1024
# The time a request may take in addition to the time that the hub is asked to wait.
GRACE_SECONDS = 30.0
MAX_WAIT_SECONDS = 30
LIMITS = httpx2.Limits(max_connections=100, max_keepalive_connections=20)


class HubProblem(Exception):  # noqa: N818 - as the API's own word for it
    """The hub gave no usable reply.

    Attributes:
        status: The HTTP status; 0 if there was no reply.
        detail: The reason, in one sentence.
        errors: Pairs of a refused field and the reason.
    """

    def __init__(
        self, status: int, detail: str, errors: tuple[tuple[str, str], ...] = ()
    ) -> None:
        self.status, self.detail, self.errors = status, detail, errors
        fields = "; ".join(f"{field}: {message}" for field, message in errors)
        super().__init__(f"{detail} ({fields})" if fields else detail)


@dataclass(frozen=True, slots=True, kw_only=True)
class HubReply:
    """A JSON document from the hub, and the status of the reply."""

    status: int
    data: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class _Raw:
    """A reply before its body is parsed."""

    status: int
    retry_after: str
    content: bytes


class Hub:
    """Sends requests to one hub; each request has its own key.

    Args:
        url: The hub's address, such as `https://hub.example`.
        host: The `Host` header, if it differs from the address's host.

    Raises:
        ValueError: If the address is invalid.
    """

    def __init__(self, url: str, *, host: str = "") -> None:
        parts = urlsplit(url)
        is_whole = parts.scheme in {"http", "https"} and parts.hostname
        if not is_whole or parts.query or parts.fragment or parts.username:
            raise ValueError("must be an address like https://hub.example")
        self._client = httpx2.AsyncClient(
            base_url=url.rstrip("/"),
            headers={"Host": host} if host else {},
            limits=LIMITS,
            trust_env=False,
            follow_redirects=False,
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def is_ready(self) -> bool:
        """Return whether the hub accepts work."""
        try:
            reply = await self._send("GET", "/readyz", {}, None, 5.0)
        except HubProblem:
            return False
        return reply.status == 200

    async def get(
        self, key: str, path: str, *, query: Mapping[str, str] | None = None
    ) -> HubReply:
        """Read one document.

        Raises:
            HubProblem: If the hub refuses, fails, or cannot be reached.
        """
        return await self._ask(key, "GET", path, query=query)

    async def post(self, key: str, path: str, body: Mapping[str, Any]) -> HubReply:
        """Send one document; see `get`."""
        return await self._ask(key, "POST", path, body=body)

    async def verify(
        self, key: str, run: Mapping[str, Any], *, wait_seconds: float
    ) -> HubReply:
        """Send a run; return its verdict if it is ready in time, else its address.

        If the same run is sent twice, the hub stores it once.

        Raises:
            HubProblem: See `get`.
        """
        end = time.monotonic() + wait_seconds
        reply = await self._ask(
            key, "POST", "/interactions/", body=run, wait=int(wait_seconds), once=True
        )
        if reply.status != 202:
            return reply
        where = f"/interactions/{segment('id', str(reply.data['id']))}/verdict/"
        accepted = reply
        while reply.status == 202 and (left := end - time.monotonic()) > 0:
            await asyncio.sleep(min(1.0, left))
            left = max(0, int(end - time.monotonic()))
            reply = await self._ask(key, "GET", where, wait=left)
        return accepted if reply.status == 202 else reply

    async def _ask(
        self,
        key: str,
        method: str,
        path: str,
        *,
        query: Mapping[str, str] | None = None,
        body: Mapping[str, Any] | None = None,
        wait: int = 0,
        once: bool = False,
    ) -> HubReply:
        headers = {"Authorization": f"Bearer {key}", "Accept": "application/json"}
        content = None
        if body is not None:
            content = _encoded(body)
            headers["Content-Type"] = "application/json"
        if once and content is not None:
            headers["Idempotency-Key"] = hashlib.sha256(content).hexdigest()
        if wait:
            headers["Prefer"] = f"wait={min(wait, MAX_WAIT_SECONDS)}"
        reply = await self._send(
            method, API + path, headers, content, wait + GRACE_SECONDS, query
        )
        try:
            data = loads(reply.content, max_bytes=MAX_REPLY_BYTES)
        except StrictJSONError as error:
            raise HubProblem(
                reply.status,
                f"The VerifyHub server's response (status {reply.status}) is not a "
                "JSON document.",
            ) from error
        if reply.status in {200, 201, 202}:
            return HubReply(status=reply.status, data=data)
        raise _problem(reply, data)

    async def _send(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str],
        content: bytes | None,
        seconds: float,
        query: Mapping[str, str] | None = None,
    ) -> _Raw:
        request = self._client.build_request(
            method, path, params=query, headers=headers, content=content
        )
        try:
            async with asyncio.timeout(seconds):
                return await self._read(request)
        except (TimeoutError, httpx2.HTTPError) as error:
            raise HubProblem(
                0, "The VerifyHub server cannot be reached; try again later."
            ) from error

    async def _read(self, request: httpx2.Request) -> _Raw:
        reply = await self._client.send(request, stream=True)
        try:
            body = bytearray()
            async for chunk in reply.aiter_bytes():
                body += chunk
                if len(body) > MAX_REPLY_BYTES:
                    raise HubProblem(
                        reply.status_code,
                        "The VerifyHub server's response is too large.",
                    )
            asked = reply.headers.get("retry-after", "")
            return _Raw(
                status=reply.status_code, retry_after=asked, content=bytes(body)
            )
        finally:
            await reply.aclose()


def segment(field: str, value: str) -> str:
    """Return a name as one segment of a URL's path.

    Raises:
        HubProblem: If the name cannot be one; the message names the field.
    """
    if not value or value in {".", ".."}:
        raise HubProblem(400, "The request is refused", ((field, "is no name"),))
    return quote(value, safe="")


def _encoded(body: Any) -> bytes:
    """Return a body as JSON; lone surrogates, which UTF-8 lacks, are escaped."""
    try:
        return json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return json.dumps(body).encode()


def _problem(reply: _Raw, data: Any) -> HubProblem:
    status = reply.status
    try:
        detail = str(data["detail"])[:500]
        if reply.retry_after.isdecimal() and reply.retry_after.isascii():
            detail = f"{detail} Try again after {reply.retry_after[:9]} s."
        errors = tuple(
            (str(one["field"])[:200], str(one["message"])[:500])
            for one in data["errors"][:20]
        )
    except (LookupError, TypeError):
        return HubProblem(
            status, f"The VerifyHub server refused the request (status {status})."
        )
    return HubProblem(status, detail, errors)
