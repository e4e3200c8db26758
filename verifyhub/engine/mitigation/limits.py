"""Limits on tries, time and cost of rewriting a text."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

from verifyhub.engine.ports import Clock, ModelUsage


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkLimits:
    """Limits of one mitigation or deliberation.

    Attributes:
        tries: Rewrites at most.
        seconds: From the first question to the last; no question begins later.
        microdollars: Millionths of a US dollar after which no question begins; None
            leaves it to the project's caps.
    """

    tries: int = 2
    seconds: float = 120.0
    microdollars: int | None = None

    def __post_init__(self) -> None:
        if self.tries < 1 or self.seconds <= 0:
            raise ValueError("at least one try and some time are needed")


class Watch:
    """Tells whether another question may begin."""

    def __init__(self, limits: WorkLimits, clock: Clock = monotonic) -> None:
        self._limits, self._clock = limits, clock
        self._end = clock() + limits.seconds

    @property
    def seconds_left(self) -> float:
        """The seconds until the deadline; 0 once it has passed."""
        return max(0.0, self._end - self._clock())

    def stopped_by(self, usages: Sequence[ModelUsage]) -> str:
        """Return `deadline` or `cost` where no question may begin; else empty.

        A call whose price is unknown counts as free: tokens are what caps it.
        """
        if self.seconds_left <= 0:
            return "deadline"
        most = self._limits.microdollars
        spent = sum(usage.cost_microdollars or 0 for usage in usages)
        return "cost" if most is not None and spent >= most else ""
