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
    """Return the active calibrations by the name of their check; in one query.

    A check that is missing here is uncalibrated: its raw score stands for itself.
    """
    rows = _CALIBRATIONS(project=project.id)
    return {row.check_name: row.calibrator for row in rows}


def conformal_in_force(project: Project) -> BlockingRule | None:
    """Return the threshold under which answers are blocked, if a lead switched one on.

    `rule.threshold.blocks(score)` takes the raw score of the check `rule.check_name`
    (`verdict` is the confidence of the verdict); `rule.threshold.promise` is what it
    promises and `rule.version` what to label a blocked answer with.
    """
    return next(iter(_BLOCKING(project=project.id)), None)
