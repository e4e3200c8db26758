"""The active calibrations and blocking threshold of a project."""

from verifyhub.accounts.models import Project
from verifyhub.common.prepared import PreparedQuery
from verifyhub.engine.calibration.calibrator import Calibrator
from verifyhub.learning.models import BlockingRule, CalibrationModel

_CALIBRATIONS = PreparedQuery(
    lambda project: CalibrationModel.objects.filter(
        project=project, state=CalibrationModel.State.ACTIVE
    ).only("check_name", "kind", "parameters", "number")
)
_BLOCKING = PreparedQuery(
    lambda project: (
        BlockingRule.objects.filter(project=project, ended_at=None)
        .defer("sample_ids")
        .order_by("pk")[:1]
    )
)


def calibrators_in_force(project: Project) -> dict[str, Calibrator]:
    """Return the active calibrations by check, in one query.

    Missing checks are uncalibrated: their raw scores are used.
    """
    rows = _CALIBRATIONS(project=project.id)
    return {row.check_name: row.calibrator for row in rows}


def conformal_in_force(project: Project) -> BlockingRule | None:
    """Return the threshold below which answers are blocked, if a lead enabled one.

    `rule.threshold.blocks(score)` takes the raw score of the check `rule.check_name`
    (`verdict` is the verdict's confidence); `rule.threshold.promise` is its guaranteed
    error rate and `rule.version` the label of a blocked answer.
    """
    return next(iter(_BLOCKING(project=project.id)), None)
