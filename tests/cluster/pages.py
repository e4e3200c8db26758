"""People who read pages all the time: each gets its page, or is told 503."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx

PAGES = ("review/", "runs/", "answers/", "metrics/", "memory/sessions/")
# As long as browsers of people wait who were told to.
PATIENCE_SECONDS, PAUSE_SECONDS = 60.0, 0.3


class Readers:
    """Sign in, then ask for one page after another."""

    def __init__(
        self, address: str, project: str, password: str, excuse: Callable[[], bool]
    ) -> None:
        """Bind a system.

        Args:
            address: Of what answers to browsers.
            project: Whose pages are read; by its slug.
            password: Of the first user, `admin`.
            excuse: Whether that address itself is away at the moment.
        """
        self._address, self._project, self._password = address, project, password
        self._excuse = excuse
        self._over = threading.Event()
        self.statuses: Counter[str] = Counter()
        self.breaches: list[str] = []
        self.longest_seconds = 0.0

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read until the block ends."""
        thread = threading.Thread(target=self._read)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()

    def _read(self) -> None:
        # Each page by a connection of its own, as each may meet another server.
        limits = httpx.Limits(max_keepalive_connections=0)
        with httpx.Client(
            base_url=f"http://{self._address}", timeout=PATIENCE_SECONDS, limits=limits
        ) as client:
            self._sign_in(client)
            while not self._over.is_set():
                for page in PAGES:
                    self._look_at(client, page)
                    self._over.wait(PAUSE_SECONDS)

    def _sign_in(self, client: httpx.Client) -> None:
        path = "/accounts/login/"
        client.get(path)
        given = {
            "username": "admin",
            "password": self._password,
            "csrfmiddlewaretoken": client.cookies["csrftoken"],
        }
        if client.post(path, data=given).status_code != 302:
            self.breaches.append("nobody can sign in")

    def _look_at(self, client: httpx.Client, page: str) -> None:
        is_excused, began = self._excuse(), time.monotonic()
        try:
            reply = client.get(f"/p/{self._project}/{page}")
            status = f"{reply.status_code}"
        except httpx.HTTPError as error:
            status = type(error).__name__
        if is_excused or self._excuse():
            self.statuses["balancer away"] += status != "200"
            return
        self.longest_seconds = max(self.longest_seconds, time.monotonic() - began)
        self.statuses[status] += 1
        if status not in {"200", "503"}:
            self.breaches.append(f"{page}: {status}")
