"""Deliberate on a task or a stored answer (D5)."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import models, transaction
from django.db.models.functions import Now

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_event
from verifyhub.common.logs import get_logger
from verifyhub.common.row_queue import RowLease, RowQueue
from verifyhub.engine.deliberation.model import Step
from verifyhub.engine.deliberation.run import DeliberationTools, deliberate
from verifyhub.ingest.models import Interaction
from verifyhub.verification.models import Deliberation
from verifyhub.verification.selectors import latest_finished
from verifyhub.verification.services.at_hand import at_hand, name_of

logger = get_logger(__name__)

DELIBERATIONS = RowQueue(
    "verification_deliberation",
    task="verification.deliberate",
    argument="deliberation_id",
)


@transaction.atomic
def deliberate_answer(
    *, interaction: Interaction, actor: models.Model | None
) -> Deliberation:
    """Deliberate on a stored answer: it is the draft, and its run the evidence."""
    return _begun(
        Deliberation(
            project=interaction.project,
            interaction=interaction,
            verification=latest_finished(interaction),
            task=interaction.task,
            text=interaction.answer,
            asked_by=name_of(actor),
        ),
        actor,
    )


@transaction.atomic
def deliberate_task(
    *,
    project: Project,
    task: str,
    draft: str,
    sources: Sequence[Any],
    actor: models.Model | None,
) -> Deliberation:
    """Deliberate on a task without a run, over its sources."""
    row = Deliberation(
        project=project,
        task=task,
        text=draft,
        sources=list(sources),
        asked_by=name_of(actor),
    )
    return _begun(row, actor)


def run_deliberation(*, deliberation_id: UUID) -> bool:
    """Run the four steps if the row can be claimed, storing each as it ends.

    Returns:
        True if this call finished the row.
    """
    lease = DELIBERATIONS.claim(deliberation_id)
    if lease is None:
        return False
    try:
        with DELIBERATIONS.renewing(lease):
            steps = _run_steps(lease)
        return _write(lease, steps, ended=True)
    except Exception as error:  # noqa: BLE001 - whatever happened, the row says so
        state = DELIBERATIONS.fail(lease, error)
        logger.error(
            "deliberation.attempt_failed",
            id=str(deliberation_id),
            state=state,
            error=type(error).__name__,
        )
        return False


def _begun(row: Deliberation, actor: models.Model | None) -> Deliberation:
    row.save(force_insert=True)
    record_event("deliberation.requested", row, actor)
    DELIBERATIONS.ring(row.id)
    return row


def _run_steps(lease: RowLease) -> Sequence[Step]:
    row = Deliberation.objects.select_related(
        "project", "interaction__session", "verification"
    ).get(pk=lease.row_id)
    tools = at_hand(row)
    return deliberate(
        row.task,
        row.text,
        tools=DeliberationTools(
            model=tools.model,
            check_facts=tools.check_facts,
            verify=tools.verify,
            search=tools.search,
        ),
        on_step=lambda steps: _keep(lease, steps),
    )


def _keep(lease: RowLease, steps: Sequence[Step]) -> None:
    """Store the progress, unless the claim on the row was lost."""
    _write(lease, steps, ended=False)


def _write(lease: RowLease, steps: Sequence[Step], *, ended: bool) -> bool:
    changes: dict[str, Any] = {"steps": [step.as_dict() for step in steps]}
    if ended:
        changes |= {
            "state": Deliberation.State.FINISHED,
            "lease_until": None,
            "error": "",
            "finished_at": Now(),
        }
    won = Deliberation.objects.filter(
        pk=lease.row_id, token=lease.token, state=Deliberation.State.RUNNING
    ).update(**changes)
    return bool(won)
