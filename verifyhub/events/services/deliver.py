"""Send waiting deliveries: one sender at a time, concurrent requests (ADR 0050).

A slow receiver occupies a thread of the sender, not a worker for verification; a
failing one is paused. Receivers that were slow last time share half of the requests,
and none of these is started near the end of a call, so that a receiver that hangs does
not delay others.
"""

import random
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from verifyhub.common.leases import try_lease
from verifyhub.common.logs import get_logger
from verifyhub.common.row_queue import RowLease, RowQueue
from verifyhub.events.adapters import DEADLINE_SECONDS, ReceiverReply, exchange
from verifyhub.events.catalogue import EventType
from verifyhub.events.formats.evaluations import READERS
from verifyhub.events.models import Event, WebhookDelivery, WebhookEndpoint
from verifyhub.events.selectors import events_after
from verifyhub.events.services.outcomes import prepared, write_down

logger = get_logger(__name__)

# The schedule of Standard Webhooks: immediately, then after these seconds; three days.
SCHEDULE = (5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400)
MAX_ATTEMPTS = len(SCHEDULE) + 1
# Each wait is up to a fifth shorter or longer, so that retries spread.
JITTER = 0.2
REQUESTS_AT_ONCE = 16
# Concurrent requests to one receiver.
REQUESTS_TO_ONE = 4
# Concurrent requests to all receivers that fail, are new, or were slower than this.
REQUESTS_TO_SLOW = 8
QUICK_MS = 2000
# Duration of one call; then other work of the queue has its turn.
CALL_SECONDS = 30.0
# Requests to slow receivers begin early enough to end with the call.
SLOW_SECONDS = CALL_SECONDS - DEADLINE_SECONDS
# How often claims are renewed, and new events searched, during requests.
LOOK_SECONDS = 1.0
# The lease of the sending process.
LEASE = "events.deliver"

# The first due deliveries of every fast receiver, or of every slow one.
DUE = """
SELECT due.id FROM events_webhookendpoint AS endpoint
CROSS JOIN LATERAL (
    SELECT delivery.id FROM events_webhookdelivery AS delivery
    WHERE delivery.endpoint_id = endpoint.id AND delivery.state = 'pending'
      AND (delivery.next_at IS NULL OR delivery.next_at <= now())
    ORDER BY delivery.position, delivery.id
    -- One that failed, or is new, is tried with one request, not with several.
    LIMIT greatest(0, CASE
        WHEN endpoint.failures = 0 AND endpoint.last_duration_ms IS NOT NULL
        THEN %(each)s ELSE 1
    END - (
        SELECT count(*) FROM events_webhookdelivery AS busy
        WHERE busy.endpoint_id = endpoint.id AND busy.state = 'running'
    ))
) AS due
WHERE endpoint.state = 'active'
  AND (endpoint.quiet_until IS NULL OR endpoint.quiet_until <= now())
  AND (
      endpoint.failures = 0 AND coalesce(endpoint.last_duration_ms <= %(ms)s, false)
  ) = %(is_quick)s
ORDER BY random() LIMIT %(room)s
"""


class _Deliveries(RowQueue):
    """The queue of deliveries; one wake-up sends everything that is due."""

    def ring(self, row_id: UUID) -> None:
        """Do nothing for a single row: the sender polls for them."""


DELIVERIES = _Deliveries(
    "events_webhookdelivery",
    task="events.deliver",
    argument="delivery_id",
    max_attempts=MAX_ATTEMPTS,
    backoff_seconds=SCHEDULE,
)


def wait_before(attempt: int, retry_after: float | None) -> float:
    """Return how long to wait after a failed attempt, in seconds.

    Args:
        attempt: The number of the failed attempt, from 1.
        retry_after: The receiver's `Retry-After`, which is the minimum.
    """
    usual = SCHEDULE[min(attempt, len(SCHEDULE)) - 1]
    spread = random.uniform(1 - JITTER, 1 + JITTER)  # noqa: S311 - not a secret
    return max(usual * spread, retry_after or 0.0)


def deliver_due() -> bool:
    """Send everything that is due, unless another worker does.

    Returns:
        Whether the time ended before everything was sent.
    """
    began = time.monotonic()
    slow_until, until = began + SLOW_SECONDS, began + CALL_SECONDS
    while time.monotonic() < until:
        with try_lease(LEASE) as is_alone:
            if not is_alone:
                return False
            spread_events()
            attempts = _Round(until, slow_until).run()
        # Workers woken meanwhile did not get the lease: look once more.
        if not attempts:
            return time.monotonic() >= slow_until and bool(_due(1, is_quick=False))
    return True


def reconcile_deliveries() -> int:
    """Return deliveries of dead workers; see `RowQueue.reconcile`."""
    return DELIVERIES.reconcile()


@dataclass(frozen=True, slots=True)
class _Out:
    """A running request."""

    claim: RowLease
    is_quick: bool


@dataclass(slots=True)
class _Round:
    """Some seconds of sending; only this thread uses the database.

    Attributes:
        until: The time after which it starts no request.
        slow_until: The time after which it starts none to slow receivers.
        attempts: Requests so far.
        busy: The running ones.
        looked_at: When it last checked them and searched for new events.
    """

    until: float
    slow_until: float
    attempts: int = 0
    busy: dict[Future[ReceiverReply], _Out] = field(default_factory=dict)
    looked_at: float = field(default_factory=time.monotonic)

    def run(self) -> int:
        """Send until nothing is due or the time is up; return the attempts made."""
        with ThreadPoolExecutor(REQUESTS_AT_ONCE, "webhook") as pool:
            self._begin(pool)
            while self.busy:
                done, _ = wait(self.busy, LOOK_SECONDS, FIRST_COMPLETED)
                for future in done:
                    self._end(self.busy.pop(future).claim, future.result())
                self._look_around()
                self._begin(pool)
        return self.attempts

    def _look_around(self) -> None:
        """Renew claims, and check for changes during the requests."""
        now = time.monotonic()
        if now - self.looked_at < LOOK_SECONDS:
            return
        self.looked_at = now
        for out in self.busy.values():
            DELIVERIES.renew(out.claim)
        if now < self.until:
            spread_events()

    def _begin(self, pool: ThreadPoolExecutor) -> None:
        now = time.monotonic()
        if now < min(self.slow_until, self.until):
            slow = sum(not out.is_quick for out in self.busy.values())
            room = min(REQUESTS_AT_ONCE - len(self.busy), REQUESTS_TO_SLOW - slow)
            self._send(pool, room, is_quick=False)
        if now < self.until:
            self._send(pool, REQUESTS_AT_ONCE - len(self.busy), is_quick=True)

    def _send(self, pool: ThreadPoolExecutor, room: int, *, is_quick: bool) -> None:
        for delivery_id in _due(room, is_quick=is_quick) if room > 0 else ():
            claim = DELIVERIES.claim(delivery_id)
            if claim is None:
                continue
            self.attempts += 1
            outgoing = prepared(delivery_id)
            if isinstance(outgoing, str):
                self._end(claim, ReceiverReply(error=outgoing))
            else:
                self.busy[pool.submit(exchange, outgoing)] = _Out(claim, is_quick)

    def _end(self, claim: RowLease, reply: ReceiverReply) -> None:
        wait_seconds = wait_before(claim.attempts, reply.retry_after)
        state = write_down(DELIVERIES, claim, reply, wait_seconds=wait_seconds)
        logger.info(
            "webhook.attempted",
            id=str(claim.row_id),
            attempt=claim.attempts,
            status=reply.status,
            state=state,
        )


def _due(room: int, *, is_quick: bool) -> list[UUID]:
    values = {"each": REQUESTS_TO_ONE, "ms": QUICK_MS}
    with connection.cursor() as cursor:
        cursor.execute(DUE, {**values, "is_quick": is_quick, "room": room})
        return [row[0] for row in cursor.fetchall()]


BATCH = 500
# Batches of one call for one receiver; the next call continues.
BATCHES = 20
WAITING = (
    WebhookDelivery.State.PENDING,
    WebhookDelivery.State.RUNNING,
    WebhookDelivery.State.HELD,
)


def spread_events() -> int:
    """Create deliveries of the events after each active receiver's cursor.

    It may run concurrently: each run locks receivers' rows and skips locked ones.

    Returns:
        How many deliveries were created.
    """
    newer = Event.objects.filter(
        project=OuterRef("project"), position__gt=OuterRef("cursor")
    )
    behind = WebhookEndpoint.objects.filter(
        Exists(newer), state=WebhookEndpoint.State.ACTIVE
    )
    return sum(
        _spread_to(endpoint_id) for endpoint_id in behind.values_list("pk", flat=True)
    )


def _spread_to(endpoint_id: UUID) -> int:
    total = 0
    for _ in range(BATCHES):
        count, more = _spread_batch(endpoint_id)
        total += count
        if not more:
            break
    return total


@transaction.atomic
def _spread_batch(endpoint_id: UUID) -> tuple[int, bool]:
    """Advance a cursor by some events.

    Returns:
        How many deliveries were created, and whether there may be more.
    """
    endpoint = (
        WebhookEndpoint.objects.select_for_update(skip_locked=True, of=("self",))
        .select_related("project")
        .filter(pk=endpoint_id, state=WebhookEndpoint.State.ACTIVE)
        .first()
    )
    if endpoint is None:
        return 0, False
    waiting = endpoint.deliveries.filter(state__in=WAITING).count()
    room = WebhookEndpoint.MAX_WAITING - waiting
    if room <= 0:
        return 0, False
    rows = events_after(endpoint.project, endpoint.cursor).only("type", "position")
    events = list(rows[: min(room, BATCH)])
    types = _types_to_send(endpoint)
    WebhookDelivery.objects.bulk_create(
        [
            WebhookDelivery(
                project_id=endpoint.project_id,
                endpoint=endpoint,
                event_id=event.id,
                event_type=event.type,
                position=event.position or 0,
                rung_at=timezone.now(),
            )
            for event in events
            if event.type in types
        ],
        ignore_conflicts=True,
    )
    if events:
        endpoint.cursor = events[-1].position or 0
        endpoint.save(update_fields=["cursor"])
    return sum(event.type in types for event in events), len(events) == min(room, BATCH)


def _types_to_send(endpoint: WebhookEndpoint) -> set[str]:
    """Return the types that a receiver subscribes to, without test events."""
    able = (
        set(EventType.values) if endpoint.signs else {str(reader) for reader in READERS}
    )
    requested = set(endpoint.types) or able
    return (requested & able) - {EventType.WEBHOOK_TEST}
