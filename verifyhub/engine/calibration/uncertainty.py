"""Estimate the uncertainty of a calibration error by resampling."""

from collections.abc import Sequence
from functools import lru_cache

from verifyhub.engine.calibration.measures import BINS, Sample

# With fewer samples resampling is meaningless.
TOO_FEW = 10
RESAMPLES = 400
SEED = 20261121
# With more samples the interval is narrower than its displayed digits.
MOST = 5_000


def ece_interval(samples: Sequence[Sample]) -> tuple[float, float] | None:
    """Return the 95 % percentile interval of the expected calibration error.

    Args:
        samples: Score in 0..1 and whether it was right; of many, the last `MOST` count.

    Returns:
        Lower and upper end in 0..1; None where there are too few samples.

    Source:
        Efron and Tibshirani 1993, "An Introduction to the Bootstrap", chapter 13.
    """
    if len(samples) < TOO_FEW:
        return None
    return _interval(tuple(samples[-MOST:]))


@lru_cache(maxsize=64)
def _interval(samples: tuple[Sample, ...]) -> tuple[float, float]:
    import numpy

    scores = numpy.array([score for score, _ in samples])
    gaps = scores - numpy.array([label for _, label in samples], dtype=float)
    bins = numpy.minimum((scores * BINS).astype(int), BINS - 1)
    n = len(samples)
    drawn = numpy.random.default_rng(SEED).integers(0, n, size=(RESAMPLES, n))
    # A bin's part of the error is its summed gap over n, whatever it holds.
    errors = [
        numpy.abs(numpy.bincount(bins[row], weights=gaps[row])).sum() / n
        for row in drawn
    ]
    low, high = numpy.percentile(errors, [2.5, 97.5])
    return float(low), min(1.0, float(high))
