"""The figures of repeated calls: minimum, p50 and p95."""

import statistics
import time
from collections.abc import Callable, Sequence


def timed(act: Callable[[], object], rounds: int) -> tuple[float, float, float]:
    """Return the figures of calls in milliseconds, after one to fill caches.

    On a shared machine the minimum shows growth best.
    """
    act()
    taken = []
    for _ in range(rounds):
        begun = time.perf_counter()
        act()
        taken.append((time.perf_counter() - begun) * 1000)
    return quantiles(taken)


def quantiles(taken: Sequence[float]) -> tuple[float, float, float]:
    """Return minimum, median and 95th percentile."""
    return min(taken), statistics.median(taken), statistics.quantiles(taken, n=20)[-1]
