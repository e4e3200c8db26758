"""Pass names of accepted runs to the memory of projects that learn."""

from collections.abc import Sequence
from uuid import UUID

from verifyhub.common.jobs import enqueue_on_commit
from verifyhub.memory import services as memory
from verifyhub.memory.selectors import learning_projects
from verifyhub.verification.models import Verdict, Verification
from verifyhub.verification.selectors import ledger_of
from verifyhub.verification.steps import FinishedVerification


def ring_learning(finished: Sequence[FinishedVerification]) -> None:
    """Wake the worker that learns from accepted runs.

    If a wake-up is lost, nothing is learned from that run.
    """
    accepted = [
        verification.verification
        for verification in finished
        if verification.verification.verdict == Verdict.ACCEPT
    ]
    if not accepted:
        return
    learning = learning_projects({verification.project_id for verification in accepted})
    for verification in accepted:
        if verification.project_id in learning:
            enqueue_on_commit(
                "verification.learn_names", verification_id=str(verification.id)
            )


def learn_names(*, verification_id: UUID) -> int:
    """Add names from an accepted run's tool outputs; return how many were new."""
    verification = (
        Verification.objects.select_related("interaction__project")
        .filter(pk=verification_id, verdict=Verdict.ACCEPT)
        .filter(interaction__outputs_removed_at=None)
        .first()
    )
    if verification is None:
        return 0
    interaction = verification.interaction
    return memory.learn_names(
        project=interaction.project, ledger=ledger_of(interaction)
    )
