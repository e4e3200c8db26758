"""The cost of observing for an agent: `python -m bench.client`.

Calls `observe` for runs of 1, 20 and 200 KB, an empty `@verified` function, and an
empty tool. Prints the median and 99th percentile of each call in microseconds.
Meanwhile a background thread sends to a server in another process that accepts
everything, or to none; with a folder, and without.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from verifyhub_client import Background, VerifyHub, tool, verified

SIZES_KB = (1, 20, 200)
NOWHERE = "http://127.0.0.1:9"
# Accepts every answer, over HTTP/1.0: one connection per request, as the client sends.
SERVER = """
import http.server, json
from urllib.parse import parse_qs, urlsplit

class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        asked = parse_qs(urlsplit(self.path).query)
        status, reply = 202, b'{"id": "x"}'
        if "from_line" in asked:
            first, status = int(asked["from_line"][0]), 207
            lines = [
                json.dumps({"line": first + number, "status": 201})
                for number in range(len(body.splitlines()))
            ]
            lines.append(json.dumps({"summary": {"status": 200}}))
            reply = "\\n".join(lines).encode()
        self.send_response(status)
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.client")
    parser.add_argument("--calls", type=int, default=2000)
    calls = parser.parse_args(argv).calls
    print(f"{'':34}{'median µs':>10}{'p99 µs':>10}{'sent':>8}{'dropped':>9}")
    with taking_server() as url, tempfile.TemporaryDirectory() as folder:
        for words, where, place in (
            ("server there", url, None),
            ("server there, folder", url, folder),
            ("no server", NOWHERE, None),
            ("no server, folder", NOWHERE, folder),
        ):
            for kilobytes in SIZES_KB:
                row(
                    f"observe {kilobytes:>3} KB, {words}",
                    where,
                    place,
                    kilobytes,
                    calls,
                )
        functions(url, calls)
    return 0


@contextmanager
def taking_server() -> Iterator[str]:
    """Run the server in a separate process and yield its address."""
    command = [sys.executable, "-c", SERVER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.kill()


def hub_at(url: str, folder: str | None) -> VerifyHub:
    background = Background(
        folder=Path(folder) if folder else None, flush_seconds=0.2, exit_seconds=0
    )
    return VerifyHub(url, "bench", background=background)


def row(words: str, url: str, folder: str | None, kilobytes: int, calls: int) -> None:
    """Print how long observing runs of one size takes."""
    hub = hub_at(url, folder)
    outputs = [{"tool": "read", "output": "x" * 1024 * kilobytes}]
    times = timed(calls, lambda: hub.observe("Which?", "This.", tool_calls=outputs))
    hub.flush(5 if url != NOWHERE else 0)
    show(words, times, hub)
    hub.close()


def functions(url: str, calls: int) -> None:
    """Print the overhead of a decorated agent and a decorated tool."""
    hub = hub_at(url, None)

    @tool
    def look(path: str) -> str:
        return "found"

    @verified(hub)
    def agent(task: str) -> str:
        return "This."

    times = timed(calls, lambda: agent("Which?"))
    hub.flush(5)
    show("@verified, an empty function", times, hub)
    with hub.session("bench"):
        show("@tool in a session", timed(calls, lambda: look("a.py")), hub)
    show("@tool outside of one", timed(calls, lambda: look("a.py")), hub)
    hub.close()


def timed(calls: int, act: Callable[[], object]) -> list[float]:
    """Return the duration of each call in microseconds."""
    times = []
    for _ in range(calls):
        began = time.perf_counter()
        act()
        times.append((time.perf_counter() - began) * 1e6)
    return times


def show(words: str, times: Sequence[float], hub: VerifyHub) -> None:
    percentile = statistics.quantiles(times, n=100)[98]
    stats = hub.stats
    lost = stats.dropped + stats.dropped_from_folder
    figures = f"{statistics.median(times):>10.0f}{percentile:>10.0f}"
    print(f"{words:34}{figures}{stats.sent:>8}{lost:>9}")


if __name__ == "__main__":
    sys.exit(main())
