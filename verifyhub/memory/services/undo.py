"""Undo the effects of a decision on memory, exactly."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.common.db import update_if
from verifyhub.common.effects import Effect
from verifyhub.memory.models import Constraint, MemoryEntry
from verifyhub.memory.services.changes import Actor, RowChange, hold_keys, name_of
from verifyhub.memory.services.effects import (
    audit_correction,
    correction_effect,
    effects_of,
    elsewhere_effects,
    set_suggestion,
)
from verifyhub.memory.services.settle_answer import settle_interactions
from verifyhub.memory.services.settle_constraints import settle_constraints
from verifyhub.memory.services.settle_names import settle_names
from verifyhub.memory.services.words import NOT_RETRACTED, hold_words


@transaction.atomic
def undo_effects(
    *, effects: Sequence[Effect | Mapping[str, Any]], actor: Actor
) -> list[Effect]:
    """Undo a decision and all its effects, and nothing else.

    Later decisions stay; undoing twice changes nothing.

    Args:
        effects: The effects that applying the decision returned.
        actor: Who undoes it.

    Returns:
        The effects of undoing it.
    """
    undone: list[Effect] = []
    for effect in effects:
        if effect["type"] == "correction":
            correction = MemoryEntry.objects.select_related("project", "session").get(
                id=effect["id"], kind=MemoryEntry.Kind.CORRECTION
            )
            undone += _withdraw(correction, effects, actor)
    return undone


def _withdraw(
    correction: MemoryEntry,
    effects: Sequence[Effect | Mapping[str, Any]],
    actor: Actor,
) -> list[Effect]:
    hold_keys([correction.interaction_id])
    project, interaction_id = correction.project, correction.interaction_id
    hold_words(project.id, change=True)
    if not update_if(
        correction,
        expected={"state__in": NOT_RETRACTED},
        state=str(MemoryEntry.State.RETRACTED),
        updated_at=timezone.now(),
    ):
        return []
    changes = settle_interactions(
        project_id=project.id, interaction_ids=[interaction_id], actor=actor
    )
    settled = settle_names(project=project, names={name_of(correction)}, actor=actor)
    changes += settled.corrections
    names = settled.names
    if not correction.mention_key:
        rows = Constraint.objects.filter(
            project=project, sightings__interaction_id=str(interaction_id)
        )
        names = set(rows.values_list("mention_kind", "mention_key"))
    for effect in effects:
        changes += _restore_suggestion(project, effect)
    changes += settle_constraints(project=project, names=names, actor=actor)
    audit_correction(correction, actor, "memory.correction_undone")
    return [
        correction_effect(correction, active=False),
        *effects_of(changes, interaction_id=str(interaction_id)),
        *elsewhere_effects(settled.entries, interaction_id=str(interaction_id)),
    ]


def _restore_suggestion(
    project: Project, effect: Effect | Mapping[str, Any]
) -> list[RowChange]:
    """Restore a constraint's earlier suggestion, unless it was changed since."""
    if effect["type"] != "constraint" or "suggestion" not in effect["before"]:
        return []
    constraint = Constraint.objects.filter(
        project=project, id=effect["id"], suggestion=effect["after"]["suggestion"]
    ).first()
    if constraint is None:
        return []
    return [set_suggestion(constraint, effect["before"]["suggestion"])]
