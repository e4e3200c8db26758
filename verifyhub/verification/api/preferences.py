"""The request header that lets a reply wait: `Prefer: wait`."""

import re
import threading
import time

from django.conf import settings
from rest_framework.request import Request

from verifyhub.common.api import ApiProblem
from verifyhub.common.turns import give_up_turn
from verifyhub.verification.models import Detection, Verification

MAX_WAIT_SECONDS = 30
FIRST_PAUSE_SECONDS = 0.03
LONGEST_PAUSE_SECONDS = 0.5

WAIT = re.compile(r"(?:^|[,;])\s*wait\s*=\s*\"?(\d{1,6})\"?\s*(?:$|[,;])", re.ASCII)

# A request that waits holds a thread of the web server. Some threads must stay free
# for everybody else, so only so many may wait; the rest get their 202 at once.
_waiters = threading.BoundedSemaphore(settings.MAX_WAITING_REQUESTS)


def preferred_wait(request: Request) -> int | None:
    """Return the seconds of `Prefer: wait=N`, at most 30; None without the header."""
    match = WAIT.search(request.headers.get("Prefer", "")[:200])
    return min(int(match[1]), MAX_WAIT_SECONDS) if match else None


def wait_until_done(row: Verification | Detection, seconds: int) -> bool:
    """Wait for a row of work to end, without a transaction.

    It asks again and again, seldom enough to cost little: LISTEN would hold a database
    connection of its own for every waiting client.

    Returns:
        Whether waiting was possible; `row` shows the newest state.

    Raises:
        ApiProblem: 410 if the row is deleted meanwhile, with its answer or alone.
    """
    if not _waiters.acquire(blocking=False):
        return False
    give_up_turn()
    try:
        deadline = time.monotonic() + seconds
        pause = FIRST_PAUSE_SECONDS
        rows = type(row)._default_manager.filter(pk=row.pk)
        while row.state in row.WAITING:
            left = deadline - time.monotonic()
            if left <= 0:
                break
            time.sleep(min(pause, left))
            pause = min(pause * 1.5, LONGEST_PAUSE_SECONDS)
            state = rows.values_list("state", flat=True).first()
            if state is None:
                raise deleted_meanwhile()
            row.state = state
    finally:
        _waiters.release()
    if row.state not in row.WAITING:
        try:
            row.refresh_from_db()
        except type(row).DoesNotExist as error:
            raise deleted_meanwhile() from error
    return True


def deleted_meanwhile() -> ApiProblem:
    """Return the error for a row that was deleted while the request waited."""
    return ApiProblem(410, "This was deleted during the request.")
