"""Reads of the audit log."""

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from django.db import models
from django.db.models import F, QuerySet, Window
from django.db.models.functions import RowNumber

from verifyhub.audit.models import AuditEvent


def history(obj: models.Model, *, project_id: UUID) -> QuerySet[AuditEvent]:
    """Return all acts on one row, newest first."""
    return (
        AuditEvent.objects.filter(
            project_id=project_id,
            object_type=obj._meta.label_lower,
            object_id=str(obj.pk),
        )
        .select_related("actor")
        .order_by("-id")
    )


# Acts of each row of a list; its own page shows more.
MOST_OF_ONE = 20


def histories(
    rows: Sequence[models.Model], *, project_id: UUID
) -> dict[str, list[AuditEvent]]:
    """Return the latest acts on each of some rows of a model, newest first; one query.

    Returns:
        Events by the row's key as text; rows without acts are left out.
    """
    if not rows:
        return {}
    every = AuditEvent.objects.filter(
        project_id=project_id,
        object_type=rows[0]._meta.label_lower,
        object_id__in=[str(row.pk) for row in rows],
    ).alias(
        place=Window(RowNumber(), partition_by=F("object_id"), order_by=F("id").desc())
    )
    latest = every.filter(place__lte=MOST_OF_ONE).select_related("actor")
    events_of: dict[str, list[AuditEvent]] = defaultdict(list)
    for event in latest.order_by("-id"):
        events_of[event.object_id].append(event)
    return dict(events_of)
