"""Ask for a verification: the first of an interaction, or another one."""

from django.db import models, transaction

from verifyhub.audit.services import record_event
from verifyhub.common.jobs import enqueue_on_commit
from verifyhub.ingest.models import Interaction
from verifyhub.verification.models import Verification


class VerificationRunningError(Exception):
    """The interaction waits for a verification already."""


@transaction.atomic
def open_verification(*, interaction: Interaction) -> Verification:
    """Put the first verification of an interaction into the queue."""
    verification = Verification.objects.create(
        project_id=interaction.project_id, interaction=interaction
    )
    _ring(verification)
    return verification


@transaction.atomic
def reverify(*, interaction: Interaction, actor: models.Model | None) -> Verification:
    """Put another verification of an interaction into the queue.

    Earlier reports stay as they are; the newest finished one is the verdict.

    Args:
        interaction: What to verify again.
        actor: The user or API key that asks; None for the system.

    Raises:
        VerificationRunningError: If one is pending or running.
    """
    # The lock makes two requests at once take turns, so the numbers stay distinct.
    Interaction.objects.select_for_update().get(pk=interaction.pk)
    latest = interaction.verifications.order_by("-number").first()
    if latest and latest.state in Verification.WAITING:
        raise VerificationRunningError(str(latest))
    verification = Verification.objects.create(
        project_id=interaction.project_id,
        interaction=interaction,
        number=latest.number + 1 if latest else 1,
    )
    record_event(
        project_id=interaction.project_id,
        actor=actor,
        action="verification.requested_again",
        obj=interaction,
        before={"number": latest.number, "verdict": latest.verdict} if latest else {},
        after={"number": verification.number},
    )
    _ring(verification)
    return verification


def _ring(verification: Verification) -> None:
    enqueue_on_commit("verification.verify", verification_id=str(verification.id))
