"""Derive which examples and samples of an answer are active.

Each decision and each undo derives it again for the one answer, so that undo is correct
in any order.
"""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db.models import Case, Q, QuerySet, When

from verifyhub.common.effects import Effect
from verifyhub.engine.reports import Status
from verifyhub.engine.text.quoting import quoted
from verifyhub.learning.models import (
    CalibrationSample,
    JudgedAnswer,
    LabelledExample,
    PreferencePair,
)

_STEP = {str(Status.VERIFIED): -1, str(Status.UNVERIFIED): 1}


def examples_of(interaction_id: UUID) -> list[LabelledExample]:
    """Return all examples of an answer, including undone ones, by decision time."""
    rows = LabelledExample.objects.filter(interaction_id=interaction_id)
    return list(rows.order_by("decided_at", "created_at", "id"))


def settle_answer(
    interaction_id: UUID, examples: Sequence[LabelledExample] | None = None
) -> None:
    """Derive which examples and samples of an answer are active.

    Only the newest decision on a subject counts. The caller has locked the answer's
    row.

    Args:
        interaction_id: The answer.
        examples: The result of `examples_of`; the last may be new.
    """
    rows = examples_of(interaction_id) if examples is None else examples
    undone, taught = LabelledExample.State.UNDONE, LabelledExample.State.TAUGHT
    order = attrgetter("decided_at", "created_at", "id")
    valid = sorted((row for row in rows if row.state != undone), key=order)
    newest = {row.subject_key: row for row in valid}
    active = {row.id for row in newest.values()}
    shown = {row.id for row in newest.values() if row.state == taught}
    if moved := [row.id for row in rows if row.active != (row.id in shown)]:
        _turn(LabelledExample.objects.filter(id__in=moved))
    # Samples of a single decision are already active.
    if len(rows) > 1 or not active:
        samples = CalibrationSample.objects.filter(
            example__interaction_id=interaction_id
        )
        ended = Q(active=True) & ~Q(example_id__in=active)
        begun = Q(active=False, example_id__in=active)
        _turn(samples.filter(ended | begun))
    verdict, mention = LabelledExample.Target.VERDICT, LabelledExample.Target.MENTION
    words = [row.person for row in newest.values() if row.target == verdict]
    # Names that people marked as invented, minus those marked as right.
    moved_names = sum(
        _STEP.get(row.person, 0)
        for row in newest.values()
        if row.target == mention and not row.agrees
    )
    JudgedAnswer.objects.filter(pk=interaction_id).update(
        human_verdict=words[0] if words else "", moved=moved_names
    )


def _turn(rows: QuerySet[Any]) -> None:
    rows.update(active=Case(When(active=True, then=False), default=True))


EXAMPLE, SAMPLES, PAIR = "example", "calibration_sample", "preference_pair"


def example_effect(example: LabelledExample, *, active: bool) -> Effect:
    """Return the effect of a decision becoming an example, or no longer."""
    code = "example" if example.subject else "example_of_answer"
    return Effect(
        type=EXAMPLE,
        id=str(example.id),
        before={"active": not active},
        after={
            "active": active,
            "target": example.target,
            "machine": example.machine,
            "person": example.person,
        },
        code=code if active else f"{code}_undone",
        params={"name": quoted(example.subject[:80])} if example.subject else {},
    )


def samples_effect(example: LabelledExample, count: int, *, active: bool) -> Effect:
    """Return the effect of a decision labelling scores, or no longer."""
    return Effect(
        type=SAMPLES,
        id=str(example.id),
        before={"active": not active, "count": count},
        after={"active": active, "count": count},
        code="samples" if active else "samples_undone",
        params={"count": count},
    )


def pair_effect(pair: PreferencePair, *, active: bool) -> Effect:
    """Return the effect of two answers forming a pair, or no longer."""
    return Effect(
        type=PAIR,
        id=str(pair.id),
        before={"active": not active},
        after={"active": active},
        code="pair" if active else "pair_undone",
        params={},
    )
