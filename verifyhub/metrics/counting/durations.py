"""Percentiles from bins: exact below 64 ms, and within 1.6 % above."""

from collections.abc import Mapping

# The number of bins for each doubling of the duration.
STEPS = 32
EXACT = 2 * STEPS


def middle(low: int) -> float:
    """Return the middle of the bin that begins at `low`, in milliseconds."""
    if low < EXACT:
        return float(low)
    width = 1 << (low.bit_length() - STEPS.bit_length())
    return low + (width - 1) / 2


def percentile(bins: Mapping[int, int], fraction: float) -> float | None:
    """Return the value below which a fraction of the durations are.

    Interpolated between two durations, like PostgreSQL's `percentile_cont`.

    Args:
        bins: The number of durations by the bin's beginning in milliseconds.
        fraction: In [0, 1].
    """
    total = sum(bins.values())
    if not total:
        return None
    place = fraction * (total - 1)
    under, over = _at(bins, int(place)), _at(bins, min(int(place) + 1, total - 1))
    return under + (over - under) * (place - int(place))


def _at(bins: Mapping[int, int], index: int) -> float:
    passed = 0
    for low in sorted(bins):
        passed += bins[low]
        if passed > index:
            return middle(low)
    raise IndexError(index)
