"""The effect of deliberately slow clients on a reader.

    python -m bench.slow_clients --url http://127.0.0.1:8000 [--clients 1000]

Half of the clients send a head that never ends, a quarter a body that never ends (half
of them for a bulk), and a quarter request the API's description and read nothing of it.
None has a key; each sends one byte per second. Prints milliseconds (p50, p95, maximum)
of a page on a separate connection before and while they are connected, and how many
remain connected. A page that takes longer than the timeout counts as lost.
"""

import argparse
import http.client
import resource
import selectors
import socket
import statistics
import sys
import threading
import time
from contextlib import suppress
from urllib.parse import urlsplit

TIMEOUT_SECONDS = 10
HALF_HEAD = b"POST /api/v1/interactions/ HTTP/1.1\r\nHost: {host}\r\nX-Slow: "
SLOW_BODY = (
    b"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 100000\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n\r\nusername="
)
NO_READER = b"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n"
# The kernel buffers most of a single reply; only many replies fill its buffers.
REQUESTS = 5


class SlowClients:
    """Clients that keep their connections and send one byte per second.

    Attributes:
        sockets: The opened connections.
    """

    def __init__(self, address: tuple[str, int], *, large: str = "/healthz") -> None:
        """Store the address.

        Args:
            address: Host and port of the web server.
            large: The path of a large reply.
        """
        self.sockets: list[socket.socket] = []
        self._address, self._large = address, large
        self._senders: list[socket.socket] = []
        self._is_over = threading.Event()
        self._drip = threading.Thread(target=self._send_on, daemon=True)

    def __enter__(self) -> "SlowClients":
        self._drip.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._drip.join()
        for one in self.sockets:
            one.close()

    def half_heads(self, count: int) -> None:
        """Open clients whose head never ends."""
        self._senders += [self._opened(HALF_HEAD) for _ in range(count)]

    def slow_bodies(self, count: int, *, path: str = "/accounts/login/") -> None:
        """Open clients whose body never ends."""
        self._senders += [self._opened(SLOW_BODY, path) for _ in range(count)]

    def no_readers(self, count: int) -> None:
        """Open clients that send a request and read nothing."""
        for _ in range(count):
            self._opened(NO_READER * REQUESTS, self._large)

    def connected(self) -> int:
        """Return how many connections the server has not closed."""
        with selectors.DefaultSelector() as asked:
            for one in self._senders:
                asked.register(one, selectors.EVENT_READ)
            return len(self._senders) - len(asked.select(0))

    def _opened(self, data: bytes, path: str = "") -> socket.socket:
        host = self._address[0].encode()
        data = data.replace(b"{host}", host).replace(b"{path}", path.encode())
        made = socket.socket()
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        made.settimeout(TIMEOUT_SECONDS)
        made.connect(self._address)
        made.sendall(data)
        self.sockets.append(made)
        return made

    def _send_on(self) -> None:
        while not self._is_over.wait(1):
            for one in list(self._senders):
                with suppress(OSError):
                    one.send(b"a")


def asked(address: tuple[str, int], path: str) -> float | None:
    """Request a page on a new connection.

    Returns:
        Milliseconds until it arrived; None if it did not arrive in time.
    """
    begun = time.monotonic()
    asking = http.client.HTTPConnection(*address, timeout=TIMEOUT_SECONDS)
    try:
        asking.request("GET", path)
        reply = asking.getresponse()
        reply.read()
    except OSError:
        return None
    finally:
        asking.close()
    return (time.monotonic() - begun) * 1000 if reply.status == 200 else None


def measured(address: tuple[str, int], path: str, count: int) -> str:
    """Request a page several times, and return the durations."""
    times = [asked(address, path) for _ in range(count)]
    found = sorted(one for one in times if one is not None)
    if len(found) < 2:
        return f"{count - len(found)} of {count} lost"
    p95 = statistics.quantiles(found, n=20)[-1]
    return (
        f"p50 {found[len(found) // 2]:.0f} ms, p95 {p95:.0f}, most {found[-1]:.0f};"
        f" {count - len(found)} of {count} lost"
    )


def main(arguments: list[str]) -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(prog="bench.slow_clients")
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--clients", type=int, default=1000)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--path", default="/accounts/login/")
    parser.add_argument("--large", default="/api/openapi.json")
    told = parser.parse_args(arguments)
    parts = urlsplit(told.url)
    address = (parts.hostname or "127.0.0.1", parts.port or 80)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print("nobody else:", measured(address, told.path, told.pages), flush=True)
    with SlowClients(address, large=told.large) as slow:
        begun = time.monotonic()
        slow.half_heads(told.clients // 2)
        slow.slow_bodies(told.clients // 8)
        slow.slow_bodies(told.clients // 8, path="/api/v1/bulk/")
        slow.no_readers(told.clients // 4)
        seconds = time.monotonic() - begun
        print(f"{len(slow.sockets)} opened in {seconds:.1f} s", flush=True)
        print("with them:", measured(address, told.path, told.pages), flush=True)
        print(f"{slow.connected()} that send are still connected")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
