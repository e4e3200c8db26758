"""Change a threshold on advice, and undo the change."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from verifyhub.accounts.models import Project, User
from verifyhub.accounts.services import set_thresholds
from verifyhub.audit.services import record_event
from verifyhub.common.db import update_if
from verifyhub.engine.thresholds import Thresholds
from verifyhub.learning.models import AppliedAdvice
from verifyhub.learning.selectors import Advice


class ThresholdMovedError(Exception):
    """The threshold has changed since the advice."""


@transaction.atomic
def apply_advice(*, project: Project, advice: Advice, actor: User) -> AppliedAdvice:
    """Set a project's threshold to the advised value.

    Earlier verdicts do not change; the next verification uses the new value.

    Raises:
        ThresholdMovedError: If it was changed since the advice was computed.
    """
    locked = _locked(project)
    if _in_force(locked, advice.name) == advice.value:
        raise ThresholdMovedError(advice.name)
    applied = AppliedAdvice.objects.create(
        project=locked,
        name=advice.name,
        before=locked.thresholds.get(advice.name),
        after=advice.value,
        evidence={
            "caught": advice.caught.count,
            "wrong": advice.caught.total,
            "extra": advice.extra.count,
            "right": advice.extra.total,
        },
        applied_by=actor,
    )
    _set(locked, {advice.name: advice.value}, actor)
    record_event(
        "learning.advice_applied",
        applied,
        actor,
        before={advice.name: applied.before},
        after={advice.name: applied.after, "evidence": applied.evidence},
    )
    project.thresholds = locked.thresholds
    return applied


@transaction.atomic
def undo_advice(*, applied: AppliedAdvice, actor: User) -> AppliedAdvice:
    """Restore the threshold's value from before the advice.

    Raises:
        ThresholdMovedError: If it was undone, or changed since.
    """
    locked = _locked(applied.project)
    if _in_force(locked, applied.name) != applied.after:
        raise ThresholdMovedError(applied.name)
    if not update_if(applied, expected={"undone_at": None}, undone_at=timezone.now()):
        raise ThresholdMovedError(applied.name)
    _set(locked, {applied.name: applied.before}, actor)
    record_event(
        "learning.advice_undone",
        applied,
        actor,
        before={applied.name: applied.after},
        after={applied.name: applied.before},
    )
    return applied


def _locked(project: Project) -> Project:
    """Return the current row of the project, locked."""
    return Project.objects.select_for_update().get(pk=project.pk)


def _in_force(project: Project, name: str) -> Any:
    return getattr(Thresholds.with_overrides(project.thresholds), name)


def _set(project: Project, values: Mapping[str, Any], actor: User) -> None:
    """Replace some of a project's own thresholds; None returns to the default."""
    merged = {**project.thresholds, **values}
    changed = {name: value for name, value in merged.items() if value is not None}
    set_thresholds(project=project, thresholds=changed, actor=actor)
