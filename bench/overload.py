"""Send more than can be verified, until the limit is reached, and measure the effects.

    python -m bench.overload [--rate 300] [--seconds 40] [--limit 2000]

In a fresh home, clients post single runs at a fixed rate, regardless of the replies.
Every few seconds it prints the number of waiting answers, the waiting time of a new one
according to `/metrics`, and the replies since. At the end it prints the milliseconds
(p50, p95, p99) of acknowledgements, refusals and pages, the time until the backlog was
empty, and the accuracy of the first estimate of it.
"""

import argparse
import multiprocessing
import re
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from pathlib import Path
from statistics import quantiles
from typing import Any
from urllib.parse import urlencode

from bench.fresh_home import fresh_home
from bench.ingest import PATH, Server
from bench.ingest_runs import made_runs

PAGES = ("/p/main/review/", "/p/main/metrics/")
TELL_SECONDS = 5.0
REFUSED = 429
# A queue whose estimate is this short counts as empty.
FEW = 5


@dataclass(slots=True)
class Noticed:
    """Milliseconds by kind of reply, and the `Retry-After` of refusals."""

    ms: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    retry_after: set[str] = field(default_factory=set)

    def told(self) -> str:
        lines = []
        for what, times in sorted(self.ms.items()):
            cuts = quantiles(times, n=100) if len(times) > 1 else times * 99
            line = f"{what:24} {len(times):7}"
            lines.append(line + "".join(f" {cuts[at]:8.0f}" for at in (49, 94, 98)))
        heading = f"{'answered':24} {'times':>7} {'p50':>8} {'p95':>8} {'p99':>8} ms"
        return "\n".join([heading, *lines])


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.overload")
    add = parser.add_argument
    add("--rate", type=float, default=300, help="runs a second, offered")
    add("--seconds", type=float, default=40)
    add("--limit", type=int, default=2000, help="VERIFYHUB_MAX_WAITING_ANSWERS")
    add("--clients", type=int, default=16)
    add("--kilobytes", type=int, default=20)
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="verifyhub-bench-") as folder:
        # PostgreSQL may run as another account here, which must access its data.
        Path(folder).chmod(0o711)
        limits = {"VERIFYHUB_MAX_WAITING_ANSWERS": str(arguments.limit)}
        with fresh_home(Path(folder), **limits) as (_, server):
            _overload(server, Path(folder), arguments)
    return 0


def _overload(server: Server, home: Path, arguments: argparse.Namespace) -> None:
    noticed, over = Noticed(), threading.Event()
    bodies = [
        run.as_native()
        for run in made_runs(
            int(arguments.rate * arguments.seconds), arguments.kilobytes
        )
    ]
    cookies = _signed_in(server, home)
    address = f"http://{server.connection.host}:{server.connection.port}"
    # In a process of its own: the senders keep this one's interpreter busy.
    spawned = multiprocessing.get_context("spawn")
    reader, told = spawned.Event(), spawned.Queue()
    watcher = spawned.Process(target=_look, args=(address, cookies, reader, told))
    watcher.start()
    warm = told.get()
    teller = threading.Thread(target=_tell, args=(server, noticed, over))
    teller.start()
    _send(server, bodies, arguments, noticed)
    depth, promised = _queue(server)
    began = time.monotonic()
    print(f"all sent; {depth:.0f} wait, a new one {promised:.1f} s")
    while _queue(server)[0] > FEW:
        time.sleep(0.5)
    took = time.monotonic() - began
    over.set()
    reader.set()
    noticed.ms |= warm | told.get()
    watcher.join()
    teller.join()
    print(f"worked off in {took:.1f} s, {depth / max(took, 0.1):.0f} a second")
    print(f"Retry-After: {sorted(noticed.retry_after)}\n{noticed.told()}")


def _send(
    server: Server,
    bodies: Sequence[bytes],
    arguments: argparse.Namespace,
    noticed: Noticed,
) -> None:
    """Post each run at its time, or as soon as a client is free."""
    began, lock, at = time.monotonic(), threading.Lock(), iter(enumerate(bodies))

    def client(_: int) -> None:
        own = server.connected_again()
        while True:
            with lock:
                place, body = next(at, (0, b""))
            if not body:
                return
            time.sleep(max(0, began + place / arguments.rate - time.monotonic()))
            started = time.perf_counter()
            own.connection.request("POST", PATH, body, own.headers)
            reply = own.connection.getresponse()
            reply.read()
            noticed.ms[f"POST {reply.status}"].append(
                (time.perf_counter() - started) * 1000
            )
            if reply.status == REFUSED:
                noticed.retry_after.add(reply.headers.get("Retry-After", "none"))

    with ThreadPoolExecutor(arguments.clients) as pool:
        list(pool.map(client, range(arguments.clients)))


def _signed_in(server: Server, home: Path) -> dict[str, str]:
    """Sign in as the first user; return the cookies of the session."""
    own, login = server.connected_again(), "/accounts/login/"
    own.connection.request("GET", login)
    reply = own.connection.getresponse()
    page, jar = reply.read().decode(), SimpleCookie(reply.headers.get("Set-Cookie"))
    found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert found, "the page of the sign-in has no form"
    password = (home / "first-password").read_text(encoding="utf-8").strip()
    form = {"username": "admin", "password": password}
    sent = urlencode({**form, "csrfmiddlewaretoken": found[1]})
    own.connection.request("POST", login, sent, _form_headers(own, jar))
    reply = own.connection.getresponse()
    reply.read()
    for cookie in reply.headers.get_all("Set-Cookie") or ():
        jar.load(cookie)
    assert "sessionid" in jar, f"signing in was answered by {reply.status}"
    return {"Cookie": _cookies(jar)}


def _form_headers(own: Server, jar: SimpleCookie) -> dict[str, str]:
    origin = f"http://{own.connection.host}:{own.connection.port}"
    return {
        "Content-Type": "application/x-www-form-urlencoded",
        "Cookie": _cookies(jar),
        "Origin": origin,
        "Referer": f"{origin}/accounts/login/",
    }


def _cookies(jar: SimpleCookie) -> str:
    return "; ".join(f"{name}={one.value}" for name, one in jar.items())


def _look(address: str, cookies: dict[str, str], over: Any, told: Any) -> None:
    """Request pages, as people do at the same time.

    It tells the first times, in which a process loads what a page needs, before others
    begin, and all others at the end.
    """
    own, ms = Server(address, ""), defaultdict(list)

    def look(word: str) -> None:
        for page in PAGES:
            started = time.perf_counter()
            own.connection.request("GET", page, headers=cookies)
            reply = own.connection.getresponse()
            reply.read()
            ms[f"{word} {page} {reply.status}"].append(
                (time.perf_counter() - started) * 1000
            )

    look("first")
    told.put(dict(ms))
    ms.clear()
    while not over.wait(0.3):
        look("GET")
    told.put(dict(ms))


def _tell(server: Server, noticed: Noticed, over: threading.Event) -> None:
    own, began = server.connected_again(), time.monotonic()
    before: dict[str, int] = {}
    while not over.wait(TELL_SECONDS):
        depth, wait = _queue(own)
        posts = {one: len(ms) for one, ms in noticed.ms.items() if "POST" in one}
        since = {one: count - before.get(one, 0) for one, count in posts.items()}
        before = posts
        seconds = time.monotonic() - began
        print(f"{seconds:6.1f} s: {depth:6.0f} wait, a new one {wait:6.1f} s; {since}")


def _queue(server: Server) -> tuple[float, float]:
    """Return the number of waiting answers, and the estimated seconds for a new one."""
    status, text = server.send("GET", "/metrics", None, {})
    assert status == 200, text[:200]
    figures = dict(re.findall(r"^(verifyhub_queue_\w+) (\S+)$", text.decode(), re.M))
    depth, wait = (
        figures[f"verifyhub_queue_{one}"] for one in ("depth", "wait_seconds")
    )
    return float(depth), float(wait)


if __name__ == "__main__":
    sys.exit(main())
