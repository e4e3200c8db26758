"""Wake workers, joining wake-ups of one process in quick succession.

For tasks that take due rows, one after another. A message for each row would cost
sender, broker and worker more than reading an answer does.
"""

import threading
import time

from django.db import transaction

from verifyhub.common.jobs import doorbell

# The first of a burst is sent at once; those within this time after it, together.
MOMENT_SECONDS = 0.05
# No wake-up is sent if so many are waiting in the broker. Otherwise more and more would
# accumulate while workers are behind, and delay other work such as deletions.
MOST_WAITING = 16


class WakeUps:
    """Collects this process's wake-ups of one task.

    A collected one is sent later, so that the worker sees everything that was committed
    before; or it is dropped if many are waiting, which wake workers even later. The
    reconciler replaces wake-ups that are lost when a process ends.
    """

    def __init__(self, name: str) -> None:
        """Bind the task of this stable name."""
        self._name = name
        self._lock = threading.Lock()
        self._next_at = 0.0
        self._gathered = 0

    def ring(self, count: int = 1) -> None:
        """Wake a number of workers, at once or after a short delay."""
        with self._lock:
            is_first, self._gathered = not self._gathered, max(self._gathered, count)
            if not is_first:
                return
            wait = self._next_at - time.monotonic()
            if wait > 0:
                later = threading.Timer(wait, self._send)
                later.daemon = True
                later.start()
                return
        self._send()

    def _send(self) -> None:
        with self._lock:
            count, self._gathered = self._gathered, 0
            self._next_at = time.monotonic() + MOMENT_SECONDS
        for _ in range(count):
            doorbell.ring(self._name, {}, most_waiting=MOST_WAITING)


_bells: dict[str, WakeUps] = {}


def wake_on_commit(name: str, *, count: int = 1) -> None:
    """Wake workers for a task without arguments, once the transaction has committed.

    Args:
        name: The task's stable name, `package.verb`; it takes whatever is due.
        count: How many workers there is work for.
    """
    bell = _bells.setdefault(name, WakeUps(name))
    transaction.on_commit(lambda: bell.ring(count), robust=True)
