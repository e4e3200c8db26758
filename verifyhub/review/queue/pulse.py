"""Whether anything came into a queue: asked each second by each open list.

The list itself and what others have claimed are asked for less often (`views.live`).
"""

import threading
import time
from uuid import UUID

from django.db.models import Max

from verifyhub.review.models import ReviewItem

# People whose lists one process of the server answers so often; others ask every 15 s.
READERS = 40
# Somebody who has not asked for so long has left.
GONE_SECONDS = 5.0


class Readers:
    """Who asked of this process lately."""

    def __init__(self, limit: int = READERS) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._asked: dict[int, float] = {}

    def admit(self, user_id: int) -> bool:
        """Count somebody who asks; False if there are too many beside them."""
        now = time.monotonic()
        with self._lock:
            self._asked = {
                one: at for one, at in self._asked.items() if now - at < GONE_SECONDS
            }
            if user_id not in self._asked and len(self._asked) >= self._limit:
                return False
            self._asked[user_id] = now
            return True


readers = Readers()


def latest_news(project_id: UUID) -> str:
    """Return when an open item last came or moved up, ISO 8601; empty if none did."""
    waiting = ReviewItem.objects.filter(
        project_id=project_id, state=ReviewItem.State.OPEN
    )
    latest = waiting.aggregate(at=Max("ranked_at"))["at"]
    return latest.isoformat() if latest else ""
