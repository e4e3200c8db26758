"""Activate a calibration, and revert to an earlier one."""

from collections.abc import Mapping

from django.db import models, transaction
from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_event
from verifyhub.engine.calibration.reachable import BestScores
from verifyhub.learning.models import CalibrationModel
from verifyhub.learning.selectors.calibration import impossible_profiles
from verifyhub.learning.selectors.in_force import calibrators_in_force

State = CalibrationModel.State


class CalibrationMovedError(Exception):
    """The calibration's state does not allow this action."""


class ProfileImpossibleError(Exception):
    """With this calibration no text could pass an active risk profile.

    Attributes:
        reaches: The maximum score of a text, by the profile's level.
    """

    def __init__(self, reaches: Mapping[str, BestScores]) -> None:
        self.reaches = dict(reaches)
        super().__init__(
            " ".join(f"{level}: {reach.objection}" for level, reach in reaches.items())
        )


@transaction.atomic
def activate_calibration(
    *, model: CalibrationModel, actor: models.Model
) -> CalibrationModel:
    """Activate a calibration from the next verification on.

    Args:
        model: A draft, or a formerly active one.
        actor: The lead, or the key that acts for one.

    Raises:
        CalibrationMovedError: If it is refused or already active.
        ProfileImpossibleError: If no text could pass a risk profile any more.
    """
    model.project.lock()
    locked = CalibrationModel.objects.select_related("project").get(pk=model.pk)
    if locked.state not in {State.DRAFT, State.RETIRED}:
        raise CalibrationMovedError(locked.state)
    _guard_profiles(locked)
    before = _in_force(locked.project, locked.check_name)
    _replace(before, locked, actor, replaced=before)
    _record("learning.calibration_activated", locked, actor, before, locked)
    return locked


@transaction.atomic
def return_calibration(
    *, project: Project, check: str, actor: models.Model, uncalibrated: bool = False
) -> CalibrationModel | None:
    """Deactivate a check's calibration.

    Args:
        project: The tenant.
        check: The check's name.
        actor: The lead, or the key that acts for one.
        uncalibrated: Return to raw scores instead of the previous calibration.

    Returns:
        The now active, previous calibration; None for raw scores.

    Raises:
        CalibrationMovedError: If none is active.
        ProfileImpossibleError: If no text could pass a risk profile any more.
    """
    project.lock()
    before = _in_force(project, check)
    if before is None:
        raise CalibrationMovedError(check)
    restored = None if uncalibrated else before.replaced
    if restored is not None:
        _guard_profiles(restored)
    # It keeps its own predecessor, so that reverting again goes further back.
    _replace(before, restored, actor, replaced=restored.replaced if restored else None)
    _record("learning.calibration_returned", before, actor, before, restored)
    return restored


def _in_force(project: Project, check: str) -> CalibrationModel | None:
    rows = CalibrationModel.objects.filter(
        project=project, check_name=check, state=State.ACTIVE
    )
    return rows.select_related("replaced__replaced", "replaced__project").first()


def _guard_profiles(model: CalibrationModel) -> None:
    project = model.project
    calibrators = {**calibrators_in_force(project), model.check_name: model.calibrator}
    impossible = impossible_profiles(project, calibrators)
    if impossible:
        raise ProfileImpossibleError(impossible)


def _replace(
    before: CalibrationModel | None,
    after: CalibrationModel | None,
    actor: models.Model,
    *,
    replaced: CalibrationModel | None,
) -> None:
    """Replace the active calibration; only one may be active at any time."""
    if before is not None:
        before.state = State.RETIRED
        before.save(update_fields=["state"])
    if after is not None:
        after.state = State.ACTIVE
        after.activated_by, after.activated_at = str(actor)[:200], timezone.now()
        after.replaced = replaced
        after.save(update_fields=["state", "activated_by", "activated_at", "replaced"])


def _record(
    action: str,
    obj: CalibrationModel,
    actor: models.Model,
    before: CalibrationModel | None,
    after: CalibrationModel | None,
) -> None:
    record_event(
        action,
        obj,
        actor,
        before=_named(obj.check_name, before),
        after=_named(obj.check_name, after),
    )


def _named(check: str, model: CalibrationModel | None) -> dict[str, str]:
    return {"check": check, "version": model.version if model else "uncalibrated"}
