"""Derive from the decisions that stand what counts of them.

Nothing is added up or taken off: each decision and each undo works it out again for the
one answer, so undo is right in any order.
"""

from collections.abc import Iterable
from uuid import UUID

from verifyhub.engine.reports import Status
from verifyhub.learning.models import CalibrationSample, JudgedAnswer, LabelledExample

_STEP = {str(Status.VERIFIED): -1, str(Status.UNVERIFIED): 1}


def settle_answer(interaction_id: UUID) -> None:
    """Work out again which examples and samples of an answer are in force.

    Only the newest decision on a subject counts. The caller holds the answer's row.
    """
    rows = list(
        LabelledExample.objects.filter(interaction_id=interaction_id)
        .exclude(state=LabelledExample.State.UNDONE)
        .order_by("decided_at", "created_at", "id")
    )
    newest = {row.subject_key: row for row in rows}
    active = {row.id for row in newest.values()}
    taught = {row.id for row in newest.values() if row.state == "taught"}
    of_answer = LabelledExample.objects.filter(interaction_id=interaction_id)
    of_answer.filter(active=True).exclude(id__in=taught).update(active=False)
    of_answer.filter(active=False, id__in=taught).update(active=True)
    samples = CalibrationSample.objects.filter(example__interaction_id=interaction_id)
    samples.filter(active=True).exclude(example_id__in=active).update(active=False)
    samples.filter(active=False, example_id__in=active).update(active=True)
    JudgedAnswer.objects.filter(pk=interaction_id).update(
        human_verdict=_verdict(newest.values()), moved=_moved(newest.values())
    )


def _verdict(rows: Iterable[LabelledExample]) -> str:
    people = [
        row.person for row in rows if row.target == LabelledExample.Target.VERDICT
    ]
    return people[0] if people else ""


def _moved(rows: Iterable[LabelledExample]) -> int:
    """Count names that people call invented, less those they call real."""
    return sum(
        _STEP.get(row.person, 0)
        for row in rows
        if row.target == LabelledExample.Target.MENTION and not row.agrees
    )
