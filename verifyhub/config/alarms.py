"""Problems of the server, shown to admins on every page.

A thread of each web process checks every 15 seconds, so that no page waits for a broker
that hangs; pages show the latest result.
"""

import threading
from collections.abc import Callable
from typing import Any

from django.db import connection
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_noop

from verifyhub.accounts.models import Role
from verifyhub.common.database_faults import SENTENCES, DatabaseFault
from verifyhub.common.logs import get_logger
from verifyhub.config import health

logger = get_logger(__name__)

LOOK_SECONDS = 15.0
# A long import is normal; fifteen minutes without a verdict are not.
STUCK_QUEUE_SECONDS = 900.0

NOTHING_SAVED = gettext_noop("Nothing can be saved until this is fixed.")
BROKER_AWAY = gettext_noop(
    "The broker does not respond. Answers are stored, and are verified when it is "
    "available again."
)
QUEUE_STUCK = gettext_noop("Answers are waiting for verification. Is a worker running?")
DISK_LOW = gettext_noop("The disk with the server's data and logs is nearly full.")

_alarms: tuple[str, ...] = ()


def look() -> None:
    """Check the process's dependencies once, and store the result for its pages."""
    global _alarms
    checks = health.state()
    alarms = []
    database = checks["database"]
    if database["status"] != "ok":
        alarms += [SENTENCES[DatabaseFault(database["cause"])], NOTHING_SAVED]
    if checks["broker"]["status"] != "ok":
        alarms.append(BROKER_AWAY)
    if checks.get("queue", {}).get("oldest_seconds", 0) > STUCK_QUEUE_SECONDS:
        alarms.append(QUEUE_STUCK)
    if checks["disk"]["status"] != "ok":
        alarms.append(DISK_LOW)
    _alarms = tuple(alarms)


def watch(is_over: Callable[[], bool]) -> None:
    """Check regularly, from a separate thread, until `is_over`."""
    pause = threading.Event()

    def run() -> None:
        while not is_over():
            try:
                look()
            except Exception:
                # The next check may succeed; pages do without.
                logger.exception("alarms.failed")
            finally:
                connection.close()
            pause.wait(LOOK_SECONDS)

    threading.Thread(target=run, name="alarms", daemon=True).start()


def alarms(request: HttpRequest) -> dict[str, Any]:
    """Add `alarms` to the template context: sentences for admins, empty for others."""
    return {"alarms": lambda: _sentences(request)}


def _sentences(request: HttpRequest) -> list[str]:
    membership = getattr(request, "membership", None)
    if membership is None or membership.role != Role.ADMIN:
        return []
    return [gettext(sentence) for sentence in _alarms]
