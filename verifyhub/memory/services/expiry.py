"""Expire entries of sessions, by kind, as each project configured it."""

from datetime import datetime, timedelta

from django.db import transaction

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_event
from verifyhub.common.db import update_if
from verifyhub.common.retention import Retention
from verifyhub.memory.models import ContextDelivery, MemoryEntry
from verifyhub.memory.services.changes import name_of, thresholds_of
from verifyhub.memory.services.settle_constraints import settle_constraints
from verifyhub.memory.services.settle_names import settle_names
from verifyhub.memory.services.words import hold_words

# Entries of one transaction, and transactions for one kind in one call; the next call
# does the rest.
BATCH = 1000
BATCHES = 20
# As long as effects are measured.
DELIVERIES_KEPT = timedelta(days=90)
# The project's setting for each kind; people's decisions do not expire.
DAYS = {
    MemoryEntry.Kind.FINDING: "finding_days",
    MemoryEntry.Kind.BLOCKER: "blocker_days",
    MemoryEntry.Kind.GAP: "gap_days",
}


def expire_entries(*, now: datetime) -> int:
    """Expire entries that are older than their project's limit for their kind.

    Expired entries are kept: they still count for and against constraints. May run
    concurrently; each entry expires once.

    Args:
        now: The moment (aware).

    Returns:
        How many entries expired.
    """
    expired = 0
    for project in Project.objects.order_by("id"):
        rule = thresholds_of(project)
        for kind, name in DAYS.items():
            days: int = getattr(rule, name)
            if days:
                expired += _expire(project, kind, now - timedelta(days=days))
    dated = MemoryEntry.objects.filter(
        state=MemoryEntry.State.ACTIVE, expires_at__lte=now
    ).select_related("project")
    return expired + sum(map(_expire_one, dated.order_by("expires_at")[:BATCH]))


@transaction.atomic
def _expire_one(entry: MemoryEntry) -> bool:
    """Expire an entry with a date of its own; those it outranked are valid again."""
    correction = entry.kind == MemoryEntry.Kind.CORRECTION
    hold_words(entry.project_id, change=correction)
    before = {"state": str(MemoryEntry.State.ACTIVE)}
    after = {"state": str(MemoryEntry.State.EXPIRED)}
    if not update_if(entry, expected=before, **after):
        return False
    if correction:
        names = {name_of(entry)}
        settled = settle_names(project=entry.project, names=names, actor=None)
        settle_constraints(project=entry.project, names=settled.names, actor=None)
    record_event("memory.entry_expired", entry, None, before=before, after=after)
    return True


def _expire(project: Project, kind: str, before: datetime) -> int:
    total = 0
    for _ in range(BATCHES):
        count = _expire_batch(project, kind, before)
        total += count
        if count < BATCH:
            break
    return total


@transaction.atomic
def _expire_batch(project: Project, kind: str, before: datetime) -> int:
    old = (
        MemoryEntry.objects.select_for_update(skip_locked=True)
        .filter(
            project=project,
            kind=kind,
            state=MemoryEntry.State.ACTIVE,
            created_at__lt=before,
        )
        .order_by("created_at")
        .values_list("id", flat=True)[:BATCH]
    )
    count = MemoryEntry.objects.filter(id__in=list(old)).update(
        state=MemoryEntry.State.EXPIRED
    )
    if count:
        record_event(
            "memory.entries_expired",
            project,
            None,
            after={"kind": str(kind), "count": count, "before": before.isoformat()},
        )
    return count


DELIVERY_RETENTION = Retention(
    name="delivered contexts",
    old=lambda now: ContextDelivery.objects.filter(
        created_at__lt=now - DELIVERIES_KEPT
    ),
    project="project_id",
)
