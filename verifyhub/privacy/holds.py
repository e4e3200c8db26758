"""Legal holds: data that nobody can delete.

Placing a hold waits for the batches of deletions that are being written, and each later
batch sees it: once the hold is there, nothing of what it keeps goes.
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

# The first number of the advisory lock; the second is derived from the project.
LOCK = 0x686F6C64


class HoldRefusedError(Exception):
    """There is nothing to hold, or a hold exists already or is released already."""


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
        kind: What the target is.
        target: The run's id (the client's own or ours), the name of a session or an
            agent; empty for the whole project.
        reason: Why, as a court or a colleague will read it.
        actor: The user or API key that acts.

    Raises:
        HoldRefusedError: `unknown` if the project has no such thing, `held` if a hold
            of just this is active.
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
        project_id=project.id,
        actor=actor,
        action="privacy.hold_placed",
        obj=hold,
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
        project_id=hold.project_id,
        actor=actor,
        action="privacy.hold_released",
        obj=hold,
        after={"kind": hold.kind, "target": hold.target},
    )


def active_holds(project: Project) -> QuerySet[LegalHold]:
    """Return the active holds of a project, newest first."""
    rows = LegalHold.objects.filter(project=project, released_at=None)
    return rows.order_by("-created_at")


def held_projects() -> Sequence[UUID]:
    """Return the projects with an active hold of any kind.

    Of these no trace, memory, event or delivery goes for its age: which of them belong
    to a held run or session is not always told by the row.
    """
    active = LegalHold.objects.filter(released_at=None)
    return list(active.order_by().values_list("project_id", flat=True).distinct())


def read_holds(project: Project) -> list[LegalHold]:
    """Return the active holds for one batch of a deletion.

    Must run inside the transaction that deletes: until it ends, no hold is placed.
    """
    _lock(project, "pg_advisory_xact_lock_shared")
    return list(active_holds(project))


def are_held(holds: Sequence[LegalHold]) -> Q | None:
    """Return the condition of runs that some holds keep; None without holds."""
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
    """Return the target as it is stored.

    Raises:
        HoldRefusedError: If the project has no such thing.
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
