"""Sending what waits: one sender at a time, many requests at once (ADR 0059).

A receiver that takes its time holds a thread of the sender, never a worker that checks
answers; one that fails rests, so that neither it nor the others suffer from it.
"""

import random
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import UUID

from django.db import connection

from verifyhub.common.logs import get_logger
from verifyhub.common.row_queue import Claim, RowQueue
from verifyhub.events.adapters import Reply, exchange
from verifyhub.events.services.outcomes import prepared, write_down
from verifyhub.events.services.spread import spread_events

logger = get_logger(__name__)

# Standard Webhooks' own schedule: at once, then after so many seconds; three days.
SCHEDULE = (5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400)
MAX_ATTEMPTS = len(SCHEDULE) + 1
# Each wait is up to a fifth shorter or longer, so that failures do not come in step.
JITTER = 0.2
REQUESTS_AT_ONCE = 16
# Of one receiver.
REQUESTS_TO_ONE = 4
# One call works so long, then lets another one of the queue go first.
CALL_SECONDS = 20.0
RENEW_SECONDS = 3.0
# Session lock of the database; what it is named after says nothing.
LOCK = 0x76685F7765626873

# Of every receiver that may be sent to, the first ones that are due.
DUE = """
SELECT due.id FROM events_webhookendpoint AS endpoint
CROSS JOIN LATERAL (
    SELECT delivery.id FROM events_webhookdelivery AS delivery
    WHERE delivery.endpoint_id = endpoint.id AND delivery.state = 'pending'
      AND (delivery.next_at IS NULL OR delivery.next_at <= now())
    ORDER BY delivery.position, delivery.id
    -- One that failed is tried with one request, not with several.
    LIMIT greatest(0, CASE WHEN endpoint.failures = 0 THEN %(each)s ELSE 1 END - (
        SELECT count(*) FROM events_webhookdelivery AS busy
        WHERE busy.endpoint_id = endpoint.id AND busy.state = 'running'
    ))
) AS due
WHERE endpoint.state = 'active'
  AND (endpoint.quiet_until IS NULL OR endpoint.quiet_until <= now())
ORDER BY random() LIMIT %(room)s
"""


class _Deliveries(RowQueue):
    """The queue of deliveries; one wake-up sends everything that is due."""

    def ring(self, row_id: UUID) -> None:
        """Wake nobody for a single row: the sender looks for them itself."""


DELIVERIES = _Deliveries(
    "events_webhookdelivery",
    task="events.deliver",
    argument="delivery_id",
    max_attempts=MAX_ATTEMPTS,
    backoff_seconds=SCHEDULE,
)


def wait_before(attempt: int, asked: float | None) -> float:
    """Return how long to wait after a failed attempt, in seconds.

    Args:
        attempt: Which one failed, from 1 on.
        asked: What the receiver's `Retry-After` says; never less than that.
    """
    usual = SCHEDULE[min(attempt, len(SCHEDULE)) - 1]
    spread = random.uniform(1 - JITTER, 1 + JITTER)  # noqa: S311 - not a secret
    return max(usual * spread, asked or 0.0)


def deliver_due(*, seconds: float = CALL_SECONDS) -> bool:
    """Send everything that is due, unless another worker is at it.

    Returns:
        Whether the time was up before everything was sent.
    """
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with _alone() as is_alone:
            if not is_alone:
                return False
            spread_events()
            attempts = _Round(until).run()
        # Who was rung while the lock was held has gone away: look once more.
        if not attempts:
            return False
    return True


def reconcile_deliveries() -> int:
    """Put back what dead workers held; see `RowQueue.reconcile`."""
    return DELIVERIES.reconcile()


@contextmanager
def _alone() -> Iterator[bool]:
    """Hold the one sender's lock; it goes with the connection if this process dies."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [LOCK])
        held = bool(cursor.fetchone()[0])
    try:
        yield held
    finally:
        if held:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])


@dataclass(slots=True)
class _Round:
    """Some seconds of sending: this thread alone speaks to the database."""

    until: float
    attempts: int = 0
    busy: dict[Future[Reply], Claim] = field(default_factory=dict)

    def run(self) -> int:
        """Send until nothing is due or the time is up; return the attempts made."""
        with ThreadPoolExecutor(REQUESTS_AT_ONCE, "webhook") as pool:
            self._begin(pool)
            while self.busy:
                done, _ = wait(self.busy, RENEW_SECONDS, FIRST_COMPLETED)
                for one in done:
                    self._end(self.busy.pop(one), one.result())
                if not done:
                    for claim in self.busy.values():
                        DELIVERIES.renew(claim)
                self._begin(pool)
        return self.attempts

    def _begin(self, pool: ThreadPoolExecutor) -> None:
        room = REQUESTS_AT_ONCE - len(self.busy)
        if room <= 0 or time.monotonic() >= self.until:
            return
        for delivery_id in _due(room):
            claim = DELIVERIES.claim(delivery_id)
            if claim is None:
                continue
            self.attempts += 1
            outgoing = prepared(delivery_id)
            if isinstance(outgoing, str):
                self._end(claim, Reply(error=outgoing))
            else:
                self.busy[pool.submit(exchange, outgoing)] = claim

    def _end(self, claim: Claim, reply: Reply) -> None:
        wait_seconds = wait_before(claim.attempts, reply.retry_after)
        state = write_down(DELIVERIES, claim, reply, wait_seconds=wait_seconds)
        logger.info(
            "webhook.attempted",
            id=str(claim.row_id),
            attempt=claim.attempts,
            status=reply.status,
            state=state,
        )


def _due(room: int) -> list[UUID]:
    with connection.cursor() as cursor:
        cursor.execute(DUE, {"each": REQUESTS_TO_ONE, "room": room})
        return [row[0] for row in cursor.fetchall()]
