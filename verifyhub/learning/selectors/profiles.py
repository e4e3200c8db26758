"""Whether calibrations leave a project's risk profiles possible to pass."""

from collections.abc import Mapping
from dataclasses import replace

from verifyhub.accounts.models import Project
from verifyhub.engine.calibration.calibrator import Calibrator
from verifyhub.engine.calibration.reachable import BestScores, reach
from verifyhub.engine.risk.profiles import Profile, read_profiles


def impossible_profiles(
    project: Project, calibrators: Mapping[str, Calibrator]
) -> dict[str, BestScores]:
    """Return the profiles in force that no text could pass, by level of risk.

    Args:
        project: The tenant.
        calibrators: Those that would be in force, by the name of their check.
    """
    off = set(project.layers_off)
    reached = {
        str(level): reach(_without(profile, off), calibrators)
        for level, profile in read_profiles(project.risk_profiles).items()
    }
    return {level: one for level, one in reached.items() if one.is_impossible}


def _without(profile: Profile, off: set[str]) -> Profile:
    """Return a profile without layers that a project switched off."""
    layers = tuple(name for name in profile.layers if str(name) not in off)
    return replace(profile, layers=layers)
