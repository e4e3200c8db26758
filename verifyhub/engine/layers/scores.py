"""Arithmetic that several layers share."""

import math
from collections.abc import Callable, Sequence

from verifyhub.engine.reports import Outcome


def clamped(score: float | None) -> float | None:
    """Return a score clamped to 0..1; None for anything but a number."""
    if score is None or math.isnan(score):
        return None
    return min(1.0, max(0.0, score))


def mean(numbers: Sequence[float]) -> float | None:
    """Return the mean; None of nothing."""
    return math.fsum(numbers) / len(numbers) if numbers else None


def entropy(shares: Sequence[float]) -> float:
    """Return the entropy in nats of shares or weights, which need not add up to 1."""
    total = math.fsum(shares)
    parts = [share / total for share in shares if share > 0] if total > 0 else []
    return max(0.0, -math.fsum(part * math.log(part) for part in parts))


def decided(passes: Callable[[int], bool], yes: int, unknown: int) -> Outcome:
    """Return an outcome that unknown votes could not change; else inconclusive.

    Args:
        passes: Whether so many votes in favour, of all that were asked, pass.
        yes: Votes in favour.
        unknown: Votes that were asked for and never came.
    """
    worst, best = passes(yes), passes(yes + unknown)
    if worst != best:
        return Outcome.INCONCLUSIVE
    return Outcome.PASSED if best else Outcome.FAILED
