"""Reads of the audit record."""

from uuid import UUID

from django.db import models
from django.db.models import QuerySet

from verifyhub.audit.models import AuditEvent


def history(obj: models.Model, *, project_id: UUID) -> QuerySet[AuditEvent]:
    """Everything that was done to one row, newest first."""
    return (
        AuditEvent.objects.filter(
            project_id=project_id,
            object_type=obj._meta.label_lower,
            object_id=str(obj.pk),
        )
        .select_related("actor")
        .order_by("-id")
    )
