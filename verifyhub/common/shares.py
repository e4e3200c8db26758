"""Shares with their n and 95 % interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, sqrt

# Two-sided 95 % of the standard normal distribution.
Z_95 = 1.959963984540054
# With fewer cases a share says little; the page says so.
SMALL_SAMPLE = 20


def wilson(share: float, n: float) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of a share, within 0..1.

    Args:
        share: The observed share, 0..1.
        n: The number of cases, above 0; an effective number need not be whole.

    Source:
        Wilson 1927, "Probable inference, the law of succession, and statistical
        inference"; it keeps its coverage for small n and for shares near 0 and 1.
    """
    z2 = Z_95**2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z_95 * sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    # At 0 and 1, rounding would otherwise put the share just outside its interval.
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """`count` cases out of `total`; both whole numbers, 0 <= count <= total."""

    count: int
    total: int

    @classmethod
    def of_groups(cls, groups: Sequence[tuple[int, int]]) -> "Share":
        """Return the share over groups, each with its hits and its cases."""
        return cls(
            count=sum(hits for hits, _ in groups),
            total=sum(cases for _, cases in groups),
        )

    @property
    def value(self) -> float | None:
        """The share in [0, 1]; None if there are no cases."""
        return self.count / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % Wilson score interval in [0, 1]; None if there are no cases.

        Source:
            Wilson 1927; see `wilson`.
        """
        return wilson(self.count / self.total, self.total) if self.total else None

    @property
    def low(self) -> float | None:
        return self.interval[0] if self.interval else None

    @property
    def high(self) -> float | None:
        return self.interval[1] if self.interval else None

    @property
    def is_small(self) -> bool:
        """Whether the sample is too small to act on."""
        return 0 < self.total < SMALL_SAMPLE


def design_effect(groups: Sequence[tuple[int, int]]) -> float:
    """Return how much similar cases within groups widen a share's interval.

    Args:
        groups: For each group, such as a session: hits, and cases.

    Returns:
        At least 1; the number of cases divided by it is the effective number.

    Source:
        Rao and Scott 1992, "A simple method for the analysis of clustered binary
        data", Biometrics 48, 577-585: variance of the ratio over the groups, divided
        by that of independent cases.
    """
    m, n = len(groups), sum(cases for _, cases in groups)
    share = sum(hits for hits, _ in groups) / n if n else 0.0
    if m < 2 or not 0 < share < 1:
        return 1.0
    spread = sum((hits - cases * share) ** 2 for hits, cases in groups)
    variance = m / (m - 1) * spread / n**2
    return max(1.0, variance * n / (share * (1 - share)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareDifference:
    """The difference of two shares, with their design effects.

    Attributes:
        first, second: The shares.
        first_effect, second_effect: Their design effects, 1 for independent cases.
    """

    first: Share
    second: Share
    first_effect: float = 1.0
    second_effect: float = 1.0

    @classmethod
    def of_groups(
        cls, first: Sequence[tuple[int, int]], second: Sequence[tuple[int, int]]
    ) -> "ShareDifference":
        """Return the difference between groups, whose cases may be similar.

        Args:
            first: For each group, such as a session: hits, and cases.
            second: The groups of the other side.
        """
        return cls(
            first=Share.of_groups(first),
            second=Share.of_groups(second),
            first_effect=design_effect(first),
            second_effect=design_effect(second),
        )

    @property
    def value(self) -> float | None:
        """First minus second, in -1..1; None if either has no cases."""
        if self.first.value is None or self.second.value is None:
            return None
        return self.first.value - self.second.value

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % interval in -1..1; None if either side has no cases.

        Source:
            Newcombe 1998, "Interval estimation for the difference between independent
            proportions: comparison of eleven methods", Statistics in Medicine 17,
            873-890: method 10, the hybrid of two Wilson score intervals.
        """
        first, second = self.first.value, self.second.value
        if first is None or second is None:
            return None
        low1, high1 = wilson(first, self.first.total / self.first_effect)
        low2, high2 = wilson(second, self.second.total / self.second_effect)
        gap = first - second
        return (
            max(-1.0, gap - hypot(first - low1, high2 - second)),
            min(1.0, gap + hypot(high1 - first, second - low2)),
        )

    @property
    def low(self) -> float | None:
        return self.interval[0] if self.interval else None

    @property
    def high(self) -> float | None:
        return self.interval[1] if self.interval else None

    @property
    def is_small(self) -> bool:
        """Whether either sample is too small to act on."""
        return min(self.first.total, self.second.total) < SMALL_SAMPLE
