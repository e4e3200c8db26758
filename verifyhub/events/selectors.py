"""Reads of the outbox."""

from collections.abc import Collection

from django.db.models import QuerySet

from verifyhub.accounts.models import Project
from verifyhub.events.models import Event, WebhookDelivery, WebhookEndpoint

# The limit of counts.
MOST = 1000


def events_after(
    project: Project, after: int, *, types: Collection[str] = ()
) -> QuerySet[Event]:
    """Return a project's events after a position, oldest first."""
    return _events(project, types).filter(position__gt=after).order_by("position")


def newest_events(project: Project, *, types: Collection[str] = ()) -> QuerySet[Event]:
    """Return a project's events, newest first."""
    return _events(project, types).order_by("-position")


def _events(project: Project, types: Collection[str]) -> QuerySet[Event]:
    # Events without a position belong to uncommitted transactions.
    events = Event.objects.filter(project=project, position__isnull=False)
    return events.filter(type__in=types) if types else events


def webhooks(project: Project) -> QuerySet[WebhookEndpoint]:
    """Return a project's receivers, newest first."""
    rows = WebhookEndpoint.objects.filter(project=project).select_related("project")
    return rows.order_by("-created_at", "-id")


def deliveries(
    endpoint: WebhookEndpoint, *, state: str = ""
) -> QuerySet[WebhookDelivery]:
    """Return the deliveries of a receiver, newest first."""
    rows = endpoint.deliveries.order_by("-created_at", "-id")
    rows = rows.select_related("endpoint").prefetch_related("log")
    return rows.filter(state=state) if state else rows


def count_deliveries(endpoint: WebhookEndpoint) -> dict[str, int]:
    """Count the deliveries of a webhook by state, each up to `MOST`.

    Only waiting deliveries are always few.
    """
    return {
        state: endpoint.deliveries.filter(state=state)[:MOST].count()
        for state in WebhookDelivery.State.values
    }


def events_behind(endpoint: WebhookEndpoint) -> int:
    """Count the events that a webhook has not read, up to `MOST`."""
    return events_after(endpoint.project, endpoint.cursor)[:MOST].count()
