"""Publish the newest seal of the audit log.

Receivers keep it out of reach of anybody who can rewrite the database with its seals.
"""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.audit.models import AuditEvent, AuditSeal
from verifyhub.events.catalogue import EventType
from verifyhub.events.services.outbox import event_of, publish_all

# Projects without acts in this period get no event.
EVERY = timedelta(hours=1)


@transaction.atomic
def publish_audit_head() -> int:
    """Publish the newest seal to each project with acts in the last hour.

    Returns:
        The number of projects that got an event.
    """
    last = AuditSeal.objects.order_by("-number").first()
    if last is None:
        return 0
    rows = AuditSeal.objects.filter(sealed_at__lt=timezone.now() - EVERY)
    top = rows.order_by("-number").values_list("top", flat=True).first() or 0
    acted = AuditEvent.objects.filter(id__gt=top).values("project_id").distinct()
    projects = Project.objects.filter(id__in=acted).values_list("id", flat=True)
    events = [
        event_of(
            project_id=project,
            type=EventType.AUDIT_SEALED,
            data={"seal": last.number, "digest": last.head.hex(), "last_act": last.top},
            subject={},
        )
        for project in projects
    ]
    if events:
        publish_all(events)
    return len(events)
