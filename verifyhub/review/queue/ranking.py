"""The order of the queue: risk x uncertainty x reach x age (ADR 0022).

An item's urgency at time t is

    risk x uncertainty x (1 + log2(1 + reach)) x 2 ** ((t - opened) / doubling)

All items double in the same time, so waiting alone never changes their order. Stored is
the base-2 logarithm at the same time for all, `EPOCH`, which need not be recomputed as
items age and can be indexed.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from math import log2

from verifyhub.engine.verdicts import VerificationReport
from verifyhub.engine.warning_codes import WarningCode

# Only differences between ranks matter; a recent date keeps their precision.
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
HOUR_SECONDS = 3600

# The minimum risk, since an item opened by a person may have none.
LEAST_RISK = 0.02
# The minimum uncertainty, since a certain verdict still matters if it is bad: doubt
# changes the order only of items whose risks differ by less than a factor of 2.5.
LEAST_UNCERTAINTY = 0.4
# The weight of each sign of doubt alone, 0..1. Estimates, like the weights of `policy`:
# disagreeing judges weigh most, because a person can settle that.
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
# Maximum sessions counted for an item's reach.
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
        """1 for names in no other session, plus one for each doubling, at most 7."""
        return 1 + log2(1 + min(self.reach, REACH_LIMIT))

    def rank(self, opened: datetime, doubling_hours: int) -> float:
        """Return the logarithm of the urgency at `EPOCH`; higher comes first."""
        static = max(self.risk, LEAST_RISK) * self.uncertainty * self.reach_factor
        hours = (opened - EPOCH).total_seconds() / HOUR_SECONDS
        return log2(static) - hours / doubling_hours


def urgency(rank: float, now: datetime, doubling_hours: int) -> float:
    """Return the product of the factors at a time; `rank` is its logarithm at `EPOCH`.

    Returns:
        Unitless, above 0; the order of ranks is that of urgencies.
    """
    hours = (now - EPOCH).total_seconds() / HOUR_SECONDS
    return float(2 ** (rank + hours / doubling_hours))


def uncertainty(report: VerificationReport) -> float:
    """Estimate the uncertainty of a verdict.

    It is greatest at a confidence of one half or if nothing could be checked, and grows
    with the share that the trace could not settle and with disagreeing judges.

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
    """Return `high`, `medium` or `low`, for due times and the filter."""
    if risk >= HIGH_RISK:
        return "high"
    return "medium" if risk >= MEDIUM_RISK else "low"
