"""From the outbox to deliveries: each receiver's cursor moves on (ADR 0050)."""

from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from verifyhub.events.catalogue import EventType
from verifyhub.events.formats.evaluations import READERS
from verifyhub.events.models import Event, WebhookDelivery, WebhookEndpoint
from verifyhub.events.selectors import events_after

BATCH = 500
# Of one call for one receiver; the next call goes on.
BATCHES = 20
WAITING = (
    WebhookDelivery.State.PENDING,
    WebhookDelivery.State.RUNNING,
    WebhookDelivery.State.HELD,
)


def spread_events() -> int:
    """Make deliveries of what happened since each active receiver last looked.

    Can run on several machines at once: each run locks the receiver's row and skips
    rows that are locked.

    Returns:
        How many deliveries were made.
    """
    newer = Event.objects.filter(
        project=OuterRef("project"), position__gt=OuterRef("cursor")
    )
    behind = WebhookEndpoint.objects.filter(
        Exists(newer), state=WebhookEndpoint.State.ACTIVE
    )
    return sum(_spread_to(one) for one in behind.values_list("pk", flat=True))


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
    """Move a cursor on by some events.

    Returns:
        How many deliveries were made, and whether more may be made at once.
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
    wanted = _wanted(endpoint)
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
            if event.type in wanted
        ],
        ignore_conflicts=True,
    )
    if events:
        endpoint.cursor = events[-1].position or 0
        endpoint.save(update_fields=["cursor"])
    return sum(one.type in wanted for one in events), len(events) == min(room, BATCH)


def _wanted(endpoint: WebhookEndpoint) -> set[str]:
    """Return the types a receiver takes; a test is sent to one receiver alone."""
    able = set(EventType.values) if endpoint.signs else {str(one) for one in READERS}
    requested = set(endpoint.types) or able
    return (requested & able) - {EventType.WEBHOOK_TEST}
