"""Write events, and delete old ones."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models.fields.json import KeyTextTransform

from verifyhub.accounts.models import Project
from verifyhub.common.jobs import enqueue_on_commit
from verifyhub.common.logs import get_logger
from verifyhub.common.partitions import drop_month
from verifyhub.common.prepared import PreparedQuery
from verifyhub.common.retention import Retention
from verifyhub.common.row_writes import insert
from verifyhub.events.bounds import bounded
from verifyhub.events.catalogue import EventType
from verifyhub.events.models import Event, WebhookDelivery, WebhookEndpoint

logger = get_logger(__name__)


def publish(
    *,
    project: Project,
    type: EventType,  # noqa: A002 - the field's name, here and on the wire
    data: Mapping[str, Any],
    subject: Mapping[str, str],
) -> Event:
    """Publish an event in the transaction of its change.

    It becomes visible when the transaction commits.

    Args:
        project: The tenant.
        type: The type.
        data: JSON values as described in docs/api.md, truncated to 20 kB.
        subject: Ids of its subjects by kind (`interaction`, `verification`).
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
    event = Event(project_id=project_id, type=type, subject=dict(subject))
    event.data = bounded(data, most_bytes=Event.MAX_DATA_BYTES)
    return event


_ANY_WEBHOOK = PreparedQuery(
    lambda projects: WebhookEndpoint.objects.filter(
        project__any_of=projects, state="active"
    ).values_list("pk")[:1]
)


def publish_all(events: Sequence[Event]) -> None:
    """Publish events in the transaction of their changes, with one statement."""
    insert(events)
    if _ANY_WEBHOOK(projects=list({event.project_id for event in events})):
        enqueue_on_commit("events.deliver")


def _oldest_kept(now: datetime) -> datetime:
    return now - timedelta(days=settings.EVENT_DAYS)


def _delete_events(keys: Sequence[UUID]) -> None:
    # Servers have no privilege to delete; the owner's function checks limits.
    with connection.cursor() as cursor:
        cursor.execute("SELECT events_forget(%s)", [list(keys)])


def forget_events(project: Project, interactions: Sequence[UUID]) -> dict[str, int]:
    """Delete the events of deleted runs, with their deliveries.

    Must run inside a transaction.

    Returns:
        Number of deleted rows, by kind.
    """
    rows = Event.objects.filter(project=project).alias(
        told_of=KeyTextTransform("interaction", "subject")
    )
    rows = rows.filter(told_of__in=[str(one) for one in interactions])
    return _forget(project, list(rows.values_list("pk", flat=True)))


def forget_old_events(
    project: Project, before: datetime, *, most: int | None = None
) -> dict[str, int]:
    """Delete a batch of a project's events before a moment, with their deliveries.

    Must run inside a transaction, for a deletion of the project that is under way.

    Returns:
        Number of deleted rows, by kind.
    """
    old = Event.objects.filter(project=project, created_at__lt=before)
    keys = old.order_by("created_at").values_list("pk", flat=True)[:most]
    return _forget(project, list(keys))


def _forget(project: Project, keys: Sequence[UUID]) -> dict[str, int]:
    sent = WebhookDelivery.objects.filter(project=project, event_id__in=keys)
    counts = {"events": len(keys), "deliveries": sent.count()}
    sent.delete()
    _delete_events(keys)
    return counts


EVENT_RETENTION = Retention(
    name="events",
    old=lambda now: Event.objects.filter(created_at__lt=_oldest_kept(now)),
    delete=_delete_events,
    locks=False,
    drop_month=lambda now: drop_month("events_drop_month", _oldest_kept(now)),
    project="project_id",
)
# Including their attempts.
WEBHOOK_RETENTION = Retention(
    name="webhook deliveries",
    old=lambda now: WebhookDelivery.objects.filter(created_at__lt=_oldest_kept(now)),
    project="project_id",
)
