"""A receiver of webhooks on this machine, in every mood that receivers have."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Longer than any sender waits.
HANGS_SECONDS = 30


@dataclass(frozen=True)
class Got:
    """One request as it came."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    """What came, and what is answered: the moods in turn, the last one for ever."""

    port: int = 0
    got: list[Got] = field(default_factory=list)
    moods: list[tuple[int, dict[str, str], bytes]] = field(
        default_factory=lambda: [(204, {}, b"")]
    )
    lock: threading.Lock = field(default_factory=threading.Lock)
    # Cleared, it hangs before it answers.
    may_answer: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    @property
    def pair(self) -> tuple[str, int]:
        return ("127.0.0.1", self.port)

    def answers(self, *moods: int | tuple[int, dict[str, str], bytes]) -> None:
        """Answer with these from now on."""
        self.moods = [
            one if isinstance(one, tuple) else (one, {}, b"") for one in moods
        ]

    def next_mood(self) -> tuple[int, dict[str, str], bytes]:
        with self.lock:
            return self.moods.pop(0) if len(self.moods) > 1 else self.moods[0]


@contextmanager
def a_receiver() -> Iterator[Receiver]:
    """Run a receiver while the body runs."""
    receiver = Receiver()
    receiver.may_answer.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", "0")))
            headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.got.append(Got(self.path, headers, body))
            receiver.may_answer.wait(HANGS_SECONDS)
            status, extra, answer = receiver.next_mood()
            self.send_response(status)
            for name, value in {"Content-Length": str(len(answer)), **extra}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    receiver.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.may_answer.set()
        server.shutdown()
        server.server_close()
        thread.join()
