"""Wake workers; wake-ups of one process in quick succession are joined.

For tasks that take whatever is due, one row after another. A message for each row would
cost sender, broker and worker more than reading an answer does.
"""

import threading
import time

from django.db import transaction

from verifyhub.common.jobs import doorbell

# The first of a burst goes out at once; those of the next moment, together after it.
MOMENT_SECONDS = 0.05
# Wake-ups in the broker, beyond which no further one is sent. Workers that are behind
# would leave more and more there, and other work, such as deletions, waits behind them.
MOST_WAITING = 16


class WakeUps:
    """Collects this process's wake-ups of one task.

    One that is gathered is sent after it came, so the worker it wakes sees what was
    committed before; or it is dropped where many wait already, which wake workers later
    still. What a process that ends has not sent is made up for by the reconciler, as
    with any lost wake-up.
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
