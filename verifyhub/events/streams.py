"""Server-sent events for readers that stay connected.

A reader occupies a thread of the web server, so their number is limited. Each polls the
outbox once a second (measured in docs/benchmarks.md).
"""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from verifyhub.accounts.models import ApiKey
from verifyhub.events.models import Event
from verifyhub.events.selectors import events_after

POLL_SECONDS = 1.0
# Proxies close connections that are silent for 30 to 60 seconds.
HEARTBEAT_SECONDS = 15.0
# After so long the reader reconnects, perhaps to another process.
LONGEST_SECONDS = 600.0
BATCH = 100
RECONNECT_MILLISECONDS = 2000
HEARTBEAT = b": still here\n\n"


class NoPlaceError(Exception):
    """All places for streams are taken.

    Attributes:
        is_projects: Whether the project's own limit is reached.
    """

    def __init__(self, *, is_projects: bool) -> None:
        super().__init__("all places are taken")
        self.is_projects = is_projects


class Places:
    """A limit on readers of this process, in all and by project."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._in_use: Counter[UUID] = Counter()

    def take(self, project_id: UUID) -> None:
        """Take a place for a stream.

        Raises:
            NoPlaceError: If there is none.
        """
        with self._lock:
            if self._in_use[project_id] >= settings.MAX_EVENT_STREAMS_OF_PROJECT:
                raise NoPlaceError(is_projects=True)
            if self._in_use.total() >= settings.MAX_EVENT_STREAMS:
                raise NoPlaceError(is_projects=False)
            self._in_use[project_id] += 1

    def give_back(self, project_id: UUID) -> None:
        """Release a place."""
        with self._lock:
            self._in_use[project_id] -= 1
            if not self._in_use[project_id]:
                del self._in_use[project_id]

    @property
    def in_use(self) -> int:
        """Return the number of readers."""
        with self._lock:
            return self._in_use.total()


class Shutdown:
    """Whether the web server is stopping this process."""

    def __init__(self) -> None:
        self._is_stopping: Callable[[], bool] = lambda: False

    def follow(self, is_stopping: Callable[[], bool]) -> None:
        """Set the function that tells whether the server stops (`config.gunicorn`)."""
        self._is_stopping = is_stopping

    @property
    def is_asked(self) -> bool:
        """Whether to end now."""
        return self._is_stopping()


places = Places()
shutdown = Shutdown()


class EventStream:
    """The bytes of one reader's stream, from a position on.

    It takes a place when it is created and releases it when it is closed by the reader,
    by the shutdown, or after its maximum duration.
    """

    def __init__(self, key: ApiKey, after: int, types: Collection[str]) -> None:
        """Take a place for a stream.

        Raises:
            NoPlaceError: If there is none.
        """
        self._key, self._after, self._types = key, after, types
        places.take(key.project_id)
        self._is_open = True

    def __iter__(self) -> Iterator[bytes]:
        with closing(self):
            yield f"retry: {RECONNECT_MILLISECONDS}\n\n".encode()
            end = time.monotonic() + LONGEST_SECONDS
            last_sent = time.monotonic()
            while time.monotonic() < end and self._may_go_on():
                batch = list(
                    events_after(self._key.project, self._after, types=self._types)[
                        :BATCH
                    ]
                )
                for event in batch:
                    yield frame(event)
                    self._after = event.position or self._after
                if batch:
                    last_sent = time.monotonic()
                elif time.monotonic() - last_sent >= HEARTBEAT_SECONDS:
                    yield HEARTBEAT
                    last_sent = time.monotonic()
                if len(batch) < BATCH:
                    time.sleep(POLL_SECONDS)

    def close(self) -> None:
        """Release the place; the web server calls this however the reply ended."""
        if self._is_open:
            self._is_open = False
            places.give_back(self._key.project_id)

    def _may_go_on(self) -> bool:
        """Return whether it may continue; a revoked key ends it."""
        if shutdown.is_asked:
            return False
        key = ApiKey.objects.filter(pk=self._key.pk).first()
        return key is not None and key.is_usable(timezone.now())


def frame(event: Event) -> bytes:
    """Return one event as a server-sent event, with one line of JSON as data."""
    data = json.dumps(
        {
            "id": str(event.id),
            "cursor": str(event.position),
            "type": event.type,
            "created_at": event.created_at.isoformat(),
            "subject": event.subject,
            "data": event.data,
        },
        separators=(",", ":"),
    )
    return f"id: {event.position}\nevent: {event.type}\ndata: {data}\n\n".encode()
