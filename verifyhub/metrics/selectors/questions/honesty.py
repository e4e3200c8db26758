"""Calibration of confidence: predicted and observed accuracy."""

from dataclasses import dataclass
from datetime import datetime
from math import fsum

from verifyhub.accounts.models import Project
from verifyhub.engine.calibration.measures import reliability
from verifyhub.engine.calibration.uncertainty import ece_interval
from verifyhub.learning.selectors.samples import scores_of
from verifyhub.metrics.figures import Figure, counted, mean, share
from verifyhub.metrics.selectors.answers import ConfidenceBin, confidence_bins
from verifyhub.metrics.windows import Window

# The scores of whole verdicts, among what decisions label.
VERDICT = "verdict"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenth:
    """Answers with a confidence in [low, high) that people decided."""

    low: float
    high: float
    promised: Figure
    kept: Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Honesty:
    """The confidence of answers, and how often decisions agree with it."""

    histogram: list[ConfidenceBin]
    """Checked answers of the window by their confidence, in ten bins."""
    without: Figure
    """Checked answers without a confidence."""
    tenths: list[Tenth]
    """Reliability by tenth of confidence, over the decisions of the last 90 days; those
    without a decision are left out."""
    ece: Figure
    brier: Figure


def honesty(project: Project, window: Window, now: datetime) -> Honesty:
    """Compare confidence with decisions.

    The histogram covers the window. Decisions are those of the last 90 days, as on the
    calibration page, since a shorter window rarely has enough of them.
    """
    bins, without = confidence_bins(project, window)
    samples = scores_of(project, VERDICT, now=now)
    histogram, none = bins, counted("without_confidence", without)
    if not samples:
        return Honesty(
            histogram=histogram,
            without=none,
            tenths=[],
            ece=Figure(name="ece", value=None, n=0, method="bootstrap"),
            brier=mean("brier", 0, 0),
        )
    measured = reliability(samples)
    low, high = ece_interval(samples) or (None, None)
    squares = [(score - label) ** 2 for score, label in samples]
    total, sums = fsum(squares), fsum(square * square for square in squares)
    return Honesty(
        histogram=histogram,
        without=none,
        tenths=[
            Tenth(
                low=tenth.low,
                high=tenth.high,
                promised=Figure(
                    name="promised", value=tenth.score, n=tenth.right.total
                ),
                kept=share("kept", tenth.right.count, tenth.right.total),
            )
            for tenth in measured.bins
        ],
        ece=Figure(
            name="ece",
            value=measured.ece,
            n=measured.n,
            low=low,
            high=high,
            method="bootstrap",
        ),
        brier=mean("brier", len(squares), total, sums, most=1),
    )
