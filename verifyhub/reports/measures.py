"""The measures that an alert can watch."""

from dataclasses import dataclass

from django.db import models
from django.utils.translation import gettext_lazy as _

from verifyhub.common.shares import Share


class Measure(models.TextChoices):
    """A metric with a threshold."""

    FLAGGED_SHARE = "flagged_share", _("Share of checked answers that were flagged")
    REJECTED_SHARE = "rejected_share", _("Share of checked answers that were rejected")
    FAILED_SHARE = "failed_share", _("Share of verifications that failed")
    OVERRIDDEN_SHARE = (
        "overridden_share",
        _("Share of reviewed answers with an overridden verdict"),
    )
    BACKLOG_SIZE = "backlog_size", _("Answers waiting for review")
    BACKLOG_HOURS = (
        "backlog_hours",
        _("Hours the oldest answer has waited for review"),
    )
    CHECK_MINUTES = (
        "check_minutes",
        _("Minutes the oldest answer has waited for verification"),
    )
    BUDGET_SHARE = "budget_share", _("Highest share used of any budget")
    ECE_DRIFT = (
        "ece_drift",
        _("Increase in calibration error since the active calibration"),
    )

    @property
    def unit(self) -> str:
        """The unit: `share`, `rise`, `answers`, `hours`, `minutes`."""
        if self in SHARES:
            return "share"
        return _UNITS[self]


_UNITS = {
    Measure.BACKLOG_SIZE: "answers",
    Measure.BACKLOG_HOURS: "hours",
    Measure.CHECK_MINUTES: "minutes",
    Measure.ECE_DRIFT: "rise",
}
_OF_ANSWERS = frozenset(
    {
        Measure.FLAGGED_SHARE,
        Measure.REJECTED_SHARE,
        Measure.FAILED_SHARE,
        Measure.OVERRIDDEN_SHARE,
    }
)
SHARES = _OF_ANSWERS | {Measure.BUDGET_SHARE}
# Measures of a window of hours.
WINDOWED = _OF_ANSWERS | {Measure.ECE_DRIFT}
# Measures that need a minimum number of cases.
COUNTED = WINDOWED
# Measures that can be limited to one agent.
OF_AGENTS = _OF_ANSWERS | {
    Measure.BACKLOG_SIZE,
    Measure.BACKLOG_HOURS,
    Measure.CHECK_MINUTES,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """The current value of a measure.

    Attributes:
        value: In the measure's own unit: a share or a rise of 0..1, a count, hours or
            minutes; None if there is nothing to measure.
        n: Number of cases; 0 for measures without cases.
        low, high: 95 % interval of a share (Wilson); None for others.
        detail: Its subject, such as a check or a budget; empty for the project.
    """

    value: float | None
    n: int = 0
    low: float | None = None
    high: float | None = None
    detail: str = ""

    @classmethod
    def of_share(cls, share: Share) -> "Measurement":
        """Return the measurement of a share."""
        return cls(value=share.value, n=share.total, low=share.low, high=share.high)
