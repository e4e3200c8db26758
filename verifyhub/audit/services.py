"""Writes of audit events."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import models

from verifyhub.audit.models import AuditEvent
from verifyhub.common.row_writes import insert

# Maximum events of one INSERT.
EVENTS_PER_INSERT = 1000


def record_event(
    action: str,
    obj: models.Model,
    actor: models.Model | None,
    *,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    project_id: UUID | None = None,
) -> AuditEvent:
    """Record an act in its own transaction.

    Args:
        action: The act, as `package.past_participle`.
        obj: The row, referred to by type and id, so that it may be deleted later.
        actor: A user, an API key, or None for the system itself.
        before: The former JSON values.
        after: The new JSON values.
        project_id: The tenant, where it is not the row's own; an act on an account is
            outside of projects without it.
    """
    project_id = project_id or getattr(obj, "project_id", None)
    event = _event(project_id, actor, action, obj, before or {}, after or {})
    event.save(force_insert=True)
    return event


def record_events(
    action: str,
    changes: Iterable[tuple[models.Model, Mapping[str, Any], Mapping[str, Any]]],
    actor: models.Model | None,
) -> None:
    """Record one act on many rows, an event for each; see `record_event`.

    Args:
        action: The act.
        changes: Each row of a project with its former and its new values.
        actor: Who did it.
    """
    events = [
        _event(obj.project_id, actor, action, obj, before, after)  # type: ignore[attr-defined]
        for obj, before, after in changes
    ]
    for first in range(0, len(events), EVENTS_PER_INSERT):
        insert(events[first : first + EVENTS_PER_INSERT])


def _event(
    project_id: UUID | None,
    actor: models.Model | None,
    action: str,
    obj: models.Model,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
) -> AuditEvent:
    return AuditEvent(
        project_id=project_id,
        actor=actor if isinstance(actor, get_user_model()) else None,
        actor_name=str(actor)[:200] if actor is not None else "system",
        action=action,
        object_type=obj._meta.label_lower,
        object_id=str(obj.pk),
        before=dict(before),
        after=dict(after),
    )
