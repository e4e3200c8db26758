"""The order of the queue: risk x uncertainty x reach x age (ADR 0022).

An item's urgency at time t is

    risk x uncertainty x (1 + log2(1 + reach)) x 2 ** ((t - opened) / doubling)

All items double in the same time, so which of two comes first never changes by waiting
alone. What is stored is the base-2 logarithm at one moment for all, `EPOCH`: it needs
no recomputing as items age, and an index can hold it.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from math import log2

from verifyhub.engine.verdicts import VerificationReport
from verifyhub.engine.warning_codes import WarningCode

# Only differences between ranks mean anything; a near date keeps the digits for them.
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
HOUR_SECONDS = 3600

# An item opened by a person may have no risk at all; it is still to have a place.
LEAST_RISK = 0.02
# A verdict the machine is sure of still matters if it is bad: doubt at most decides
# between items whose risks are within a factor of two and a half.
LEAST_UNCERTAINTY = 0.4
# How much each sign of doubt says on its own, unitless in 0..1. Judgement, like the
# weights of `policy`: judges who disagree say most, because a person settles that.
DOUBT_CONFIDENCE = 0.6
DOUBT_COVERAGE = 0.5
DOUBT_DISAGREEMENT = 0.8
DISAGREEMENT = frozenset(
    {
        WarningCode.VERIFIERS_DISAGREE,
        WarningCode.VERIFIER_DOUBTS,
        WarningCode.JUDGE_MISLED,
    }
)
# Sessions counted for the reach of one item: beyond, more would not change its place.
REACH_LIMIT = 63

HIGH_RISK = 0.7
MEDIUM_RISK = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class UrgencyFactors:
    """The factors of one item's urgency; `reach` in sessions, the others unitless."""

    risk: float
    uncertainty: float
    reach: int

    @property
    def reach_factor(self) -> float:
        """1 for names seen nowhere else, and one more for each doubling, at most 7."""
        return 1 + log2(1 + min(self.reach, REACH_LIMIT))

    def rank(self, opened: datetime, doubling_hours: int) -> float:
        """Return the logarithm of the urgency at `EPOCH`; higher comes first."""
        static = max(self.risk, LEAST_RISK) * self.uncertainty * self.reach_factor
        hours = (opened - EPOCH).total_seconds() / HOUR_SECONDS
        return log2(static) - hours / doubling_hours


def urgency(rank: float, now: datetime, doubling_hours: int) -> float:
    """Return the product of the factors at a moment, of which `rank` is the logarithm.

    Returns:
        Unitless, above 0; the order of ranks is that of urgencies.
    """
    hours = (now - EPOCH).total_seconds() / HOUR_SECONDS
    return float(2 ** (rank + hours / doubling_hours))


def uncertainty(report: VerificationReport) -> float:
    """Estimate how little the machine knows of its own verdict.

    Doubt is greatest at a confidence of one half or where nothing could be counted,
    grows with the share that the trace could not settle, and with judges who disagree.

    Returns:
        Unitless, in [0.4, 1], rounded to four places.
    """
    confidence = report.confidence
    spread = 1.0 if confidence is None else 4 * confidence * (1 - confidence)
    sure = 1 - DOUBT_CONFIDENCE * spread
    sure *= 1 - DOUBT_COVERAGE * (1 - report.coverage)
    if report.warning_codes & DISAGREEMENT:
        sure *= 1 - DOUBT_DISAGREEMENT
    return float(round(LEAST_UNCERTAINTY + (1 - LEAST_UNCERTAINTY) * (1 - sure), 4))


def risk_band(risk: float) -> str:
    """Return `high`, `medium` or `low`: what due times and the filter go by."""
    if risk >= HIGH_RISK:
        return "high"
    return "medium" if risk >= MEDIUM_RISK else "low"
