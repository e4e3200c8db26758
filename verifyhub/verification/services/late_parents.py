"""Verify answers again whose parent arrived after their verification (A9, A12)."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from uuid import UUID

from verifyhub.audit.services import record_event
from verifyhub.common.prepared import PreparedQuery
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.selectors import OutputsRemovedError, is_known
from verifyhub.verification.models import Verification
from verifyhub.verification.services.open import VerificationRunningError, open_again
from verifyhub.verification.steps import FinishedVerification

# At most so many children of one batch's answers.
MOST = 1000
# A parent becomes visible a moment after its timestamp, when its transaction commits.
UNSEEN = timedelta(seconds=1)

Names = Mapping[tuple[UUID, str], datetime]


def follow_late_parents(finished: Sequence[FinishedVerification]) -> None:
    """Verify answers again whose parent was missing the first time.

    Only answers that were verified once. Runs in the transaction that finishes the
    parent, or the answer if the parent arrived meanwhile.
    """
    first = [completed for completed in finished if completed.verification.number == 1]
    waiting = {
        completed.interaction.id
        for completed in first
        if completed.parent_missing
        and is_known(completed.verification.project, completed.interaction.parent)
    }
    for key in sorted(
        waiting | _before([completed.interaction for completed in first])
    ):
        interaction = Interaction.objects.get(pk=key)
        with suppress(VerificationRunningError, OutputsRemovedError):
            verification, _ = open_again(interaction, None)
            record_event(
                "verification.requested_again",
                interaction,
                None,
                after={"number": verification.number, "parent": interaction.parent},
            )


_FOLLOWING = PreparedQuery(
    lambda projects, parents: (
        Verification.objects.filter(
            interaction__project__any_of=projects, interaction__parent__any_of=parents
        )
        # The condition of the partial index.
        .exclude(interaction__parent="")
        .order_by("interaction__created_at", "interaction_id")
        .values_list(
            "interaction_id",
            "interaction__project_id",
            "interaction__parent",
            "finished_at",
        )[:MOST]
    )
)


def _before(parents: Sequence[Interaction]) -> set[UUID]:
    """Return answers that were verified before their parents arrived."""
    names: Names = {
        (parent.project_id, name): parent.created_at
        for parent in parents
        for name in (parent.client_id, str(parent.id))
        if name
    }
    rows = _FOLLOWING(
        projects=list({project for project, _ in names}),
        parents=[name for _, name in names],
    )
    ends: dict[UUID, list[bool]] = defaultdict(list)
    for key, project, name, end in rows:
        created_at = names.get((project, name))
        ends[key].append(bool(created_at and end and end < created_at + UNSEEN))
    return {key for key, each in ends.items() if each == [True]}
