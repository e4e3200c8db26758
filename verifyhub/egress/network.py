"""Sockets that are opened only to checked addresses and only until a deadline."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Sequence
from ipaddress import ip_address
from typing import Any

import httpcore2

from verifyhub.egress.addresses import Address
from verifyhub.egress.deadline import Deadline
from verifyhub.egress.errors import EgressError
from verifyhub.egress.policy import EgressPolicy, host_of, literal_address

Resolve = Callable[[str, int], Sequence[Address]]


def system_resolver(host: str, port: int) -> Sequence[Address]:
    """Every address of a name, in the order the system prefers."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(ip_address(entry[4][0]) for entry in found))


class GuardedBackend(httpcore2.NetworkBackend):
    """Resolves once, checks every address, and connects to those very addresses.

    The name is not looked up again, so an answer that changes between check and
    connection changes nothing.
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
        """Connect; see the class.

        Raises:
            EgressError: `blocked`, `unreachable` or `deadline`.
        """
        host = host_of(host)
        literal = literal_address(host)
        # Refused before anybody is asked for the name.
        self._policy.check_addresses(host, port, [literal] if literal else [])
        addresses = [literal] if literal else self._look_up(host, port)
        self._policy.check_addresses(host, port, addresses)
        return DeadlineStream(self._connect(addresses, port), self._deadline)

    def _look_up(self, host: str, port: int) -> Sequence[Address]:
        """Resolve within the deadline: the system's own resolver takes none."""
        found: list[Address] = []

        def look_up() -> None:
            try:
                found.extend(self._resolve(host, port))
            except (OSError, ValueError):
                found.clear()

        thread = threading.Thread(target=look_up, daemon=True)
        thread.start()
        thread.join(self._deadline.require())
        self._deadline.require()
        if thread.is_alive() or not found:
            raise EgressError("unreachable", "host_unknown", was_sent=False)
        return found

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
    """A connection on which every wait ends at the deadline."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock, self._deadline = sock, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        """Read what is there, at least one byte unless the other side ended."""
        self._sock.settimeout(self._deadline.require())
        try:
            return self._sock.recv(max_bytes)
        except TimeoutError:
            raise EgressError("deadline", "no_reply") from None
        except OSError as error:
            raise EgressError("unreachable", "connection_broke") from error

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        """Write everything.

        A broken connection is the protocol's to judge: a server may answer with an
        error and close before it has read all.
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
        """Shake hands for the name of the URL, not for the address connected to."""
        try:
            self._sock.settimeout(self._deadline.require())
            wrapped = ssl_context.wrap_socket(
                self._sock, server_hostname=server_hostname
            )
        except TimeoutError:
            self.close()
            raise EgressError("deadline", "no_handshake") from None
        except OSError as error:
            # ssl.SSLError is one; its text may quote the peer's certificate.
            self.close()
            raise EgressError(
                "unreachable", "no_trusted_tls", was_sent=False
            ) from error
        return DeadlineStream(wrapped, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        """What the protocol asks of the connection below it."""
        if info == "ssl_object" and isinstance(self._sock, ssl.SSLSocket):
            return self._sock
        return None
