"""Send requests to a hub, within a total time and a maximum size.

Both senders use the transport below the library's client, so there are no redirects, no
proxies and `.netrc` of the environment, and no logs. Every request has its own
connection, so a fork or a restart of the server leaves no broken ones.
"""

import asyncio
import functools
import ssl
import time
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

import httpcore2
import httpx2

from verifyhub_client.errors import ConnectionBrokenError
from verifyhub_client.steps import Request, Response

MAX_REPLY_BYTES = 64 * 1024 * 1024
# Bytes of one write; the time is checked between writes.
CHUNK_BYTES = 64 * 1024
ONE_EACH = httpx2.Limits(max_connections=100, max_keepalive_connections=0)


class _Address:
    """The address and key of requests; neither is shown."""

    def __init__(self, url: str, key: str) -> None:
        try:
            is_usable = _is_hub(url)
        except ValueError:
            is_usable = False
        if not is_usable:
            raise ValueError("the hub's address must be like https://hub.org")
        if not key or not key.isascii() or not key.isprintable() or " " in key:
            raise ValueError("the key must be printable ASCII without blanks")
        self._url, self._key = url.rstrip("/"), key

    def request(self, request: Request, **extensions: Any) -> httpx2.Request:
        try:
            return httpx2.Request(
                request.method,
                self._url + request.path,
                params=dict(request.query) or None,
                content=request.body,
                headers={
                    "Authorization": f"Bearer {self._key}",
                    "Accept": "*/*",
                    "Accept-Encoding": "identity",
                    **request.headers,
                },
                extensions=extensions,
            )
        except httpx2.InvalidURL as error:
            raise ConnectionBrokenError("the address cannot be used") from error


def _is_hub(url: str) -> bool:
    parts = urlsplit(url)
    # Reading the port checks it.
    return bool(
        parts.scheme in {"http", "https"}
        and parts.hostname
        and parts.port != 0
        and "@" not in parts.netloc
        and not parts.query
        and not parts.fragment
        and url.isascii()
        and url.isprintable()
        and " " not in url
    )


class HttpSender:
    """Sends requests synchronously; several threads may use it.

    Raises:
        ValueError: If address or key is invalid; the message contains neither.
    """

    def __init__(self, url: str, key: str) -> None:
        self._address = _Address(url, key)

    def __call__(self, request: Request) -> Response:
        """Send one request and read the complete reply.

        Raises:
            ConnectionBrokenError: If there is none in time, or it is too large.
        """
        sent = self._address.request(request)
        url = httpcore2.URL(
            scheme=sent.url.raw_scheme,
            host=sent.url.raw_host,
            port=sent.url.port,
            target=sent.url.raw_path,
        )
        connection = httpcore2.HTTPConnection(
            origin=url.origin,
            ssl_context=_trusted() if sent.url.scheme == "https" else None,
            network_backend=_TimedBackend(_Clock(request.timeout_seconds)),
        )
        try:
            reply = connection.handle_request(
                httpcore2.Request(
                    method=sent.method,
                    url=url,
                    headers=sent.headers.raw,
                    content=sent.stream,
                )
            )
            return _response(reply.status, reply.headers, _whole(reply))
        except (httpcore2.TimeoutException, TimeoutError) as error:
            raise ConnectionBrokenError("the reply took too long") from error
        except (
            httpcore2.NetworkError,
            httpcore2.ProtocolError,
            OSError,
            # An invalid host name.
            UnicodeError,
        ) as error:
            raise ConnectionBrokenError(type(error).__name__) from error
        finally:
            connection.close()


class AsyncHttpSender:
    """Sends requests without blocking the event loop; see `HttpSender`."""

    def __init__(self, url: str, key: str) -> None:
        self._address = _Address(url, key)
        self._transport = httpx2.AsyncHTTPTransport(trust_env=False, limits=ONE_EACH)

    async def __call__(self, request: Request) -> Response:
        """Send one request and read the complete reply; see `HttpSender`."""
        none = httpx2.Timeout(None).as_dict()
        sent = self._address.request(request, timeout=none)
        try:
            async with asyncio.timeout(request.timeout_seconds):
                reply = await self._transport.handle_async_request(sent)
                try:
                    body = bytearray()
                    async for chunk in reply.aiter_raw():
                        _add(body, chunk)
                    return _response(reply.status_code, reply.headers.raw, bytes(body))
                finally:
                    await reply.aclose()
        except TimeoutError as error:
            raise ConnectionBrokenError("the reply took too long") from error
        except httpx2.HTTPError as error:
            raise ConnectionBrokenError(type(error).__name__) from error

    async def close(self) -> None:
        """Close the connections."""
        await self._transport.aclose()


class _Clock:
    """A total time, from its creation.

    Timeouts of sockets limit single waits, so a server that sends a byte per second
    would not exceed them for hours.
    """

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError("no whole reply arrived in time")
        return left


class _TimedBackend(httpcore2.NetworkBackend):
    """Opens connections with a total time for all waits."""

    def __init__(self, clock: _Clock) -> None:
        self._clock, self._backend = clock, httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002 - the clock bounds everything
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        """Connect within the remaining time."""
        stream = self._backend.connect_tcp(
            host, port, self._clock.left(), local_address, socket_options or ()
        )
        return _TimedStream(stream, self._clock)


class _TimedStream(httpcore2.NetworkStream):
    def __init__(self, stream: httpcore2.NetworkStream, clock: _Clock) -> None:
        self._stream, self._clock = stream, clock

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        """Read available bytes."""
        return self._stream.read(max_bytes, self._clock.left())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        """Write everything within the remaining time."""
        for start in range(0, len(buffer), CHUNK_BYTES):
            chunk = buffer[start : start + CHUNK_BYTES]
            self._stream.write(chunk, self._clock.left())

    def close(self) -> None:
        """Close the connection."""
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002 - the clock bounds everything
    ) -> httpcore2.NetworkStream:
        """Perform the TLS handshake within the remaining time."""
        left = self._clock.left()
        stream = self._stream.start_tls(ssl_context, server_hostname, left)
        return _TimedStream(stream, self._clock)

    def get_extra_info(self, info: str) -> Any:
        """Return information about the underlying connection."""
        return self._stream.get_extra_info(info)


@functools.cache
def _trusted() -> ssl.SSLContext:
    """Return the machine's trusted certificates, cached since reading is slow."""
    return httpx2.create_ssl_context(trust_env=False)


def _whole(reply: httpcore2.Response) -> bytes:
    body = bytearray()
    for chunk in reply.iter_stream():
        _add(body, chunk)
    return bytes(body)


def _add(body: bytearray, chunk: bytes) -> None:
    body += chunk
    if len(body) > MAX_REPLY_BYTES:
        raise ConnectionBrokenError("the reply is too large")


def _response(
    status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes
) -> Response:
    return Response(
        status=status,
        headers={
            name.decode("latin-1").lower(): value.decode("latin-1")
            for name, value in headers
        },
        body=body,
    )
