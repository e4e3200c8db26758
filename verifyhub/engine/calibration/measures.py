"""Measure how well scores agree with labels: Brier score, ECE, reliability."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

from verifyhub.common.shares import SMALL_SAMPLE, Share

BINS = 10

Sample = tuple[float, bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReliabilityBin:
    """Samples with a score in one tenth: the predicted and the observed share.

    Attributes:
        low, high: Bounds of the score; `high` belongs to the last one only.
        score: Mean score.
        right: Share that people call right.
    """

    low: float
    high: float
    score: float
    right: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """Scores against labels.

    Attributes:
        n: Samples, at least 1.
        right: Share of all that people call right.
        brier: Mean squared difference of score and label, 0 best, 1 worst (Brier
            1950).
        ece: Expected calibration error over ten even bins, 0..1 (Naeini et al. 2015):
            the mean distance of promise and truth, by samples.
        bins: Those that hold any sample, lowest first.
    """

    n: int
    right: Share
    brier: float
    ece: float
    bins: list[ReliabilityBin]

    @property
    def is_small(self) -> bool:
        """Whether there are too few samples to rely on."""
        return self.n < SMALL_SAMPLE

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as JSON values, to be stored."""
        return {
            "n": self.n,
            "right": self.right.count,
            "brier": self.brier,
            "ece": self.ece,
            "bins": [
                {
                    "low": bin_.low,
                    "high": bin_.high,
                    "score": bin_.score,
                    "n": bin_.right.total,
                    "right": bin_.right.count,
                }
                for bin_ in self.bins
            ],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Reliability":
        """Return the figures that `as_dict` made JSON values of."""
        return cls(
            n=data["n"],
            right=Share(count=data["right"], total=data["n"]),
            brier=data["brier"],
            ece=data["ece"],
            bins=[
                ReliabilityBin(
                    low=bin_["low"],
                    high=bin_["high"],
                    score=bin_["score"],
                    right=Share(count=bin_["right"], total=bin_["n"]),
                )
                for bin_ in data["bins"]
            ],
        )


def reliability(samples: Sequence[Sample]) -> Reliability:
    """Compare scores with labels; the order of samples does not matter.

    Args:
        samples: Score in 0..1 and whether it was right; at least one.
    """
    n = len(samples)
    by_bin: dict[int, list[Sample]] = {}
    for sample in samples:
        by_bin.setdefault(min(int(sample[0] * BINS), BINS - 1), []).append(sample)
    bins = [_bin(number, in_bin) for number, in_bin in sorted(by_bin.items())]
    distance = fsum(
        bin_.right.total * abs(bin_.score - (bin_.right.count / bin_.right.total))
        for bin_ in bins
    )
    return Reliability(
        n=n,
        right=_right(samples),
        brier=brier(samples),
        ece=min(1.0, distance / n),
        bins=bins,
    )


def brier(samples: Sequence[Sample]) -> float:
    """Return the mean squared difference of score and label, 0 best, 1 worst."""
    return fsum((score - label) ** 2 for score, label in samples) / len(samples)


def ece(samples: Sequence[Sample]) -> float:
    """Return the expected calibration error over ten even bins, 0 best, 1 worst."""
    return reliability(samples).ece


def _bin(number: int, samples: Sequence[Sample]) -> ReliabilityBin:
    low, high = number / BINS, (number + 1) / BINS
    mean = fsum(score for score, _ in samples) / len(samples)
    # At an edge the last digit of a product or a mean may lie outside.
    score = min(max(mean, low), high)
    return ReliabilityBin(low=low, high=high, score=score, right=_right(samples))


def _right(samples: Sequence[Sample]) -> Share:
    return Share(count=sum(label for _, label in samples), total=len(samples))
