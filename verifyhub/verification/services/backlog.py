"""The limit of a project's waiting answers."""

import threading
import time
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings

from verifyhub.ingest.waiting import TooManyWaitingError
from verifyhub.verification.models import Verification

# How long a count is reused, less the answers accepted since: counting a long backlog
# takes milliseconds.
GOOD_FOR_SECONDS = 1.0
RETRY_AFTER_SECONDS = 15


@dataclass(slots=True)
class _Room:
    left: int
    counted_at: float
    # Whether nothing was left when it was counted.
    is_full: bool


class Backlog:
    """Caches briefly how many more answers each project may send.

    Each process counts by itself, so the limit may be exceeded for a moment: it keeps
    the queue short and is no quota.
    """

    def __init__(self) -> None:
        self._rooms: dict[UUID, _Room] = {}
        self._lock = threading.Lock()

    def check(self, project_id: UUID, count: int) -> None:
        """Reserve room for some answers; the limit may be exceeded slightly.

        Raises:
            TooManyWaitingError: If there is no room.
        """
        now = time.monotonic()
        with self._lock:
            room = self._rooms.get(project_id)
            if room and now - room.counted_at < GOOD_FOR_SECONDS:
                if room.is_full:
                    raise _full()
                if room.left > 0:
                    room.left -= count
                    return
        pending = Verification.objects.filter(
            project_id=project_id, state=Verification.State.PENDING
        )
        left = (
            settings.MAX_WAITING_ANSWERS
            - pending[: settings.MAX_WAITING_ANSWERS].count()
        )
        with self._lock:
            self._rooms[project_id] = _Room(left - count, now, left <= 0)
        if left <= 0:
            raise _full()


def _full() -> TooManyWaitingError:
    return TooManyWaitingError("answers", retry_after=RETRY_AFTER_SECONDS)


_BACKLOG = Backlog()


def check_room(project_id: UUID, count: int) -> None:
    """Refuse more answers of a project if too many are waiting.

    Raises:
        TooManyWaitingError: If `VERIFYHUB_MAX_WAITING_ANSWERS` are waiting.
    """
    _BACKLOG.check(project_id, count)
