"""The one way an event is written, and how old ones go."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction

from verifyhub.accounts.models import Project
from verifyhub.common.inserting import insert
from verifyhub.common.jobs import enqueue_on_commit
from verifyhub.common.logs import get_logger
from verifyhub.events.bounds import bounded
from verifyhub.events.catalogue import EventType
from verifyhub.events.models import Event, WebhookDelivery, WebhookEndpoint

logger = get_logger(__name__)

BATCH = 5000
# Of one call; what is left waits for the next.
BATCHES = 20


def publish(
    *,
    project: Project,
    type: EventType,  # noqa: A002 - the field's name, here and on the wire
    data: Mapping[str, Any],
    subject: Mapping[str, str],
) -> Event:
    """Tell of something in the transaction that makes it so.

    It is visible when that commits, and not at all if it does not.

    Args:
        project: The tenant.
        type: What happened.
        data: JSON values as docs/api.md describes them; what makes them larger than
            20 kB is cut.
        subject: What it is about, from kind (`interaction`, `verification`) to id.
    """
    event = event_of(project_id=project.id, type=type, data=data, subject=subject)
    publish_all([event])
    return event


def event_of(
    *,
    project_id: UUID,
    type: EventType,  # noqa: A002 - as above
    data: Mapping[str, Any],
    subject: Mapping[str, str],
) -> Event:
    """Return an event for `publish_all`; its arguments are those of `publish`."""
    return Event(
        project_id=project_id,
        type=type,
        data=bounded(data, most_bytes=Event.MAX_DATA_BYTES),
        subject=dict(subject),
    )


def publish_all(events: Sequence[Event]) -> None:
    """Write events in the transaction that makes them so, by one statement."""
    insert(events)
    projects = {event.project_id for event in events}
    if WebhookEndpoint.objects.filter(project__in=projects, state="active").exists():
        enqueue_on_commit("events.deliver")


def forget_events(*, now: datetime) -> int:
    """Delete events older than they are kept (`VERIFYHUB_EVENT_DAYS`).

    Returns:
        How many were deleted: at most a number of batches, the rest waits.
    """
    before = now - timedelta(days=settings.EVENT_DAYS)
    total = 0
    for _ in range(BATCHES):
        deleted = _forget(before)
        total += deleted
        if deleted < BATCH:
            break
    if total:
        logger.info("events.forgotten", count=total)
    return total


def forget_deliveries(*, now: datetime) -> int:
    """Delete deliveries as old as the events that are forgotten, with their log.

    Returns:
        How many were deleted: at most a number of batches, the rest waits.
    """
    before = now - timedelta(days=settings.EVENT_DAYS)
    old = WebhookDelivery.objects.filter(created_at__lt=before)
    total = 0
    for _ in range(BATCHES):
        batch = list(old.values_list("pk", flat=True)[:BATCH])
        WebhookDelivery.objects.filter(pk__in=batch).delete()
        total += len(batch)
        if len(batch) < BATCH:
            break
    return total


@transaction.atomic
def _forget(before: datetime) -> int:
    old = Event.objects.filter(created_at__lt=before)
    batch = list(old.values_list("pk", flat=True)[:BATCH])
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL verifyhub.forget_events = 'on'")
        deleted, _ = Event.objects.filter(pk__in=batch).delete()
        # A caller's own transaction goes on without the right to delete.
        cursor.execute("SET LOCAL verifyhub.forget_events = 'off'")
    return deleted
