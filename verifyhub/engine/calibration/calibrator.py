"""Turn a check's raw score into the probability that the thing is right."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from math import exp, isfinite, isnan
from typing import Any

from verifyhub.engine.errors import CalibrationError

# Above it exp() overflows, and the sigmoid is 0 anyway.
_MAX_EXPONENT = 700.0


class CurveKind(StrEnum):
    """The two ways of correcting scores that are in common use."""

    PLATT = "platt"
    ISOTONIC = "isotonic"


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibrator:
    """A rising curve from raw score to probability, both 0..1.

    Attributes:
        kind: `platt`: p = 1 / (1 + exp(a·s + b)); `isotonic`: straight lines between
            given points, level outside them.
        parameters: `a` and `b`, or `scores` and `values`; JSON values only.
        version: What results that it made are labelled with.

    Raises:
        CalibrationError: If the curve falls anywhere, or a parameter is missing, no
            finite number or out of range.

    Source:
        Platt 1999, "Probabilistic outputs for support vector machines"; Zadrozny and
        Elkan 2002, "Transforming classifier scores into accurate multiclass
        probability estimates".
    """

    kind: CurveKind
    parameters: Mapping[str, Any]
    version: str

    def __post_init__(self) -> None:
        check = _check_platt if self.kind == CurveKind.PLATT else _check_isotonic
        try:
            check(self.parameters)
        except (KeyError, TypeError, ValueError) as error:
            raise CalibrationError(f"{self.kind}: unusable parameters") from error

    def apply(self, score: float) -> float:
        """Return the probability for a raw score.

        Args:
            score: What lies outside 0..1 counts as the nearer end; what is no number
                counts as 0.

        Returns:
            0..1; a higher score never has a lower one.
        """
        clipped = 0.0 if isnan(score) else min(1.0, max(0.0, score))
        if self.kind == CurveKind.PLATT:
            exponent = self.parameters["a"] * clipped + self.parameters["b"]
            # This form rises in every step of its arithmetic; e / (1 + e) may dip by
            # rounding.
            return 0.0 if exponent > _MAX_EXPONENT else 1.0 / (1.0 + exp(exponent))
        return _between(self.parameters["scores"], self.parameters["values"], clipped)

    @property
    def highest(self) -> float:
        """The highest probability that any score reaches."""
        return self.apply(1.0)

    @property
    def lowest(self) -> float:
        """The lowest probability that any score reaches."""
        return self.apply(0.0)


def _between(scores: Sequence[float], values: Sequence[float], at: float) -> float:
    right = bisect_right(scores, at)
    if right == 0:
        return values[0]
    if right == len(scores):
        return values[-1]
    low, high = values[right - 1], values[right]
    way = (at - scores[right - 1]) / (scores[right] - scores[right - 1])
    return min(high, low + (high - low) * way)


def _check_platt(parameters: Mapping[str, Any]) -> None:
    a, b = parameters["a"], parameters["b"]
    if not (isfinite(a) and isfinite(b)):
        raise CalibrationError("platt: a and b must be finite")
    if a > 0:
        raise CalibrationError(f"platt: the curve falls, as a = {a:.3g} is above 0")


def _check_isotonic(parameters: Mapping[str, Any]) -> None:
    scores, values = parameters["scores"], parameters["values"]
    if not scores or len(scores) != len(values):
        raise CalibrationError("isotonic: every score needs one value")
    if not all(0 <= value <= 1 for value in (*scores, *values)):
        raise CalibrationError("isotonic: scores and values lie within 0..1")
    if any(left >= right for left, right in pairwise(scores)):
        raise CalibrationError("isotonic: scores must rise")
    if any(left > right for left, right in pairwise(values)):
        raise CalibrationError("isotonic: the curve falls")
