"""Undo exactly what was learned from a decision."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from verifyhub.common.db import update_if
from verifyhub.common.effects import Effect
from verifyhub.learning.models import JudgedAnswer, LabelledExample
from verifyhub.learning.services.pairs import undo_pair
from verifyhub.learning.services.settle import (
    EXAMPLE,
    PAIR,
    example_effect,
    samples_effect,
    settle_answer,
)


@transaction.atomic
def undo_effects(
    *, effects: Sequence[Effect | Mapping[str, Any]], actor: AbstractBaseUser | None
) -> list[Effect]:
    """Undo the examples, samples and pairs of a decision, and nothing else.

    An older decision on the same subject is active again; a newer one stays active.
    Undoing twice changes nothing. The caller audits it.

    Args:
        effects: The effects stored with the decision; those of other packages are
            ignored.
        actor: Who undoes it.

    Returns:
        The effects of undoing it.
    """
    undone: list[Effect] = []
    for effect in effects:
        if effect["type"] == EXAMPLE:
            undone += _undo(effect["id"])
        elif effect["type"] == PAIR:
            undone += undo_pair(effect["id"])
    return undone


def _undo(example_id: str) -> list[Effect]:
    example = LabelledExample.objects.get(id=example_id)
    JudgedAnswer.objects.select_for_update().get(pk=example.interaction_id)
    if not update_if(
        example,
        expected={"state__in": ["taught", "retired"]},
        state=LabelledExample.State.UNDONE,
    ):
        return []
    settle_answer(example.interaction_id)
    count = example.samples.count()
    effects = [example_effect(example, active=False)]
    if count:
        effects.append(samples_effect(example, count, active=False))
    return effects
