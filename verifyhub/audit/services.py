"""The one way an audit event is written."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import models

from verifyhub.audit.models import AuditEvent


def record_event(
    *,
    project_id: UUID | None,
    actor: models.Model | None,
    action: str,
    obj: models.Model,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
) -> AuditEvent:
    """Record an act in the transaction that carries it out.

    Args:
        project_id: The tenant the act belongs to; None for acts above all projects.
        actor: A user, an API key, or None for the system itself.
        action: What was done, as `package.past_participle`.
        obj: The row it was done to; named by type and id, so it may be deleted later.
        before: JSON values as they were.
        after: JSON values as they are now.
    """
    return AuditEvent.objects.create(
        project_id=project_id,
        actor=actor if isinstance(actor, get_user_model()) else None,
        actor_name=str(actor)[:200] if actor is not None else "system",
        action=action,
        object_type=obj._meta.label_lower,
        object_id=str(obj.pk),
        before=dict(before or {}),
        after=dict(after or {}),
    )
