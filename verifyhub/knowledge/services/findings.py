"""What memory holds for true, as passages: made when a search may need them.

A session's findings, and what every session is told, change with every answer; most of
them are never searched. So they become passages when their session's claims, or a
person, first search (ADR 0035). What a passage says is compared with its entry whenever
it is found: retracted, expired or reworded ones vanish at once.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.engine.reports import Status
from verifyhub.knowledge.models import Passage
from verifyhub.knowledge.services.spaces import mark_due
from verifyhub.knowledge.services.values import storable
from verifyhub.memory.models import MemoryEntry

# Of one search the newest; older ones come with the next.
MOST = 200


@transaction.atomic
def sync_findings(*, project: Project, session_id: UUID | None) -> int:
    """Make passages of what a session may be told and has none yet; drop stale ones.

    Returns:
        How many passages were made.
    """
    there = Passage.objects.filter(finding=OuterRef("pk"))
    rows = entries_in_force(project, session_id, timezone.now()).filter(~Exists(there))
    fresh = [
        _passage(row)
        for row in rows.order_by("-created_at", "-id")[:MOST]
        if row.text.strip()
    ]
    if fresh:
        Passage.objects.bulk_create(fresh, ignore_conflicts=True)
        mark_due(project)
    return len(fresh)


def entries_in_force(project: Project, session_id: UUID | None, now: datetime) -> "Any":
    """The entries that speak for a fact: shared, or of the session, and in force."""
    mine = Q(scope=MemoryEntry.Scope.PROJECT)
    if session_id is not None:
        mine |= Q(session_id=session_id)
    return MemoryEntry.objects.filter(
        mine,
        Q(expires_at__isnull=True) | Q(expires_at__gt=now),
        project=project,
        state=MemoryEntry.State.ACTIVE,
        kind__in=(MemoryEntry.Kind.FINDING, MemoryEntry.Kind.CORRECTION),
    )


def as_sentence(entry: MemoryEntry) -> str:
    """Return an entry as a sentence that speaks for or against something."""
    name, instead = storable(entry.text).strip(), storable(entry.suggestion).strip()
    if entry.kind == MemoryEntry.Kind.FINDING:
        return f"{name} exists: evidence showed it."
    if entry.mention_status == Status.VERIFIED:
        return f"{name} is right: a reviewer said so."
    if instead:
        return f"{name} is wrong: a reviewer said that {instead} is right."
    return f"{name} is wrong: a reviewer said so."


def _passage(entry: MemoryEntry) -> Passage:
    text = as_sentence(entry)
    shared = entry.scope == MemoryEntry.Scope.PROJECT
    return Passage(
        project_id=entry.project_id,
        origin=Passage.Origin.FINDING,
        finding=entry,
        session_id=None if shared else entry.session_id,
        text=text,
        end=len(text),
    )
