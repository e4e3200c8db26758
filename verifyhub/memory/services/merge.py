"""Merge two spellings of a name into one constraint, and split them again."""

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils.translation import gettext as _

from verifyhub.audit.services import record_event
from verifyhub.events.catalogue import EventType
from verifyhub.memory.models import Constraint
from verifyhub.memory.services.changes import name_of
from verifyhub.memory.services.settle_constraints import (
    announce,
    locked_constraints,
    settle_constraints,
)
from verifyhub.memory.services.settle_names import settle_names
from verifyhub.memory.services.words import hold_words


class MergeError(ValueError):
    """These constraints cannot be merged."""


@transaction.atomic
def merge_constraint(
    *, constraint: Constraint, into: Constraint, actor: AbstractBaseUser
) -> Constraint:
    """Merge a constraint into another, with its sightings and facts.

    The merged one is retired and keeps its own sightings, so `split_constraint` takes
    the merge back exactly. What was merged into it before moves along.

    Args:
        constraint: The spelling to give up.
        into: The one that stays.
        actor: The lead.

    Raises:
        MergeError: If they are one row, of different kinds or projects, pinned, or
            one of them was merged in the meantime.
    """
    project = into.project
    hold_words(project.id, change=True)
    rows = {
        row.id: row
        for row in locked_constraints(
            project_id=project.id, names={name_of(constraint), name_of(into)}
        )
    }
    source, target = rows.get(constraint.id), rows.get(into.id)
    if source is None or target is None or source.id == target.id:
        raise MergeError(_("Choose two different constraints of one project."))
    _check(source, target)
    moved = Constraint.objects.filter(merged_into=source)
    moved.update(merged_into=target)
    Constraint.objects.filter(pk=source.pk).update(merged_into=target)
    record_event(
        "memory.constraint_merged",
        source,
        actor,
        before={"state": source.state},
        after={"into": str(target.id), "name": target.text},
    )
    announce(EventType.CONSTRAINT_MERGED, source, actor, other=target)
    names = {name_of(source), name_of(target)}
    settled = settle_names(project=project, names=names, actor=actor)
    settle_constraints(project=project, names=settled.names, actor=actor)
    source.refresh_from_db()
    return source


@transaction.atomic
def split_constraint(*, constraint: Constraint, actor: AbstractBaseUser) -> Constraint:
    """Undo a merge: each name has a constraint of its own again.

    Raises:
        MergeError: If it is not merged, or was split in the meantime.
    """
    project, target = constraint.project, constraint.merged_into
    if target is None:
        raise MergeError(_("It is not merged."))
    hold_words(project.id, change=True)
    locked_constraints(
        project_id=project.id, names={name_of(constraint), name_of(target)}
    )
    split = Constraint.objects.filter(pk=constraint.pk, merged_into=target)
    if not split.update(merged_into=None):
        raise MergeError(_("It was changed by someone else first."))
    record_event(
        "memory.constraint_split",
        constraint,
        actor,
        before={"into": str(target.id), "name": target.text},
    )
    announce(EventType.CONSTRAINT_SPLIT, constraint, actor, other=target)
    names = {name_of(constraint), name_of(target)}
    settled = settle_names(project=project, names=names, actor=actor)
    settle_constraints(project=project, names=settled.names, actor=actor)
    constraint.refresh_from_db()
    return constraint


def _check(source: Constraint, target: Constraint) -> None:
    if source.mention_kind != target.mention_kind:
        raise MergeError(_("Names of different kinds are not one name."))
    if source.merged_into_id is not None or target.merged_into_id is not None:
        raise MergeError(_("One of them is merged already."))
    if source.pinned:
        raise MergeError(_("Return it to automatic before you merge it."))
