"""End the observation period of constraints."""

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from verifyhub.accounts.models import Project
from verifyhub.memory.models import Constraint
from verifyhub.memory.services.changes import thresholds_of
from verifyhub.memory.services.settle_constraints import settle_constraints

# Constraints of one transaction, and transactions of one call; the next call does the
# rest.
BATCH = 200
BATCHES = 20


def end_shadows(*, now: datetime) -> int:
    """Settle the constraints whose shadow has ended, in all projects.

    Constraints that became active before support was counted by key are settled as
    well: they must meet the current rule. May run concurrently; settling is idempotent.

    Args:
        now: The moment (aware).

    Returns:
        How many constraints were settled.
    """
    due = Constraint.objects.filter(_unmeasured() | Q(state=Constraint.State.SHADOW))
    projects = Project.objects.filter(id__in=due.values("project_id").distinct())
    return sum(_end_shadows_of(project, now) for project in projects)


def _end_shadows_of(project: Project, now: datetime) -> int:
    settled, last = 0, UUID(int=0)
    for _ in range(BATCHES):
        rule = thresholds_of(project)
        measured = Q(
            state=Constraint.State.SHADOW,
            shadow_at__lte=now - timedelta(hours=rule.shadow_hours),
        )
        if rule.leaving_shadow == "lead":
            measured &= Q(confirmed_at__isnull=False)
        batch = list(
            Constraint.objects.filter(
                measured | _unmeasured(), project=project, id__gt=last
            )
            .order_by("id")
            .values_list("id", "mention_kind", "mention_key")[:BATCH]
        )
        if not batch:
            break
        with transaction.atomic():
            settle_constraints(
                project=project,
                names={(kind, key) for _, kind, key in batch},
                actor=None,
                now=now,
            )
        settled, last = settled + len(batch), batch[-1][0]
    return settled


def _unmeasured() -> Q:
    """Return a filter for active constraints that never met the rule about keys."""
    return Q(
        state=Constraint.State.ACTIVE,
        origin=Constraint.Origin.RECURRENCE,
        pinned=False,
        shadow_at__isnull=True,
    )
