"""What became of the answers that were to be sent in the background."""

import threading
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """Counted since the hub was made, in this process; a forked child starts at zero.

    Attributes:
        observed: Answers handed over.
        sent: Answers the server has; with a shared folder, other processes' too.
        refused: Answers the server will not take, however often sent.
        dropped: Answers lost here: memory was full, the folder could not be written,
            the time at exit was over, or they are no JSON.
        dropped_from_folder: Answers lost because the folder was full.
        retries: Requests that will be made again.
        waiting: Answers in memory now.
        folder_answers, folder_files, folder_bytes: What waits in the folder now,
            whichever process put it there.
        last_error: What went wrong last, without key, task or answer.
        last_sent_at: When the server last took something, in UTC.
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
    """Counts from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()
        self._last_error = ""
        self._last_sent_at: datetime | None = None

    def add(self, error: str = "", **counts: int) -> None:
        """Add to some of the counters, and say what went wrong, if anything did."""
        with self._lock:
            for name, count in counts.items():
                self._counts[name] += count
            if error:
                self._last_error = error
            if counts.get("sent"):
                self._last_sent_at = datetime.now(UTC)

    def read(self) -> Stats:
        """Return the counters as they are now."""
        with self._lock:
            return Stats(
                **self._counts,
                last_error=self._last_error,
                last_sent_at=self._last_sent_at,
            )
