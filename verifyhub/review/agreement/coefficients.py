"""Chance-corrected agreement of several judges, with 95 % intervals.

The formulas are those of the papers, on arrays; tests compare them with statsmodels and
NLTK, which take seconds to import (docs/adr/0087).
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

# The labels of one item by judge; judges who did not judge it are absent.
Ratings = Mapping[Any, str]
Rows = tuple[tuple[tuple[Hashable, str], ...], ...]

# With fewer common items a coefficient is not meaningful.
TOO_FEW = 10
RESAMPLES = 300
SEED = 20261121
# The 97.5th percentile of the standard normal distribution.
NORMAL_95 = 1.959964


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficient:
    """A measure of agreement: 1 is perfect, 0 is chance, negative is worse.

    Attributes:
        value: In [-1, 1]; None if it is undefined, as with equal labels everywhere.
        low: Lower end of the 95 % interval, unitless; None if there is none.
        high: Upper end.
        n: Number of items.
        agreed: Number of items on which all judges agree.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    agreed: int

    @property
    def is_small(self) -> bool:
        """Whether there are too few items for a meaningful value."""
        return self.n < TOO_FEW


def cohen(items: Sequence[Ratings], first: Hashable, second: Hashable) -> Coefficient:
    """Cohen's kappa of two judges over the items that both judged.

    The interval is the asymptotic one of Fleiss, Cohen and Everitt 1969.

    Source:
        Cohen 1960, "A coefficient of agreement for nominal scales".
    """
    pairs = tuple(
        (ratings[first], ratings[second])
        for ratings in items
        if first in ratings and second in ratings
    )
    return _cohen(tuple(sorted(pairs)))


def fleiss(items: Sequence[Ratings]) -> Coefficient:
    """Fleiss' kappa over the items with the most common number of judges, at least two.

    It only uses the number of judges by label, which must be equal in total for every
    item. The interval is a bootstrap over items.

    Source:
        Fleiss 1971, "Measuring nominal scale agreement among many raters".
    """
    sizes = Counter(len(ratings) for ratings in items if len(ratings) > 1)
    if not sizes:
        return Coefficient(value=None, low=None, high=None, n=0, agreed=0)
    size = max(sizes, key=lambda count: (sizes[count], count))
    return _fleiss(_rows(row for row in items if len(row) == size))


def krippendorff(items: Sequence[Ratings]) -> Coefficient:
    """Krippendorff's alpha for nominal labels; judgements may be missing.

    Items with fewer than two judges are left out. The interval is a bootstrap over
    items.

    Source:
        Krippendorff 2011, "Computing Krippendorff's alpha-reliability".
    """
    return _krippendorff(_rows(row for row in items if len(row) > 1))


def _rows(items: Any) -> Rows:
    """Return ratings in a hashable form that does not depend on their order."""
    return tuple(tuple(sorted(row.items(), key=str)) for row in items)


@lru_cache(maxsize=256)
def _cohen(pairs: tuple[tuple[str, str], ...]) -> Coefficient:
    import numpy

    labels = sorted({label for pair in pairs for label in pair})
    agreed = sum(first == second for first, second in pairs)
    if len(labels) < 2:
        return Coefficient(
            value=None, low=None, high=None, n=len(pairs), agreed=len(pairs)
        )
    counts = Counter(pairs)
    table = [[counts[row, column] for column in labels] for row in labels]
    shares = numpy.array(table) / len(pairs)
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    expected = float(rows @ columns)
    kappa = (float(shares.trace()) - expected) / (1 - expected)
    # Fleiss, Cohen and Everitt 1969, equation 13.
    agreeing = shares.diagonal() * (1 - (rows + columns) * (1 - kappa)) ** 2
    differing = shares * (columns[:, None] + rows) ** 2
    differing = (differing.sum() - differing.trace()) * (1 - kappa) ** 2
    chance = (kappa - expected * (1 - kappa)) ** 2
    spread = float(agreeing.sum() + differing - chance) / (1 - expected) ** 2
    variance = spread / len(pairs)
    # Zero if both always agree: the interval is a point.
    reach = NORMAL_95 * math.sqrt(max(0.0, variance))
    return Coefficient(
        value=kappa,
        low=max(-1.0, kappa - reach),
        high=min(1.0, kappa + reach),
        n=len(pairs),
        agreed=agreed,
    )


@lru_cache(maxsize=64)
def _fleiss(rows: Rows) -> Coefficient:
    counts = _counted(rows)
    judges = counts.sum(axis=1)
    # The share of agreeing pairs of judges of each item.
    pairs = (counts * (counts - 1)).sum(axis=1) / (judges * (judges - 1))

    def kappa(chosen: Any) -> Any:
        of_label = counts[chosen].sum(axis=-2)
        shares = of_label / of_label.sum(axis=-1, keepdims=True)
        expected = (shares**2).sum(axis=-1)
        return (pairs[chosen].mean(axis=-1) - expected) / (1 - expected)

    return _with_interval(rows, kappa)


@lru_cache(maxsize=64)
def _krippendorff(rows: Rows) -> Coefficient:
    counts = _counted(rows)
    judges = counts.sum(axis=1)
    differing = (counts * (judges[:, None] - counts)).sum(axis=1) / (judges - 1)

    def alpha(chosen: Any) -> Any:
        n = judges[chosen].sum(axis=-1)
        of_label = counts[chosen].sum(axis=-2)
        expected = (n**2 - (of_label**2).sum(axis=-1)) / (n - 1)
        return 1 - differing[chosen].sum(axis=-1) / expected

    return _with_interval(rows, alpha)


def _counted(rows: Rows) -> Any:
    """Count the judges of each item by label: (items, labels), int64."""
    import numpy

    labels = sorted({label for row in rows for _, label in row})
    return numpy.array(
        [[sum(given == label for _, given in row) for label in labels] for row in rows],
        dtype=numpy.int64,
    ).reshape(len(rows), len(labels))


def _with_interval(rows: Rows, statistic: Callable[[Any], Any]) -> Coefficient:
    """Return a statistic of all items, and its interval over resamples of them.

    Args:
        rows: The items.
        statistic: Computes it for some items, whose indexes are on the last axis.
    """
    import numpy

    agreed = sum(len({label for _, label in row}) == 1 for row in rows)
    if len({label for row in rows for _, label in row}) < 2:
        # With a single label chance agreement is certain, and the value undefined.
        return Coefficient(value=None, low=None, high=None, n=len(rows), agreed=agreed)
    value = float(statistic(numpy.arange(len(rows))))
    if len(rows) < TOO_FEW:
        return Coefficient(value=value, low=None, high=None, n=len(rows), agreed=agreed)
    drawn = numpy.random.default_rng(SEED).integers(
        0, len(rows), (RESAMPLES, len(rows))
    )
    # A resample with a single label is not a number, and left out.
    with numpy.errstate(invalid="ignore", divide="ignore"):
        values = statistic(drawn)
    finite = values[numpy.isfinite(values)]
    low = high = None
    if len(finite):
        low, high = (float(end) for end in numpy.percentile(finite, [2.5, 97.5]))
    return Coefficient(value=value, low=low, high=high, n=len(rows), agreed=agreed)
