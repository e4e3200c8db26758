"""Chance-corrected agreement of several judges, with 95 % intervals.

The arithmetic is that of statsmodels (Cohen, Fleiss), nltk (Krippendorff) and scipy
(bootstrap). They take a second to load, so they are loaded by the first number that is
asked for, and no other page pays for them (docs/adr/0028).
"""

import warnings
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

# One item: who gave which label. Judges who did not judge it are absent.
Ratings = Mapping[Any, str]
Rows = tuple[tuple[tuple[Hashable, str], ...], ...]

# Items both or all judged; below this a coefficient says nothing worth acting on.
TOO_FEW = 10
RESAMPLES = 300
SEED = 20261121


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficient:
    """A measure of agreement: 1 is perfect, 0 is chance, negative is worse than it.

    Attributes:
        value: In [-1, 1]; None where it is not defined, as when all labels are alike.
        low: Lower end of the 95 % interval, unitless; None where there is none.
        high: Upper end.
        n: Items it was computed from.
        agreed: Of those, the items on which all said the same.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    agreed: int

    @property
    def is_small(self) -> bool:
        """Whether there are too few items to say anything."""
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

    It does not ask who judged, only how many said what, and wants the same number of
    judges for every item. The interval is a bootstrap over items.

    Source:
        Fleiss 1971, "Measuring nominal scale agreement among many raters".
    """
    sizes = Counter(len(ratings) for ratings in items if len(ratings) > 1)
    if not sizes:
        return Coefficient(value=None, low=None, high=None, n=0, agreed=0)
    size = max(sizes, key=lambda count: (sizes[count], count))
    return _fleiss(_rows(row for row in items if len(row) == size))


def krippendorff(items: Sequence[Ratings]) -> Coefficient:
    """Krippendorff's alpha for nominal labels; judges may be missing anywhere.

    Items with fewer than two judges say nothing and are left out. The interval is a
    bootstrap over items.

    Source:
        Krippendorff 2011, "Computing Krippendorff's alpha-reliability".
    """
    return _krippendorff(_rows(row for row in items if len(row) > 1))


def _rows(items: Any) -> Rows:
    """Make ratings comparable and hashable, whatever the order they came in."""
    return tuple(tuple(sorted(row.items(), key=str)) for row in items)


@lru_cache(maxsize=256)
def _cohen(pairs: tuple[tuple[str, str], ...]) -> Coefficient:
    from statsmodels.stats.inter_rater import cohens_kappa

    labels = sorted({label for pair in pairs for label in pair})
    agreed = sum(one == other for one, other in pairs)
    if len(labels) < 2:
        return Coefficient(
            value=None, low=None, high=None, n=len(pairs), agreed=len(pairs)
        )
    counts = Counter(pairs)
    table = [[counts[row, column] for column in labels] for row in labels]
    with warnings.catch_warnings():
        # Its variance may be zero, as when both always agree: the interval is a point.
        warnings.simplefilter("ignore", RuntimeWarning)
        found = cohens_kappa(table)
    return Coefficient(
        value=_number(found.kappa),
        low=_number(max(-1.0, found.kappa_low)),
        high=_number(min(1.0, found.kappa_upp)),
        n=len(pairs),
        agreed=agreed,
    )


@lru_cache(maxsize=64)
def _fleiss(rows: Rows) -> Coefficient:
    from statsmodels.stats.inter_rater import fleiss_kappa

    labels = sorted({label for row in rows for _, label in row})
    table = [
        [sum(said == label for _, said in row) for label in labels] for row in rows
    ]

    def kappa(chosen: Sequence[int]) -> float:
        return float(fleiss_kappa([table[index] for index in chosen]))

    return _with_interval(rows, kappa)


@lru_cache(maxsize=64)
def _krippendorff(rows: Rows) -> Coefficient:
    from nltk.metrics.agreement import AnnotationTask

    def alpha(chosen: Sequence[int]) -> float:
        return float(
            AnnotationTask(
                [
                    (judge, place, label)
                    for place, index in enumerate(chosen)
                    for judge, label in rows[index]
                ]
            ).alpha()
        )

    return _with_interval(rows, alpha, _alpha_of(rows))


def _alpha_of(rows: Rows) -> Callable[[Any], Any]:
    """Return nltk's alpha of resamples, all at once: it is a ratio of sums over items.

    The library's own takes seconds for the hundreds that an interval needs.
    """
    import numpy

    labels = sorted({label for row in rows for _, label in row})
    said = numpy.array(
        [[sum(one == label for _, one in row) for label in labels] for row in rows]
    ).reshape(len(rows), len(labels))
    judges = said.sum(axis=1)
    apart = (said * (judges[:, None] - said)).sum(axis=1) / (judges - 1)

    def alpha(chosen: Any, axis: int = -1) -> Any:
        # Resamples lie along the last axis, of which labels are then counted.
        n = judges[chosen].sum(axis=axis)
        of_label = said[chosen].sum(axis=-2)
        expected = (n**2 - (of_label**2).sum(axis=-1)) / (n - 1)
        return 1 - apart[chosen].sum(axis=axis) / expected

    return alpha


def _with_interval(
    rows: Rows,
    statistic: Callable[[Sequence[int]], float],
    of_resamples: Callable[[Any], Any] | None = None,
) -> Coefficient:
    """Return a statistic of all items, and its interval over resamples of them.

    Args:
        rows: The items.
        statistic: Of some of them, by their indexes.
        of_resamples: The same of many arrays of indexes at once, where it can be had.
    """
    agreed = sum(len({label for _, label in row}) == 1 for row in rows)
    if len({label for row in rows for _, label in row}) < 2:
        # One label alone: agreement by chance is certain, and nothing is defined.
        return Coefficient(value=None, low=None, high=None, n=len(rows), agreed=agreed)
    with warnings.catch_warnings():
        # A resample may hold one label alone: not a number, and left out below.
        warnings.simplefilter("ignore", RuntimeWarning)
        value = statistic(range(len(rows)))
        low, high = _bootstrap(len(rows), statistic, of_resamples)
    return Coefficient(value=value, low=low, high=high, n=len(rows), agreed=agreed)


def _bootstrap(
    count: int,
    statistic: Callable[[Sequence[int]], float],
    of_resamples: Callable[[Any], Any] | None,
) -> tuple[float | None, float | None]:
    """Percentile interval over items; nothing where there are too few of them."""
    if count < TOO_FEW:
        return None, None
    import numpy
    from scipy.stats import bootstrap

    drawn = bootstrap(
        (numpy.arange(count),),
        of_resamples or (lambda chosen: statistic([int(index) for index in chosen])),
        n_resamples=RESAMPLES,
        vectorized=of_resamples is not None,
        method="percentile",
        rng=numpy.random.default_rng(SEED),
    )
    known = drawn.bootstrap_distribution[numpy.isfinite(drawn.bootstrap_distribution)]
    if not len(known):
        return None, None
    low, high = numpy.percentile(known, [2.5, 97.5])
    return float(low), float(high)


def _number(value: Any) -> float | None:
    """Return a number, or None for what the libraries call not a number."""
    return float(value) if value == value else None
