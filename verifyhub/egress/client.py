"""The HTTP client for untrusted servers: one exchange, limited in time and size."""

import functools
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from ipaddress import ip_address
from typing import Any

import httpcore2
import httpx2

from verifyhub.egress.addresses import Address
from verifyhub.egress.deadline import Deadline
from verifyhub.egress.errors import EgressError
from verifyhub.egress.policy import EgressPolicy, host_of, literal_address

Resolve = Callable[[str, int], Sequence[Address]]


def system_resolver(host: str, port: int) -> Sequence[Address]:
    """Return every address of a name, in the system's order of preference."""
    entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(ip_address(entry[4][0]) for entry in entries))


class GuardedBackend(httpcore2.NetworkBackend):
    """Resolves a name once, checks every address, and connects to these addresses.

    The name is not resolved again, so a DNS answer that changes between check and
    connection has no effect.
    """

    def __init__(
        self,
        policy: EgressPolicy,
        deadline: Deadline,
        resolve: Resolve = system_resolver,
    ) -> None:
        self._policy, self._deadline, self._resolve = policy, deadline, resolve

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002 - the deadline bounds everything
        local_address: str | None = None,  # noqa: ARG002
        socket_options: Iterable[Any] | None = None,  # noqa: ARG002
    ) -> httpcore2.NetworkStream:
        """Connect to the first address that accepts.

        Raises:
            EgressError: `blocked`, `unreachable` or `deadline`.
        """
        host = host_of(host)
        literal = literal_address(host)
        # Checked before the name is sent to any resolver.
        self._policy.check_addresses(host, port, [literal] if literal else [])
        addresses = [literal] if literal else self._look_up(host, port)
        self._policy.check_addresses(host, port, addresses)
        return DeadlineStream(self._connect(addresses, port), self._deadline)

    def _look_up(self, host: str, port: int) -> Sequence[Address]:
        """Resolve within the deadline; the system's resolver has no timeout."""
        addresses: list[Address] = []

        def look_up() -> None:
            try:
                addresses.extend(self._resolve(host, port))
            except (OSError, ValueError):
                addresses.clear()

        thread = threading.Thread(target=look_up, daemon=True)
        thread.start()
        thread.join(self._deadline.require())
        self._deadline.require()
        if thread.is_alive() or not addresses:
            raise EgressError("unreachable", "host_unknown", was_sent=False)
        return addresses

    def _connect(self, addresses: Sequence[Address], port: int) -> socket.socket:
        for address in addresses:
            family = socket.AF_INET if address.version == 4 else socket.AF_INET6
            sock = socket.socket(family, socket.SOCK_STREAM)
            try:
                sock.settimeout(self._deadline.require())
                sock.connect((str(address), port))
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            except OSError:
                sock.close()
            except EgressError:
                sock.close()
                raise
            else:
                return sock
        self._deadline.require()
        raise EgressError("unreachable", "no_connection", was_sent=False)


class DeadlineStream(httpcore2.NetworkStream):
    """A connection whose waits all end at the deadline."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock, self._deadline = sock, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        """Read at least one byte, or none if the other side has closed."""
        self._sock.settimeout(self._deadline.require())
        try:
            return self._sock.recv(max_bytes)
        except TimeoutError:
            raise EgressError("deadline", "no_reply") from None
        except OSError as error:
            raise EgressError("unreachable", "connection_broke") from error

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        """Write all bytes.

        A broken connection is left to the protocol: a server may reply with an error
        and close before it has read everything.
        """
        view = memoryview(buffer)
        while view:
            self._sock.settimeout(self._deadline.require())
            try:
                view = view[self._sock.send(view) :]
            except TimeoutError:
                raise EgressError("deadline", "request_not_taken") from None
            except OSError as error:
                raise httpcore2.WriteError("the connection broke") from error

    def close(self) -> None:
        """Close the socket."""
        self._sock.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore2.NetworkStream:
        """Make the TLS handshake for the URL's host name, not for the address."""
        try:
            self._sock.settimeout(self._deadline.require())
            wrapped = ssl_context.wrap_socket(
                self._sock, server_hostname=server_hostname
            )
        except TimeoutError:
            self.close()
            raise EgressError("deadline", "no_handshake") from None
        except OSError as error:
            # Includes ssl.SSLError, whose text may quote the peer's certificate.
            self.close()
            raise EgressError(
                "unreachable", "no_trusted_tls", was_sent=False
            ) from error
        return DeadlineStream(wrapped, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        """Return the TLS socket for `ssl_object`, and None for anything else."""
        if info == "ssl_object" and isinstance(self._sock, ssl.SSLSocket):
            return self._sock
        return None


MAX_REPLY_BYTES = 1024 * 1024


def http_client(
    policy: EgressPolicy,
    deadline: Deadline,
    *,
    max_bytes: int = MAX_REPLY_BYTES,
    resolve: Resolve = system_resolver,
) -> httpx2.Client:
    """Return the client for one exchange; close it afterwards.

    It follows no redirects, reads no proxy, certificate or password from the
    environment, keeps no cookies or connections, and accepts no compressed reply. All
    failures are raised as `EgressError`.

    Args:
        policy: The addresses that requests may reach.
        deadline: The end of the exchange, from resolving the name to the last byte.
        max_bytes: The largest body of a reply.
        resolve: Returns every address of a host and port.
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
    """Sends each request on its own connection, within policy, deadline and limit."""

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
        """Send one request and return its reply with an unread body.

        Raises:
            EgressError: For every failure.
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
    """The body of a reply, limited to a number of bytes."""

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


def _plain_headers(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Remove cookies and charsets from a reply's headers, and refuse compression.

    A charset may name any of Python's codecs, including `zlib`: reading the text of a
    small body would then decompress it.

    Raises:
        EgressError: `malformed`, if the body is compressed.
    """
    plain = []
    for name, value in headers:
        match name.lower():
            case b"content-encoding" if value.strip().lower() not in {b"", b"identity"}:
                raise EgressError("malformed", "reply_compressed")
            case b"content-encoding" | b"set-cookie":
                continue
            case b"content-type":
                plain.append((name, value.partition(b";")[0].strip()))
            case _:
                plain.append((name, value))
    return plain


def _as_egress_error(error: Exception) -> EgressError:
    """Return the `EgressError` for a protocol's exception, or the one it wraps."""
    if isinstance(error, httpcore2.RemoteProtocolError):
        return EgressError("unreachable", "no_http")
    if isinstance(error, httpcore2.LocalProtocolError):
        return EgressError("malformed", "request_not_http")
    return EgressError("unreachable", type(error).__name__)


@functools.cache
def _trusted() -> ssl.SSLContext:
    """Return the machine's trusted certificates, cached since reading them is slow."""
    return httpx2.create_ssl_context(trust_env=False)
