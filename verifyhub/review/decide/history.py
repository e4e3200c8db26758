"""Learn from answers and decisions that are older than learning.

Rows show what is left to do, so an interrupted run can be repeated, and concurrent runs
record nothing twice.
"""

from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from verifyhub.learning.models import JudgedAnswer, LabelledExample, PreferencePair
from verifyhub.learning.services import JudgedReport, record_answers
from verifyhub.review.decide.lessons import UNLABELLED, learned_from
from verifyhub.review.models import Override
from verifyhub.verification.models import Verification

BATCH = 200


def record_old_answers(*, after: UUID | None = None) -> list[UUID]:
    """Write the rows of answers that were verified before; oldest verification last.

    Returns:
        The answers of this piece; empty when all are written.
    """
    recorded = JudgedAnswer.objects.filter(interaction=OuterRef("interaction"))
    newer = Verification.objects.filter(
        interaction=OuterRef("interaction"),
        state=Verification.State.FINISHED,
        number__gt=OuterRef("number"),
    )
    rows = Verification.objects.filter(
        ~Exists(recorded), ~Exists(newer), state=Verification.State.FINISHED
    )
    if after is not None:
        rows = rows.filter(interaction_id__gt=after)
    rows = rows.select_related("interaction__session").order_by("interaction_id")
    runs = list(rows[:BATCH])
    record_answers(
        [JudgedReport(run.interaction, run.id, run.verdict_object) for run in runs],
        in_experiments=False,
    )
    return [run.interaction_id for run in runs]


def learn_from_old_decisions(*, batch: int = BATCH) -> int:
    """Learn from the oldest decisions that taught nothing yet and still stand.

    Each is learned in a transaction of its own, with the time at which it was made, and
    keeps what it taught among its effects, so that undoing it unlearns it.

    Returns:
        How many were looked at; 0 when all are learned.
    """
    taught = LabelledExample.objects.filter(override_id=OuterRef("pk"))
    paired = PreferencePair.objects.filter(override_id=OuterRef("pk"))
    rows = Override.objects.filter(~Exists(taught), ~Exists(paired), undone_at=None)
    rows = rows.exclude(Q(target__in=UNLABELLED) | Q(item__verification__report=None))
    ids = list(rows.order_by("created_at", "id").values_list("pk", flat=True)[:batch])
    for override_id in ids:
        _learn(override_id)
    return len(ids)


@transaction.atomic
def _learn(override_id: UUID) -> None:
    # Locked, so that the decision is not undone meanwhile.
    override = (
        Override.objects.select_for_update(of=("self",))
        .select_related("item__verification", "item__interaction", "item__project")
        .get(pk=override_id)
    )
    if override.undone_at is not None:
        return
    reviewer = override.reviewer or override.api_key
    if reviewer is None:
        raise ValueError(f"{override.id} was decided by nobody")
    effects = learned_from(override, reviewer)
    override.effects = [*override.effects, *effects]
    override.save(update_fields=["effects"])
