"""Measure how well scores agree with decisions."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from verifyhub.accounts.models import Project
from verifyhub.engine.calibration.calibrator import Calibrator
from verifyhub.engine.calibration.measures import Reliability, Sample, reliability
from verifyhub.engine.calibration.reachable import BestScores, reach
from verifyhub.engine.risk.profiles import read_profiles
from verifyhub.learning.models import CalibrationSample
from verifyhub.learning.selectors.samples import MAX_SAMPLES
from verifyhub.learning.selectors.windows import WINDOW_DAYS


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """One check's raw scores against people's labels.

    Attributes:
        check: The check; `verdict` stands for the confidence of the verdict.
        measured: The figures.
    """

    check: str
    measured: Reliability


def calibrations(project: Project, *, now: datetime) -> list[Calibration]:
    """Return every check with labels from decisions, the most labelled first."""
    rows = (
        CalibrationSample.objects.filter(
            project=project, active=True, at__gte=now - timedelta(days=WINDOW_DAYS)
        )
        .order_by("-at")
        .values_list("check_name", "score", "label")[:MAX_SAMPLES]
    )
    by_check: dict[str, list[Sample]] = {}
    for check, score, label in rows:
        by_check.setdefault(check, []).append((score, label))
    result = [
        Calibration(check=check, measured=reliability(samples))
        for check, samples in by_check.items()
    ]
    return sorted(
        result, key=lambda row: (row.check != "verdict", -row.measured.n, row.check)
    )


def impossible_profiles(
    project: Project, calibrators: Mapping[str, Calibrator]
) -> dict[str, BestScores]:
    """Return the active profiles that no text could pass, by level of risk.

    Args:
        project: The tenant.
        calibrators: The calibrations that would be active, by check.
    """
    impossible = {}
    for level, profile in read_profiles(project.risk_profiles).items():
        # Layers that the project has disabled do not count.
        layers = tuple(
            name for name in profile.layers if str(name) not in project.layers_off
        )
        scores = reach(replace(profile, layers=layers), calibrators)
        if scores.is_impossible:
            impossible[str(level)] = scores
    return impossible
