"""Verify many answers again, with lower priority than new ones.

A batch is stored as rows: its answers, each with its new verification. Every few
seconds the reconciler queues a few more. So nothing is lost with a worker, and a new
answer waits for a few others at most.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import IntegrityError, connection, models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_event
from verifyhub.common.db import update_if
from verifyhub.common.jobs import enqueue_on_commit
from verifyhub.common.logs import get_logger
from verifyhub.engine.presets.strictness import Strictness
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.selectors import OutputsRemovedError
from verifyhub.verification.models import Batch, BatchMember, Verification
from verifyhub.verification.services.open import VerificationRunningError, open_again

logger = get_logger(__name__)

MAX_ANSWERS = 20_000
# Verifications of one batch that may be queued or running at a time.
AT_A_TIME = 20
# The same while new answers are waiting: a batch yields, but never stops.
BESIDE_NEW_WORK = 1

ADD_MEMBERS = """
INSERT INTO verification_batchmember (project_id, batch_id, interaction_id)
SELECT %(project)s, %(batch)s, id FROM ingest_interaction
WHERE project_id = %(project)s AND id = ANY(%(ids)s)
ORDER BY created_at, id
"""


class BatchError(Exception):
    """The batch cannot be started; the message says why, for people."""


@transaction.atomic
def open_batch(
    *,
    project: Project,
    interactions: models.QuerySet[Interaction],
    filters: Mapping[str, Any],
    strictness: Strictness | None,
    actor: models.Model,
) -> Batch:
    """Start verifying answers again in the background.

    Args:
        project: The tenant.
        interactions: The answers. Those that arrive later are not included, nor those
            whose tool outputs were removed.
        filters: The filter that selected them, for people.
        strictness: The preset for all of them; None for the project's.
        actor: The user or API key that requests it.

    Raises:
        BatchError: If there are no answers, too many, or a batch of the project runs.
    """
    ids = list(
        interactions.filter(project=project, outputs_removed_at=None)
        .order_by()
        .values_list("id", flat=True)[: MAX_ANSWERS + 1]
    )
    if not ids:
        raise BatchError(_("No answer matches the filter."))
    if len(ids) > MAX_ANSWERS:
        raise BatchError(
            _("More than %(figure)s answers match; narrow the filter.")
            % {"figure": f"{MAX_ANSWERS:,}"}
        )
    try:
        with transaction.atomic():
            batch = Batch.objects.create(
                project=project,
                filters=dict(filters),
                strictness=str(strictness or ""),
                asked_by=str(actor)[:200],
                total=len(ids),
            )
    except IntegrityError as error:
        raise BatchError(_("A batch of this project is already running.")) from error
    with connection.cursor() as cursor:
        cursor.execute(
            ADD_MEMBERS, {"project": project.id, "batch": batch.id, "ids": ids}
        )
    _audit(batch, actor, "verification.batch_started", {"total": batch.total})
    enqueue_on_commit("verification.advance_batch", batch_id=str(batch.id))
    return batch


@transaction.atomic
def cancel_batch(*, batch: Batch, actor: models.Model) -> bool:
    """Cancel a batch; queued answers are still verified.

    Returns:
        False if it had already ended.
    """
    won = update_if(
        batch,
        expected={"state": Batch.State.RUNNING},
        state=Batch.State.CANCELLED,
        ended_at=timezone.now(),
    )
    if won:
        opened = batch.members.exclude(verification=None).count()
        _audit(batch, actor, "verification.batch_cancelled", {"opened": opened})
    return won


def advance_batches() -> int:
    """Queue a few more answers of every running batch.

    Returns:
        How many.
    """
    running = Batch.objects.filter(state=Batch.State.RUNNING)
    return sum(
        advance_batch(batch_id=identifier)
        for identifier in running.values_list("id", flat=True)
    )


@transaction.atomic
def advance_batch(*, batch_id: UUID) -> int:
    """Queue a few more answers of one batch, or end it.

    Of two concurrent workers the second finds the row locked and does nothing.
    """
    batch = (
        Batch.objects.select_for_update(skip_locked=True)
        .filter(id=batch_id, state=Batch.State.RUNNING)
        .first()
    )
    if batch is None:
        return 0
    waiting = batch.members.filter(verification__state__in=Verification.WAITING)
    room = _room() - waiting.count()
    members = list(
        batch.members.filter(verification=None)
        .select_related("interaction")
        .order_by("id")[: max(0, room)]
    )
    for member in members:
        _open(batch, member)
    if not members and not batch.members.filter(
        models.Q(verification=None)
        | models.Q(verification__state__in=Verification.WAITING)
    ):
        batch.state, batch.ended_at = Batch.State.FINISHED, timezone.now()
        batch.save(update_fields=["state", "ended_at"])
        failed = batch.members.filter(verification__state=Verification.State.FAILED)
        result = {"total": batch.total, "failed": failed.count()}
        _audit(batch, None, "verification.batch_finished", result)
        logger.info("verification.batch_finished", id=str(batch.id), **result)
    return len(members)


def _room() -> int:
    """Return how many of a batch may be queued: few while new answers are waiting."""
    new_work = Verification.objects.filter(
        state=Verification.State.PENDING, batch_members=None
    )
    return BESIDE_NEW_WORK if new_work.exists() else AT_A_TIME


def _open(batch: Batch, member: BatchMember) -> None:
    try:
        with transaction.atomic():
            member.verification, _ = open_again(member.interaction, batch.strictness)
    except VerificationRunningError as error:
        # Somebody else has just requested one: the batch uses it.
        member.verification = error.waiting
    except OutputsRemovedError:
        # The outputs were removed after the batch was opened.
        member.delete()
        batch.total -= 1
        batch.save(update_fields=["total"])
        return
    member.save(update_fields=["verification"])


def _audit(
    batch: Batch, actor: models.Model | None, action: str, after: dict[str, Any]
) -> None:
    record_event(
        action,
        batch,
        actor,
        after={"filters": batch.filters, "strictness": batch.strictness, **after},
    )
