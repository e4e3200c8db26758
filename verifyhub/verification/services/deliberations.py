"""Deliberate on a task or a stored answer (D5)."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import models, transaction

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_event
from verifyhub.common.row_queue import RowLease, RowQueue
from verifyhub.engine.deliberation.model import Step
from verifyhub.engine.deliberation.run import DeliberationTools, deliberate
from verifyhub.ingest.models import Interaction
from verifyhub.verification.models import Deliberation
from verifyhub.verification.selectors import latest_finished
from verifyhub.verification.services.at_hand import at_hand, name_of

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
    return DELIBERATIONS.run(
        deliberation_id,
        lambda lease: Deliberation.end(lease, steps=_documents(_run_steps(lease))),
    )


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
    Deliberation.objects.filter(
        pk=lease.row_id, token=lease.token, state=Deliberation.State.RUNNING
    ).update(steps=_documents(steps))


def _documents(steps: Sequence[Step]) -> list[dict[str, Any]]:
    return [step.as_dict() for step in steps]
