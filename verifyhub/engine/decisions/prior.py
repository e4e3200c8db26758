"""An agent's track record: a hint in addition to the evidence."""

from dataclasses import dataclass
from typing import Any

# The minimum number of answers for a track record.
MIN_ANSWERS = 20
# A share of accepted answers that is certainly below this is a doubt.
DOUBT_BELOW = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Prior:
    """An agent's record.

    Attributes:
        answers: Number of its answers in the window.
        stood: Number of accepted ones.
        low, high: 95 % Wilson interval of their share, 0..1.
    """

    answers: int
    stood: int
    low: float
    high: float

    @property
    def is_poor(self) -> bool:
        """Whether the record is long enough, and surely bad."""
        return self.answers >= MIN_ANSWERS and self.high < DOUBT_BELOW

    def as_dict(self) -> dict[str, Any]:
        return {
            "answers": self.answers,
            "stood": self.stood,
            "low": round(self.low, 4),
            "high": round(self.high, 4),
        }
