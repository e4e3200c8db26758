"""Every check with its decisions, calibration versions and active calibration."""

from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import QuerySet

from verifyhub.accounts.models import Project
from verifyhub.engine.calibration.fit import Missing, missing
from verifyhub.engine.layer_results import UNCALIBRATED
from verifyhub.learning.models import CalibrationModel
from verifyhub.learning.selectors.samples import SampleCount, counts_of, taken_back

State = CalibrationModel.State
# Versions of all checks that the page reads, and of one that it lists, newest first.
MAX_VERSIONS = 400
SHOWN = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckBoard:
    """One check.

    Attributes:
        check: Its name.
        counted: Number of current decisions that label it.
        missing: What a fit still needs.
        active: The active version; None if it is uncalibrated.
        taken_back: Number of decisions of the active version's basis that were undone,
            or outranked by a later one.
        versions: The newest versions.
    """

    check: str
    counted: SampleCount
    missing: Missing
    active: CalibrationModel | None = None
    taken_back: int = 0
    versions: list[CalibrationModel] = field(default_factory=list)

    @property
    def calibration(self) -> str:
        """The active version, or `uncalibrated`."""
        return self.active.version if self.active else UNCALIBRATED

    @property
    def shown(self) -> CalibrationModel | None:
        """The version whose figures are shown: the active one, or else the newest."""
        return self.active or (self.versions[0] if self.versions else None)


def versions(project: Project) -> QuerySet[CalibrationModel]:
    """Return the versions of a project's calibrations, without their samples."""
    return CalibrationModel.objects.filter(project=project).defer("sample_ids")


def board(project: Project, *, now: datetime) -> list[CheckBoard]:
    """Return every check that has decisions or versions, the verdict first."""
    counted = counts_of(project, now=now)
    rows = versions(project).select_related("replaced").order_by("-number")
    by_check: dict[str, list[CalibrationModel]] = {}
    for row in rows[:MAX_VERSIONS]:
        by_check.setdefault(row.check_name, []).append(row)
    in_force = CalibrationModel.objects.filter(project=project, state=State.ACTIVE)
    active = {row.check_name: row for row in in_force.select_related("replaced")}
    back = taken_back(project, {row.id: row.sample_ids for row in active.values()})
    result = []
    for check in counted.keys() | by_check.keys():
        count = counted.get(check) or SampleCount(check=check, right=0, wrong=0)
        version = active.get(check)
        result.append(
            CheckBoard(
                check=check,
                counted=count,
                missing=missing(count.right, count.wrong),
                active=version,
                taken_back=back[version.id] if version else 0,
                versions=by_check.get(check, [])[:SHOWN],
            )
        )
    return sorted(
        result, key=lambda row: (row.check != "verdict", -row.counted.n, row.check)
    )
