"""Delete acts whose answers are deleted."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import Exists, OuterRef

from verifyhub.accounts.models import Project
from verifyhub.review.models import Act, ActMember, Override, Proposal


def acts_of(project: Project, answers: Collection[UUID]) -> set[UUID]:
    """Return the acts with decisions on some answers."""
    return {
        act
        for model in (Override, ActMember, Proposal)
        for act in model._default_manager.filter(
            project=project, item__interaction__in=answers
        ).values_list("act_id", flat=True)
        if act is not None
    }


def delete_empty_acts(project: Project, acts: Collection[UUID]) -> int:
    """Delete the acts whose answers are all deleted.

    Returns:
        How many were deleted.
    """
    left = [
        Exists(model._default_manager.filter(act=OuterRef("pk")))
        for model in (Override, ActMember, Proposal)
    ]
    empty = Act.objects.filter(project=project, pk__in=acts).exclude(
        left[0] | left[1] | left[2]
    )
    return empty.delete()[1].get("review.Act", 0)
