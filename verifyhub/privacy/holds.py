"""Legal holds: data that nobody can delete.

Creating a hold waits for running batches of deletions, and every later batch sees it:
once the hold exists, nothing that it keeps is deleted.
"""

from collections.abc import Sequence
from uuid import UUID

from django.db import connection, models, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_event
from verifyhub.common.db import update_if
from verifyhub.ingest.models import Interaction, Session
from verifyhub.ingest.selectors import find_interaction
from verifyhub.privacy.models import LegalHold

# The first key of the advisory lock; the second is derived from the project.
LOCK = 0x686F6C64


class HoldRefusedError(Exception):
    """There is nothing to hold, or the hold already exists or is already released."""


@transaction.atomic
def place_hold(
    *,
    project: Project,
    kind: LegalHold.Kind,
    target: str,
    reason: str,
    actor: models.Model,
) -> LegalHold:
    """Create a legal hold on a project, session, agent or run.

    Args:
        project: The tenant.
        kind: The kind of the target.
        target: A run's id (client id or UUID), the name of a session or an agent; empty
            for the whole project.
        reason: The reason, for courts and colleagues.
        actor: The user or API key.

    Raises:
        HoldRefusedError: `unknown` if the target does not exist, `held` if it has an
            active hold.
    """
    _lock(project, "pg_advisory_xact_lock")
    target = _stored_target(project, kind, target.strip())
    active = active_holds(project).filter(kind=kind, target=target)
    if active.exists():
        raise HoldRefusedError("held")
    hold = LegalHold.objects.create(
        project=project,
        kind=kind,
        target=target,
        reason=reason,
        placed_by=str(actor)[:200],
    )
    record_event(
        "privacy.hold_placed",
        hold,
        actor,
        after={"kind": str(kind), "target": target, "reason": reason},
    )
    return hold


@transaction.atomic
def release_hold(*, hold: LegalHold, actor: models.Model) -> None:
    """Release a hold; the next retention deletes old rows.

    Raises:
        HoldRefusedError: `released` if it has ended.
    """
    if not update_if(
        hold,
        expected={"released_at": None},
        released_at=timezone.now(),
        released_by=str(actor)[:200],
    ):
        raise HoldRefusedError("released")
    record_event(
        "privacy.hold_released",
        hold,
        actor,
        after={"kind": hold.kind, "target": hold.target},
    )


def active_holds(project: Project) -> QuerySet[LegalHold]:
    """Return the active holds of a project, newest first."""
    rows = LegalHold.objects.filter(project=project, released_at=None)
    return rows.order_by("-created_at")


def held_projects() -> Sequence[UUID]:
    """Return the projects with an active hold of any kind.

    Their traces, memory, events and deliveries are not deleted by age, since these rows
    do not always show whether they belong to a held run or session.
    """
    active = LegalHold.objects.filter(released_at=None)
    return list(active.order_by().values_list("project_id", flat=True).distinct())


def read_holds(project: Project) -> list[LegalHold]:
    """Return the active holds for one batch of a deletion.

    Must run inside the transaction that deletes: until it ends, no hold is created.
    """
    _lock(project, "pg_advisory_xact_lock_shared")
    return list(active_holds(project))


def are_held(holds: Sequence[LegalHold]) -> Q | None:
    """Return a filter for the runs that some holds keep; None without holds."""
    kinds = LegalHold.Kind
    if any(hold.kind == kinds.PROJECT for hold in holds):
        return Q(pk__isnull=False)
    targets = {
        kind: [hold.target for hold in holds if hold.kind == kind] for kind in kinds
    }
    fields = (
        ("pk__in", [UUID(target) for target in targets[kinds.RUN]]),
        ("session__key__in", targets[kinds.SESSION]),
        ("agent_name__in", targets[kinds.AGENT]),
    )
    condition = Q()
    for field, values in fields:
        if values:
            condition |= Q((field, values))
    return condition or None


def _stored_target(project: Project, kind: LegalHold.Kind, target: str) -> str:
    """Return the target in its stored form.

    Raises:
        HoldRefusedError: If the target does not exist.
    """
    match kind:
        case LegalHold.Kind.PROJECT:
            return ""
        case LegalHold.Kind.RUN:
            row = find_interaction(project, target)
            exists, target = row is not None, str(row.id) if row else ""
        case LegalHold.Kind.SESSION:
            exists = Session.objects.filter(project=project, key=target).exists()
        case _:
            runs = Interaction.objects.filter(project=project, agent_name=target)
            exists = bool(target) and runs.exists()
    if not exists:
        raise HoldRefusedError("unknown")
    return target


def _lock(project: Project, function: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {function}(%s, hashtext(%s))",
            [LOCK, str(project.pk)],
        )
