"""A gunicorn worker with threads, which slow clients do not occupy.

One thread per process accepts connections, reads each request until it is complete, and
sends buffered replies to slow readers. A request only occupies a thread while it is
handled. `ThreadWorker` occupies a thread from the first byte of a connection to the
last.
"""

import errno
import json
import selectors
import shutil
import socket
import tempfile
import time
from collections import deque
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any

from gunicorn import http
from gunicorn.http import errors
from gunicorn.http.unreader import SocketUnreader
from gunicorn.workers.gthread import TConn, ThreadWorker

from verifyhub.common.turns import begin_turn
from verifyhub.config.web.inbox import Inbox, Way
from verifyhub.config.web.patient import PatientSocket

# A head must be complete within HEAD_SECONDS, a body within BODY_SECONDS plus its
# length at this rate, and some bytes must arrive every STALL_SECONDS.
HEAD_SECONDS = BODY_SECONDS = STALL_SECONDS = 20.0
BODY_BYTES_PER_SECOND = 16 * 1024
# The rate of a body that a thread reads, unless the application limits it (bulks).
LIVE_BYTES_PER_SECOND = 128 * 1024
# A body that is refused while it is being sent is read to its end, so that the client
# reads the reply. The limits of the whole time, and of a pause.
LINGER_SECONDS, LINGER_STALL_SECONDS = 30.0, 5.0
# How long a connection without a request stays open while the process is shutting down.
STOP_SECONDS = 5.0
LOOK_SECONDS = 0.5
READS_AT_ONCE = 16
# One in so many threads may handle a request that sends a run; others of them wait
# without a thread. So pages find one, and share the interpreter with few (ADR 0095).
THREADS_PER_TURN = 4
# The limits of all clients of a process together; beyond them the oldest connections
# are closed. Bodies also use at most a part of the disk space free at the start.
MAX_BODIES, PART_OF_DISK = 1024 * 1024 * 1024, 4
MAX_UNSENT = 32 * 1024 * 1024
FULL = "There is no room to receive the body."
GO_ON = b"HTTP/1.1 100 Continue\r\n\r\n"
DRAIN_SECONDS = 0.05

REFUSALS: tuple[tuple[type[Exception], HTTPStatus], ...] = (
    (errors.LimitRequestLine, HTTPStatus.REQUEST_URI_TOO_LONG),
    (errors.LimitRequestHeaders, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE),
    (errors.UnsupportedTransferCoding, HTTPStatus.NOT_IMPLEMENTED),
    (errors.ExpectationFailed, HTTPStatus.EXPECTATION_FAILED),
    (errors.ForbiddenProxyRequest, HTTPStatus.FORBIDDEN),
    (errors.ParseException, HTTPStatus.BAD_REQUEST),
)
# Subclasses of these errors, but faults of the server.
SERVER_ERRORS = (
    errors.ConfigurationProblem,
    errors.InvalidResponseHeader,
    errors.InvalidResponseHeaderName,
)


class WebConnection(TConn):  # type: ignore[misc]
    """The connection of one client, over several requests."""

    parser: Any

    def __init__(self, worker: "BufferingWorker", *arguments: Any) -> None:
        self.worker = worker
        super().__init__(*arguments)
        self.inbox = worker.new_inbox()
        self.data_ready = True
        self.keeps = True
        self.is_lingering = self.has_turn = False
        # When the connection is closed without further bytes, and the latest such time.
        self.deadline = self.latest = 0.0

    def init(self) -> None:
        """Make gunicorn read the request from the inbox."""
        if self.parser is None:
            self.parser = http.get_parser(self.cfg, self.sock, self.client)
            self.parser.unreader = _InboxReader(self)
        self.initialized = True

    def next_request(self) -> None:
        """Wait for the next request; some of its bytes may be buffered."""
        rest = self.parser.unreader.take_buffered() + self.inbox.take_rest()
        self.inbox.close()
        self.inbox = self.worker.new_inbox()
        if rest:
            self.inbox.feed(rest)


class _InboxReader(SocketUnreader):  # type: ignore[misc]
    """Gives gunicorn's parser the bytes of the inbox, then those of the socket."""

    def __init__(self, conn: WebConnection) -> None:
        super().__init__(conn.sock)
        self._conn = conn

    def chunk(self, size_hint: int | None = None) -> bytes:
        inbox = self._conn.inbox
        data = inbox.read(max(size_hint or 0, self.mxchunk))
        if data or inbox.way is Way.WHOLE:
            return data
        if inbox.way is Way.LIVE:
            return bytes(super().chunk(size_hint))
        if inbox.is_too_long:
            raise errors.LimitRequestHeaders("The head is too long.")
        return b""


class BufferingWorker(ThreadWorker):  # type: ignore[misc]
    """A process of the web server."""

    def init_process(self) -> None:
        # The application is loaded now.
        from django.conf import settings

        from verifyhub.common.request_guard import reads_body_itself, sends_run

        self._waiting: dict[WebConnection, None] = {}
        self._sends_run = sends_run
        self._sending: deque[WebConnection] = deque()
        self._turns_left = max(1, self.cfg.threads // THREADS_PER_TURN)
        self._looked = time.monotonic()
        free = shutil.disk_usage(tempfile.gettempdir()).free
        self._max_bodies = min(MAX_BODIES, free // PART_OF_DISK)
        self._stopped: float | None = None
        self.new_inbox = partial(
            Inbox, streams=reads_body_itself, max_body=settings.MAX_BODY_BYTES
        )
        super().init_process()

    # Receiving requests.

    def accept(self, listener: Any) -> None:
        """Accept a client; if there are too many, close the oldest one."""
        try:
            sock, address = listener.accept()
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE):
                self._close_oldest()
            elif error.errno not in (errno.EAGAIN, errno.ECONNABORTED):
                raise
            return
        self.nr_conns += 1
        patient = PatientSocket(sock, lambda: not self.alive)
        conn = WebConnection(self, self.cfg, patient, address, listener.getsockname())
        # One place stays free; otherwise accepting would stop.
        if self.nr_conns >= self.worker_connections:
            self._close_oldest()
        self._wait_for_request(conn)

    def _wait_for_request(self, conn: WebConnection) -> None:
        if conn.inbox.is_ready:
            self.enqueue_req(conn)
            return
        seconds = self.cfg.keepalive if conn.initialized else HEAD_SECONDS
        if not conn.inbox.is_empty:
            seconds = HEAD_SECONDS
        self._wait(conn, selectors.EVENT_READ, self._on_readable, seconds)
        if conn.inbox.length:
            self._wait_for_body(conn)

    def _on_readable(self, conn: WebConnection, _: Any) -> None:
        inbox = conn.inbox
        was_empty, had_length = inbox.is_empty, inbox.length
        for _turn in range(READS_AT_ONCE):
            data = self._receive(conn)
            if data is None:
                break
            if not data:
                self._close(conn)
                return
            try:
                inbox.feed(data)
            except OSError:
                # The disk is full: this request is refused, others continue.
                self._say(conn, _problem(HTTPStatus.SERVICE_UNAVAILABLE, FULL))
                self._close(conn)
                return
            if inbox.is_ready:
                self._leave_waiting(conn)
                self.enqueue_req(conn)
                return
        now = time.monotonic()
        if was_empty and not inbox.is_empty:
            conn.deadline = conn.latest = now + HEAD_SECONDS
        if inbox.length:
            if not had_length:
                self._wait_for_body(conn)
            conn.deadline = min(conn.latest, now + STALL_SECONDS)
        if inbox.on_disk:
            self._hold_bodies()

    def _wait_for_body(self, conn: WebConnection) -> None:
        seconds = BODY_SECONDS + conn.inbox.length / BODY_BYTES_PER_SECOND
        conn.latest = time.monotonic() + seconds
        if conn.inbox.asks_to_go_on:
            self._say(conn, GO_ON)

    def _receive(self, conn: WebConnection) -> bytes | None:
        """Return available bytes: None for none, empty if the client has left."""
        try:
            data: bytes | None = conn.sock.take()
        except OSError:
            return b""
        return data

    # Handling requests in a thread.

    def enqueue_req(self, conn: WebConnection) -> None:
        """Start a request, or let it wait for a turn."""
        if not self._sends_run(*conn.inbox.target):
            super().enqueue_req(conn)
            return
        self._sending.append(conn)
        self._give_turns()

    def _give_turns(self) -> None:
        while self._turns_left and self._sending:
            conn = self._sending.popleft()
            conn.has_turn = True
            self._turns_left -= 1
            super().enqueue_req(conn)

    def _end_turn(self, conn: WebConnection) -> None:
        if conn.has_turn:
            conn.has_turn = False
            self._turns_left += 1
            self._give_turns()

    def handle_request(self, req: Any, conn: WebConnection) -> Any:
        begin_turn(partial(self.method_queue.defer, self._end_turn, conn))
        if conn.inbox.way is not Way.LIVE:
            # `100 Continue` has already been sent if the body is wanted.
            req._expected_100_continue = False
        if conn.inbox.way is Way.LEFT:
            req.force_close()
        if conn.inbox.way is Way.LIVE:
            conn.sock.read_within(
                BODY_SECONDS + conn.inbox.length / LIVE_BYTES_PER_SECOND
            )
        return super().handle_request(req, conn)

    def _keepalive_after(self, conn: WebConnection, keepalive: Any) -> bool:
        """Return whether the connection may be reused."""
        if not keepalive or conn.inbox.way is Way.LEFT:
            return False
        until = time.monotonic() + DRAIN_SECONDS
        conn.sock.read_within(None)
        return bool(conn.parser.finish_body(deadline=until))

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Exception) -> None:
        """Reply to invalid HTTP with a problem document."""
        status = next((s for kind, s in REFUSALS if isinstance(exc, kind)), None)
        if status is None or isinstance(exc, SERVER_ERRORS):
            super().handle_error(req, client, addr, exc)
            return
        self.log.info("Refused request (%d) of %s", status, (addr or ("",))[0])
        with suppress(OSError):
            client.sendall(_problem(status, str(exc)))

    # After a request.

    def finish_request(self, conn: WebConnection, fs: "Future[Any]") -> None:
        """Write the rest of the reply, then wait for the next request."""
        self._end_turn(conn)
        if fs.cancelled() or fs.exception() is not None:
            self._close(conn)
            return
        conn.keeps = bool(fs.result())
        if not conn.sock.unsent:
            self._go_on(conn)
            return
        self._wait(conn, selectors.EVENT_WRITE, self._on_writable, STALL_SECONDS)
        conn.latest = time.monotonic() + self.cfg.graceful_timeout
        self._hold_replies()

    def _on_writable(self, conn: WebConnection, _: Any) -> None:
        before = len(conn.sock.unsent)
        try:
            conn.sock.flush()
        except OSError:
            self._close(conn)
            return
        if not conn.sock.unsent:
            self._leave_waiting(conn)
            self._go_on(conn)
        elif len(conn.sock.unsent) < before:
            conn.deadline = min(conn.latest, time.monotonic() + STALL_SECONDS)

    def _go_on(self, conn: WebConnection) -> None:
        if conn.keeps:
            conn.next_request()
            self._wait_for_request(conn)
        elif conn.inbox.way is Way.WHOLE:
            self._close(conn)
        else:
            self._linger(conn)

    def _linger(self, conn: WebConnection) -> None:
        try:
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self._close(conn)
            return
        conn.is_lingering = True
        self._wait(conn, selectors.EVENT_READ, self._on_lingering, LINGER_STALL_SECONDS)
        conn.latest = time.monotonic() + LINGER_SECONDS

    def _on_lingering(self, conn: WebConnection, _: Any) -> None:
        for _turn in range(READS_AT_ONCE):
            data = self._receive(conn)
            if data is None:
                break
            if not data:
                self._close(conn)
                return
        conn.deadline = min(conn.latest, time.monotonic() + LINGER_STALL_SECONDS)

    # Waiting connections.

    def _wait(
        self, conn: WebConnection, events: int, callback: Any, seconds: float
    ) -> None:
        conn.deadline = conn.latest = time.monotonic() + seconds
        self._waiting[conn] = None
        self.poller.register(conn.sock, events, partial(callback, conn))

    def _leave_waiting(self, conn: WebConnection) -> None:
        if conn in self._waiting:
            del self._waiting[conn]
            self.poller.unregister(conn.sock)

    def murder_pending(self) -> None:
        """Close connections that have taken too long."""
        now = time.monotonic()
        if now - self._looked < LOOK_SECONDS:
            return
        self._looked = now
        if not self.alive and self._stopped is None:
            self._stopped = now
        for conn in [
            waiting for waiting in self._waiting if self._is_over(waiting, now)
        ]:
            if not conn.inbox.is_empty and not conn.inbox.is_ready:
                text = "The request was not whole in time."
                self._say(conn, _problem(HTTPStatus.REQUEST_TIMEOUT, text))
            self._close(conn)

    def _is_over(self, conn: WebConnection, now: float) -> bool:
        if conn.deadline <= now:
            return True
        has_nothing = conn.inbox.is_empty or conn.is_lingering
        is_late = self._stopped is not None and now >= self._stopped + STOP_SECONDS
        return is_late and has_nothing and not conn.sock.unsent

    def _close_oldest(self) -> None:
        for conn in self._waiting:
            self._close(conn)
            return

    def _hold_bodies(self) -> None:
        waiting = [
            connection for connection in self._waiting if connection.inbox.on_disk
        ]
        total = sum(connection.inbox.on_disk for connection in waiting)
        for conn in waiting:
            if total <= self._max_bodies:
                return
            total -= conn.inbox.on_disk
            self._close(conn)

    def _hold_replies(self) -> None:
        waiting = [connection for connection in self._waiting if connection.sock.unsent]
        total = sum(len(connection.sock.unsent) for connection in waiting)
        for conn in waiting:
            if total <= MAX_UNSENT:
                return
            total -= len(conn.sock.unsent)
            self._close(conn)

    def _say(self, conn: WebConnection, data: bytes) -> None:
        with suppress(OSError):
            conn.sock.sendall(data)

    def _close(self, conn: WebConnection) -> None:
        self._leave_waiting(conn)
        self.nr_conns -= 1
        conn.inbox.close()
        with suppress(OSError):
            conn.sock.close()


def _problem(status: HTTPStatus, detail: str) -> bytes:
    problem = {
        "type": "about:blank",
        "title": status.phrase,
        "status": status,
        "detail": detail,
        "errors": [],
        "request_id": None,
    }
    body = json.dumps(problem).encode()
    head = (
        f"HTTP/1.1 {status:d} {status.phrase}\r\nConnection: close\r\n"
        "Content-Type: application/problem+json\r\nCache-Control: no-store\r\n"
        f"X-Content-Type-Options: nosniff\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body
