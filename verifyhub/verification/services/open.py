"""Create verifications: the first of an interaction, or another one."""

from collections.abc import Sequence

from django.db import models, transaction

from verifyhub.audit.services import record_event
from verifyhub.common.row_writes import insert
from verifyhub.common.tracing import link_to
from verifyhub.common.wake_ups import wake_on_commit
from verifyhub.engine.presets.strictness import Strictness
from verifyhub.inference.services import forget
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.selectors import require_outputs
from verifyhub.verification.models import Verification

# Wake-ups for the rows of one transaction.
RINGS_AT_ONCE = 4


class VerificationRunningError(Exception):
    """A verification of the interaction is pending already."""

    def __init__(self, waiting: Verification) -> None:
        super().__init__(str(waiting))
        self.waiting = waiting


def open_verification(*, interaction: Interaction) -> Verification:
    """Queue the first verification of an interaction."""
    [verification] = open_verifications([interaction])
    return verification


@transaction.atomic(savepoint=False)
def open_verifications(interactions: Sequence[Interaction]) -> list[Verification]:
    """Queue the first verifications of interactions.

    A few wake-ups suffice for many rows: on each, a worker takes one row after another,
    and the reconciler sends more for the rest.
    """
    verifications = [
        Verification(project_id=row.project_id, interaction=row) for row in interactions
    ]
    insert(verifications)
    link_to(row.id for row in verifications)
    wake_on_commit("verification.verify", count=min(len(verifications), RINGS_AT_ONCE))
    return verifications


@transaction.atomic
def reverify(
    *,
    interaction: Interaction,
    actor: models.Model | None,
    strictness: Strictness | None = None,
    with_layers: bool = False,
) -> Verification:
    """Queue another verification of an interaction.

    Earlier reports stay; the newest finished one is the verdict. Stored opinions of
    models are deleted, so that models are called again.

    Args:
        interaction: The interaction.
        actor: The user or API key that requests it; None for the system.
        strictness: The preset for this verification; None for the project's.
        with_layers: Whether the detection layers run, whatever the project's setting.

    Raises:
        VerificationRunningError: If one is pending or running.
        OutputsRemovedError: If what its tools returned was removed.
    """
    # A new request needs new opinions.
    forget(
        project=interaction.project,
        verification_ids=interaction.verifications.values_list("id", flat=True),
    )
    verification, latest = open_again(interaction, strictness, with_layers)
    record_event(
        "verification.requested_again",
        interaction,
        actor,
        before={"number": latest.number, "verdict": latest.verdict} if latest else {},
        after={
            "number": verification.number,
            "strictness": verification.strictness,
            **({"layers": True} if with_layers else {}),
        },
    )
    return verification


def open_again(
    interaction: Interaction, strictness: str | None, with_layers: bool = False
) -> tuple[Verification, Verification | None]:
    """Open the next verification, inside the caller's transaction.

    Returns:
        The new one, and the one before it.

    Raises:
        VerificationRunningError: If one is pending or running; it is the argument.
        OutputsRemovedError: If the tool outputs were removed.
    """
    # With the lock, concurrent requests take turns, so that numbers are unique.
    require_outputs(Interaction.objects.select_for_update().get(pk=interaction.pk))
    latest = interaction.verifications.order_by("-number").first()
    if latest and latest.state in Verification.WAITING:
        raise VerificationRunningError(latest)
    verification = Verification.objects.create(
        project_id=interaction.project_id,
        interaction=interaction,
        number=latest.number + 1 if latest else 1,
        strictness=str(strictness or ""),
        with_layers=with_layers,
    )
    link_to([verification.id])
    wake_on_commit("verification.verify")
    return verification, latest
