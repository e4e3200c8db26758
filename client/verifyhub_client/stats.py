"""Counters of the answers that are sent in the background."""

import threading
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """Counters of this process since the hub was created; a fork starts at zero.

    Attributes:
        observed: Answers passed to `observe`.
        sent: Answers that the server stored, with those of other processes in a shared
            folder.
        refused: Answers that the server refused.
        dropped: Answers that were lost because the memory was full, the folder could
            not be written, the time at exit was over, or they are not JSON.
        dropped_from_folder: Answers that were lost because the folder was full.
        retries: Failed requests that are retried.
        waiting: Answers in memory.
        folder_answers, folder_files, folder_bytes: The content of the folder, of all
            processes.
        last_error: The last error, without key, task and answer.
        last_sent_at: When the server last stored an answer, in UTC.
    """

    observed: int = 0
    sent: int = 0
    refused: int = 0
    dropped: int = 0
    dropped_from_folder: int = 0
    retries: int = 0
    waiting: int = 0
    folder_answers: int = 0
    folder_files: int = 0
    folder_bytes: int = 0
    last_error: str = ""
    last_sent_at: datetime | None = None


class Counters:
    """Counters that several threads may change."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()
        self._last_error = ""
        self._last_sent_at: datetime | None = None

    def add(self, error: str = "", **counts: int) -> None:
        """Add to some of the counters, and set the last error if there is one."""
        with self._lock:
            for name, count in counts.items():
                self._counts[name] += count
            if error:
                self._last_error = error
            if counts.get("sent"):
                self._last_sent_at = datetime.now(UTC)

    def read(self) -> Stats:
        """Return the current counters."""
        with self._lock:
            return Stats(
                **self._counts,
                last_error=self._last_error,
                last_sent_at=self._last_sent_at,
            )
