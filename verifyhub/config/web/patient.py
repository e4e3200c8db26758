"""A socket that buffers output for slow readers, so that they occupy no thread."""

import select
import socket
import time
from collections.abc import Callable
from typing import Any

# How long a thread waits for the next bytes of a body, or for space to write.
READ_SECONDS = WRITE_SECONDS = 30.0
# How many unread bytes a client may leave before the writing thread has to wait.
MAX_UNSENT = 4 * 1024 * 1024
# How soon a waiting thread notices that the process is shutting down, and how long it
# then still waits.
LOOK_SECONDS, LAST_SECONDS = 1.0, 5.0
CHUNK = 64 * 1024


class PatientSocket:
    """A connection that never blocks; its methods wait up to the timeout.

    Attributes:
        unsent: Written bytes that the client has not read.
    """

    def __init__(self, sock: socket.socket, is_stopping: Callable[[], bool]) -> None:
        self._sock, self._is_stopping = sock, is_stopping
        self._seconds: float | None = READ_SECONDS
        self._until: float | None = None
        self.unsent = bytearray()
        sock.setblocking(False)

    def __getattr__(self, name: str) -> Any:
        """Forward other attributes to the socket."""
        return getattr(self._sock, name)

    def setblocking(self, flag: bool) -> None:
        """Set the default timeout, or a timeout of zero."""
        self.settimeout(READ_SECONDS if flag else 0.0)

    def settimeout(self, seconds: float | None) -> None:
        """Set the timeout for the next bytes."""
        self._seconds = READ_SECONDS if seconds is None else seconds

    def gettimeout(self) -> float | None:
        """Return the timeout for the next bytes."""
        return self._seconds

    def read_within(self, seconds: float | None) -> None:
        """Set a common timeout for all following reads."""
        self._until = None if seconds is None else time.monotonic() + seconds

    def recv(self, size: int, flags: int = 0) -> bytes:
        """Read available bytes, or wait for some.

        Raises:
            TimeoutError: If no bytes arrive in time, or the process is shutting down.
        """
        seconds = READ_SECONDS if self._seconds is None else self._seconds
        until = time.monotonic() + seconds
        if self._until is not None:
            until = min(until, self._until)
        last = None
        while True:
            try:
                return self._sock.recv(size, flags)
            except BlockingIOError:
                now = time.monotonic()
                if self._is_stopping():
                    last = last or now + LAST_SECONDS
                    until = min(until, last)
                if now >= until:
                    raise TimeoutError("nothing came in time") from None
                self._wait(select.POLLIN, min(until - now, LOOK_SECONDS))

    def take(self) -> bytes | None:
        """Read available bytes; None if there are none."""
        try:
            return self._sock.recv(CHUNK)
        except BlockingIOError:
            return None

    def send(self, data: bytes) -> int:
        """Send all bytes."""
        self.sendall(data)
        return len(data)

    def sendall(self, data: bytes) -> None:
        """Write bytes, and buffer what the client does not read at once.

        Raises:
            TimeoutError: If the client reads nothing for a while and too much is
                buffered.
            OSError: If the client has disconnected.
        """
        self.unsent += data
        self.flush()
        while len(self.unsent) > MAX_UNSENT:
            if not self._wait(select.POLLOUT, WRITE_SECONDS):
                raise TimeoutError("the reader takes nothing")
            self.flush()

    def flush(self) -> None:
        """Write as much of the buffer as the client accepts now.

        Raises:
            OSError: If the client has disconnected.
        """
        try:
            while self.unsent:
                with memoryview(self.unsent) as view:
                    sent = self._sock.send(view[:MAX_UNSENT])
                del self.unsent[:sent]
        except BlockingIOError:
            pass

    def _wait(self, event: int, seconds: float) -> bool:
        poll = select.poll()
        poll.register(self._sock.fileno(), event)
        return bool(poll.poll(seconds * 1000))
