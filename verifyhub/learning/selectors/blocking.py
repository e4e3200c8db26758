"""The blocking threshold of a project, active or possible."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from verifyhub.accounts.models import Project
from verifyhub.engine.calibration.calibrator import Calibrator
from verifyhub.engine.calibration.conformal import (
    DEFAULT_AT_MOST,
    BlockingThreshold,
    TooFewRightError,
    threshold,
)
from verifyhub.learning.models import BlockingRule, LabelledExample
from verifyhub.learning.selectors.samples import Samples, samples_of, taken_back

VERDICT = "verdict"
# `claims` is the check of claims of fact, whose scores are those of single claims.
_PARTS = {
    str(LabelledExample.Target.MENTION),
    str(LabelledExample.Target.CLAIM),
    "claims",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocking:
    """The active blocking rule, or a possible one.

    Attributes:
        rule: The active rule; None if no answer is blocked by its score.
        taken_back: Number of decisions of the rule's basis that were undone since.
        offered: The threshold on the confidence that decisions support at 5 %; None if
            one is active, or too few right answers are known.
        too_few: Why no threshold can be offered.
        calibrated: The calibrated score of the threshold; None if the check is
            uncalibrated.
    """

    rule: BlockingRule | None = None
    taken_back: int = 0
    offered: BlockingThreshold | None = None
    too_few: TooFewRightError | None = None
    calibrated: float | None = None


def is_per_answer(check: str) -> bool:
    """Return whether a check has one score for a whole answer."""
    return check not in _PARTS


def offered_threshold(
    project: Project, check: str, at_most: float, *, now: datetime
) -> tuple[Samples, BlockingThreshold]:
    """Return the samples of a check and the threshold that they support.

    Raises:
        TooFewRightError: If there are too few right answers for the promise.
        CalibrationError: If `at_most` is out of range.
    """
    samples = samples_of(project, check, now=now)
    return samples, threshold(samples.scores, samples.labels, at_most)


def blocking(
    project: Project, calibrators: Mapping[str, Calibrator], *, now: datetime
) -> Blocking:
    """Return the blocking threshold of a project, or a possible one."""
    rule = BlockingRule.objects.filter(project=project, ended_at=None).first()
    if rule is not None:
        return Blocking(
            rule=rule,
            taken_back=taken_back(project, {rule.id: rule.sample_ids})[rule.id],
            calibrated=_calibrated(calibrators, rule.check_name, rule.score),
        )
    try:
        _, offered = offered_threshold(project, VERDICT, DEFAULT_AT_MOST, now=now)
    except TooFewRightError as error:
        return Blocking(too_few=error)
    return Blocking(
        offered=offered, calibrated=_calibrated(calibrators, VERDICT, offered.score)
    )


def _calibrated(
    calibrators: Mapping[str, Calibrator], check: str, score: float
) -> float | None:
    return calibrators[check].apply(score) if check in calibrators else None
