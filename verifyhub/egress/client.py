"""The HTTP client for one exchange with a server nobody vouches for."""

import functools
import ssl
from collections.abc import Iterator

import httpcore2
import httpx2

from verifyhub.egress.deadline import Deadline
from verifyhub.egress.errors import EgressError
from verifyhub.egress.network import GuardedBackend, Resolve, system_resolver
from verifyhub.egress.policy import EgressPolicy

MAX_REPLY_BYTES = 1024 * 1024


def http_client(
    policy: EgressPolicy,
    deadline: Deadline,
    *,
    max_bytes: int = MAX_REPLY_BYTES,
    resolve: Resolve = system_resolver,
) -> httpx2.Client:
    """Make the client of one exchange; to be closed after it.

    It follows no redirect, reads no proxy, certificate or password from the
    environment, keeps no cookie and no connection, and takes no compressed reply.
    What goes wrong on the way arrives as `EgressError`.

    Args:
        policy: Where it may go.
        deadline: When everything done with it ends: names, handshakes, the last byte.
        max_bytes: Largest body of a reply.
        resolve: From a host and a port to every address.
    """
    transport = GuardedTransport(policy, deadline, max_bytes=max_bytes, resolve=resolve)
    return httpx2.Client(
        transport=transport,
        trust_env=False,
        follow_redirects=False,
        timeout=None,
        headers={"Accept-Encoding": "identity"},
    )


class GuardedTransport(httpx2.BaseTransport):
    """Sends each request on a connection of its own, under policy, deadline and cap."""

    def __init__(
        self,
        policy: EgressPolicy,
        deadline: Deadline,
        *,
        max_bytes: int,
        resolve: Resolve,
    ) -> None:
        self._backend = GuardedBackend(policy, deadline, resolve)
        self._policy, self._max_bytes = policy, max_bytes

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request and return its reply, the body still unread.

        Raises:
            EgressError: For everything that goes wrong.
        """
        self._policy.check_url(str(request.url))
        url = httpcore2.URL(
            scheme=request.url.raw_scheme,
            host=request.url.raw_host,
            port=request.url.port,
            target=request.url.raw_path,
        )
        connection = httpcore2.HTTPConnection(
            origin=url.origin,
            ssl_context=_trusted() if request.url.scheme == "https" else None,
            network_backend=self._backend,
        )
        try:
            reply = connection.handle_request(
                httpcore2.Request(
                    method=request.method,
                    url=url,
                    headers=request.headers.raw,
                    content=request.stream,
                )
            )
            return httpx2.Response(
                status_code=reply.status,
                headers=_plain_headers(reply.headers),
                stream=_CappedBody(reply, connection, self._max_bytes),
            )
        except EgressError:
            connection.close()
            raise
        except Exception as error:
            connection.close()
            raise _as_egress_error(error) from error


class _CappedBody(httpx2.SyncByteStream):
    """The body of a reply, up to a number of bytes."""

    def __init__(
        self,
        reply: httpcore2.Response,
        connection: httpcore2.HTTPConnection,
        max_bytes: int,
    ) -> None:
        self._reply, self._connection = reply, connection
        self._max_bytes = max_bytes

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        try:
            for chunk in self._reply.iter_stream():
                size += len(chunk)
                if size > self._max_bytes:
                    raise EgressError("too_large", "reply_too_large")
                yield chunk
        except EgressError:
            raise
        except Exception as error:
            raise _as_egress_error(error) from error

    def close(self) -> None:
        self._connection.close()


def _plain_headers(given: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Keep of a reply's headers what cannot steer the reader.

    A charset may name any of Python's codecs, among them `zlib`: whoever then asks
    for the text of a small body would inflate it.

    Raises:
        EgressError: `malformed`, if the body is compressed.
    """
    kept = []
    for name, value in given:
        match name.lower():
            case b"content-encoding" if value.strip().lower() not in {b"", b"identity"}:
                raise EgressError("malformed", "reply_compressed")
            case b"content-encoding" | b"set-cookie":
                continue
            case b"content-type":
                kept.append((name, value.partition(b";")[0].strip()))
            case _:
                kept.append((name, value))
    return kept


def _as_egress_error(error: Exception) -> EgressError:
    """Name what the protocol's own exceptions, or a wrapped one of ours, mean."""
    if isinstance(error, httpcore2.RemoteProtocolError):
        return EgressError("unreachable", "no_http")
    if isinstance(error, httpcore2.LocalProtocolError):
        return EgressError("malformed", "request_not_http")
    return EgressError("unreachable", type(error).__name__)


@functools.cache
def _trusted() -> ssl.SSLContext:
    """The certificates this machine trusts; read once, which takes a while."""
    return httpx2.create_ssl_context(trust_env=False)
