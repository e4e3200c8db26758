"""A server that answers as a test says, one mood after another."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Mood = Callable[[BaseHTTPRequestHandler], None]


class ScriptedServer:
    """Where it listens, and every request: method, path, headers and body."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.requests: list[tuple[str, str, dict[str, str], bytes]] = []


def replies(status: int, body: object = None, **headers: str) -> Mood:
    """A JSON reply; underscores in names of headers stand for dashes."""

    def mood(handler: BaseHTTPRequestHandler) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return mood


def hangs_up(handler: BaseHTTPRequestHandler) -> None:
    """Close the connection without a word."""
    handler.close_connection = True


def drips(handler: BaseHTTPRequestHandler) -> None:
    """Send a header byte by byte, for ever."""
    try:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while True:
            handler.wfile.write(b"a")
            handler.wfile.flush()
            time.sleep(0.05)
    except OSError:
        return


@contextmanager
def scripted_server(*moods: Mood, port: int = 0) -> Iterator[ScriptedServer]:
    """Serve these moods in turn, the last for ever, until the block ends."""
    turn = iter(moods[:-1])

    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            served.requests.append((self.command, self.path, headers, body))
            next(turn, moods[-1])(self)

        do_GET = do_POST = _serve  # noqa: N815 - names of the base class

        def log_message(self, *_: object) -> None:
            """Keep the test's output quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    served = ScriptedServer(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
    )
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
