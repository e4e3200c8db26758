"""Fit calibrations to people's decisions. Fitting changes no verdict."""

from datetime import datetime

from django.db import models, transaction
from django.db.models import Max

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_event
from verifyhub.engine.calibration.fit import Fitted, TooFewSamplesError, fit, missing
from verifyhub.learning.models import CalibrationModel
from verifyhub.learning.selectors.samples import (
    Samples,
    counts_of,
    samples_of,
    taken_back,
)

State = CalibrationModel.State
# The nightly task fits again after a tenth more decisions, or if one was undone.
GROWTH = 10


def fit_calibration(
    *, project: Project, check: str, actor: models.Model | None, now: datetime
) -> CalibrationModel:
    """Fit a draft calibration of a check to the newest decisions.

    It changes no verdict until a lead activates it. One that does not bring held-out
    scores closer to the labels is stored as refused, with its figures. Earlier drafts
    are retired, and may still be activated.

    Args:
        project: The tenant.
        check: The check's name; `verdict` for the confidence of the verdict.
        actor: Who requested it; None for the nightly task.
        now: The end of the period of decisions.

    Raises:
        TooFewSamplesError: If there are too few decisions.
    """
    samples = samples_of(project, check, now=now)
    fitted = fit(samples.scores, samples.labels, groups=samples.answers)
    with transaction.atomic():
        project.lock()
        model = _stored(project, check, samples, fitted, str(actor or ""))
        record_event(
            "learning.calibration_fitted",
            model,
            actor,
            after={
                "check": check,
                "version": model.version,
                "state": model.state,
                "n": model.n,
                "brier": [fitted.before.brier, fitted.after and fitted.after.brier],
                "ece": [fitted.before.ece, fitted.after and fitted.after.ece],
            },
        )
    return model


def fit_due(*, project: Project, now: datetime) -> list[CalibrationModel]:
    """Fit each check with enough new decisions since its last fit.

    Nothing is activated here; drafts wait for a lead.
    """
    last = {
        row.check_name: row
        for row in CalibrationModel.objects.filter(project=project).order_by("number")
    }
    back = taken_back(project, {row.id: row.sample_ids for row in last.values()})
    fitted = []
    for check, counted in counts_of(project, now=now).items():
        if missing(counted.right, counted.wrong).in_all:
            continue
        newest = last.get(check)
        if newest and not (back[newest.id] or _has_grown(project, newest, now)):
            continue
        try:
            fitted.append(
                fit_calibration(project=project, check=check, actor=None, now=now)
            )
        except TooFewSamplesError:
            # Enough in all, but not on both sides of the held-out check.
            continue
    return fitted


def _has_grown(project: Project, last: CalibrationModel, now: datetime) -> bool:
    fitted_ids = set(last.sample_ids)
    new = set(samples_of(project, last.check_name, now=now).ids) - fitted_ids
    return len(new) * GROWTH >= len(fitted_ids)


def _stored(
    project: Project, check: str, samples: Samples, fitted: Fitted, fitted_by: str
) -> CalibrationModel:
    versions = CalibrationModel.objects.filter(project=project, check_name=check)
    versions.filter(state=State.DRAFT).update(state=State.RETIRED)
    newest = versions.aggregate(newest=Max("number"))["newest"] or 0
    curve = fitted.calibrator
    return CalibrationModel.objects.create(
        project=project,
        check_name=check,
        number=newest + 1,
        state=State.REFUSED if fitted.refusal else State.DRAFT,
        refusal=fitted.refusal,
        kind=curve.kind if curve else "",
        parameters=dict(curve.parameters) if curve else {},
        n=fitted.n,
        right=fitted.right,
        sample_ids=samples.ids,
        before=fitted.before.as_dict(),
        after=fitted.after.as_dict() if fitted.after else None,
        since=samples.at[0],
        until=samples.at[-1],
        fitted_by=fitted_by[:200],
    )
