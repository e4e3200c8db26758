"""Create a preference pair from a correction, and undo it."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from verifyhub.accounts.models import Project, User
from verifyhub.common.db import update_if
from verifyhub.common.effects import Effect
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.ingest.models import Interaction
from verifyhub.learning.models import MAX_REASON, JudgedAnswer, PreferencePair
from verifyhub.learning.services.record import record_answer
from verifyhub.learning.services.settle import pair_effect

State = PreferencePair.State


@transaction.atomic
def learn_from_correction(
    *,
    project: Project,
    interaction: Interaction,
    verification_id: UUID,
    report: VerificationReport,
    override_id: UUID,
    chosen: str,
    reason: str,
    actor: User | None,
    decided_at: datetime | None = None,
) -> list[Effect]:
    """Store a preference pair: a corrected answer and the original.

    Called inside the transaction of the decision; idempotent for the same decision. Of
    several corrections the newest one counts.

    Args:
        project: The tenant.
        interaction: The corrected answer, with task and rejected text.
        verification_id: The decided verification.
        report: Its report.
        override_id: The decision.
        chosen: The person's complete text.
        reason: The person's reason.
        actor: The reviewer; None for a key.
        decided_at: The time of an older decision; by default now.

    Returns:
        The effect, for undo.
    """
    record_answer(
        interaction=interaction, verification_id=verification_id, report=report
    )
    # Locked, so that decisions on one answer take turns.
    JudgedAnswer.objects.select_for_update().get(pk=interaction.pk)
    pair, created = PreferencePair.objects.get_or_create(
        override_id=override_id,
        defaults={
            "project": project,
            "interaction": interaction,
            "verification_id": verification_id,
            "chosen": chosen,
            "machine": str(report.verdict),
            "reason": reason[:MAX_REASON],
            "decided_at": decided_at or timezone.now(),
            "reviewer": actor,
        },
    )
    if not created:
        return []
    _settle(interaction.pk)
    return [pair_effect(pair, active=True)]


def undo_pair(pair_id: str) -> list[Effect]:
    """Undo one pair; an older correction of the answer is active again."""
    pair = PreferencePair.objects.get(id=pair_id)
    JudgedAnswer.objects.select_for_update().get(pk=pair.interaction_id)
    if not update_if(pair, expected={"state": State.TAUGHT}, state=State.UNDONE):
        return []
    _settle(pair.interaction_id)
    return [pair_effect(pair, active=False)]


def _settle(interaction_id: UUID) -> None:
    pairs = PreferencePair.objects.filter(interaction_id=interaction_id)
    newest = (
        pairs.filter(state=State.TAUGHT)
        .order_by("-decided_at", "-created_at", "-id")
        .values_list("pk", flat=True)
        .first()
    )
    active = [newest] if newest else []
    pairs.filter(active=True).exclude(pk__in=active).update(active=False)
    pairs.filter(active=False, pk__in=active).update(active=True)
