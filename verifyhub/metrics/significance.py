"""Statistical tests of two sides: interval, p, effect size, detectable difference.

Answers of one session are similar, so a session counts as one case. The tests are those
of scipy and statsmodels, which are slow to import and needed by no other page.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import asin, isfinite, sin, sqrt
from typing import Any, TypeAlias

from verifyhub.common.shares import SMALL_SAMPLE, ShareDifference

# A session's sum and the number of cases it is over.
Group: TypeAlias = tuple[float, float]

ALPHA = 0.05
POWER = 0.8
# Expected cases in a cell under which shares are tested exactly (Cochran 1954).
FEW_EXPECTED = 5
# Up to so many sessions on both sides, means are resampled; with more their
# distribution is nearly normal, and resampling would take seconds.
MAX_RESAMPLED = 400
RESAMPLES = 1999
# Makes results reproducible.
SEED = 20261121


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """The difference of two sides, first minus second, with its significance.

    Attributes:
        value: The difference; None if either side has no cases.
        low, high: The 95 % interval.
        p: The p-value; None without a test.
        effect: Cohen's h of shares, Cliff's delta of means; 0 is no effect.
        detectable: The smallest difference that so many cases would detect with 80 %
            power at 5 %; None if none.
        test: `score`, `fisher`, `permutation`, `welch`, or empty without one.
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    effect: float | None = None
    detectable: float | None = None
    test: str = ""


def compare_shares(difference: ShareDifference) -> Tested:
    """Test two shares, with the effective number of cases of each side.

    Source:
        Interval: Newcombe 1998, as `ShareDifference` says. Test: the score test of
        Miettinen and Nurminen 1985, "Comparative analysis of two rates", Statistics in
        Medicine 4, 213-226, on counts divided by the design effect (Rao and Scott
        1992); Fisher's exact one where a cell expects few.
    """
    interval = difference.interval
    if difference.value is None or interval is None:
        return Tested()
    first, second = _effective_sizes(difference)
    p, test = _test_of_shares(first, second)
    return Tested(
        value=difference.value,
        low=interval[0],
        high=interval[1],
        p=p,
        effect=_cohens_h(first, second),
        detectable=_detectable_share(first, second),
        test=test,
    )


def compare_means(first: Sequence[Group], second: Sequence[Group]) -> Tested:
    """Test two means, each the sum of a side's sessions over their cases.

    Source:
        Few sessions: a percentile bootstrap of sessions (Efron and Tibshirani 1993)
        and a permutation test. Many: Welch's t test of each session's linearised
        share in the ratio (Woodruff 1971). Cliff's delta: Cliff 1993, "Dominance
        statistics", Psychological Bulletin 114, 494-509.
    """
    first_groups, second_groups = _usable(first), _usable(second)
    if not first_groups or not second_groups:
        return Tested()
    value = _ratio(first_groups) - _ratio(second_groups)
    if min(len(first_groups), len(second_groups)) < 2:
        return Tested(value=value)
    estimate: tuple[float | None, float | None, float | None]
    if len(first_groups) + len(second_groups) <= MAX_RESAMPLED:
        estimate, test = _resampled(first_groups, second_groups), "permutation"
    else:
        estimate, test = _welch(first_groups, second_groups), "welch"
    return Tested(
        value=value,
        low=estimate[0],
        high=estimate[1],
        p=estimate[2],
        effect=_cliffs_delta(first_groups, second_groups),
        detectable=_detectable_mean(first_groups, second_groups),
        test=test,
    )


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Apply Holm's correction to the p-values of all tests; None stays None.

    Source:
        Holm 1979, "A simple sequentially rejective multiple test procedure".
    """
    # Like statsmodels' `multipletests`, which runs a garbage collection first.
    ordered = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for passed, (p, place) in enumerate(ordered):
        highest = max(highest, min(1.0, p * (len(ordered) - passed)))
        corrected[place] = highest
    return corrected


def paired_p(only_first: int, only_second: int) -> float | None:
    """Test two judgements of the same answers by the discordant ones.

    Source:
        McNemar 1947, exact: the binomial test of the discordant pairs.
    """
    if not only_first + only_second:
        return None
    from statsmodels.stats.contingency_tables import mcnemar

    table = [[0, only_first], [only_second, 0]]
    return float(mcnemar(table, exact=True).pvalue)


def _effective_sizes(difference: ShareDifference) -> tuple[Group, Group]:
    """Return hits and cases of both sides, divided by their design effects."""
    sides = (
        (difference.first, difference.first_effect),
        (difference.second, difference.second_effect),
    )
    first, second = ((s.count / effect, s.total / effect) for s, effect in sides)
    return first, second


def _test_of_shares(first: Group, second: Group) -> tuple[float, str]:
    hits = first[0] + second[0]
    cases = first[1] + second[1]
    expected = min(hits, cases - hits) * min(first[1], second[1]) / cases
    if expected < FEW_EXPECTED:
        from scipy.stats import fisher_exact

        table = [[round(k), max(0, round(n) - round(k))] for k, n in (first, second)]
        return float(fisher_exact(table).pvalue), "fisher"
    import numpy
    from statsmodels.stats.proportion import test_proportions_2indep

    # Its ratios, which are not used here, divide by empty cells.
    with numpy.errstate(divide="ignore", invalid="ignore"):
        result = test_proportions_2indep(
            *first, *second, compare="diff", method="score"
        )
    return float(result.pvalue), "score"


def _cohens_h(first: Group, second: Group) -> float:
    from statsmodels.stats.proportion import proportion_effectsize

    return float(proportion_effectsize(first[0] / first[1], second[0] / second[1]))


def _detectable_share(first: Group, second: Group) -> float | None:
    """Return the smallest difference between shares that would be detected."""
    from statsmodels.stats.power import NormalIndPower

    if min(first[1], second[1]) < 2:
        return None
    h = NormalIndPower().solve_power(
        nobs1=first[1], ratio=second[1] / first[1], alpha=ALPHA, power=POWER
    )
    base = (first[0] + second[0]) / (first[1] + second[1])
    middle = 2 * asin(sqrt(base))
    # Above the common share, or below if there is no room above.
    angles = (middle + float(h), middle - float(h))
    gaps = [abs(sin(a / 2) ** 2 - base) for a in angles if 0 <= a <= 2 * asin(1)]
    return min(gaps, default=None)


def _detectable_mean(first: Sequence[Group], second: Sequence[Group]) -> float | None:
    from statsmodels.stats.power import TTestIndPower

    first_linear, second_linear = _linear(first), _linear(second)
    freedom = len(first_linear) + len(second_linear) - 2
    pooled = (
        first_linear.var(ddof=1) * (len(first_linear) - 1)
        + second_linear.var(ddof=1) * (len(second_linear) - 1)
    ) / freedom
    if min(len(first_linear), len(second_linear)) < 3 or not pooled:
        return None
    d = TTestIndPower().solve_power(
        nobs1=len(first_linear),
        ratio=len(second_linear) / len(first_linear),
        alpha=ALPHA,
        power=POWER,
    )
    difference = float(d) * sqrt(float(pooled))
    return difference if isfinite(difference) else None


def _usable(groups: Sequence[Group]) -> list[Group]:
    return [(float(total), float(cases)) for total, cases in groups if cases > 0]


def _ratio(groups: Sequence[Group]) -> float:
    return sum(total for total, _ in groups) / sum(cases for _, cases in groups)


def _linear(groups: Sequence[Group]) -> Any:
    """Return each session's contribution to the ratio, whose mean is the ratio."""
    import numpy

    totals, cases = numpy.array(groups, dtype=float).T
    ratio = totals.sum() / cases.sum()
    return ratio + (totals - ratio * cases) / cases.mean()


def _welch(
    first: Sequence[Group], second: Sequence[Group]
) -> tuple[float | None, float | None, float | None]:
    from scipy.stats import ttest_ind

    first_linear, second_linear = _linear(first), _linear(second)
    if not first_linear.var() and not second_linear.var():
        return None, None, None
    result = ttest_ind(first_linear, second_linear, equal_var=False)
    interval = result.confidence_interval(1 - ALPHA)
    return float(interval.low), float(interval.high), float(result.pvalue)


def _resampled(
    first: Sequence[Group], second: Sequence[Group]
) -> tuple[float, float, float]:
    import numpy
    from scipy.stats import bootstrap, permutation_test

    totals, cases = numpy.array([*first, *second], dtype=float).T
    places = numpy.arange(len(totals))
    sides = (places[: len(first)], places[len(first) :])

    def gap(left: Any, right: Any, axis: int = -1) -> Any:
        return totals[left].sum(axis) / cases[left].sum(axis) - totals[right].sum(
            axis
        ) / cases[right].sum(axis)

    drawn = {"n_resamples": RESAMPLES, "vectorized": True}
    interval = bootstrap(
        sides,
        gap,
        method="percentile",
        rng=numpy.random.default_rng(SEED),
        **drawn,
    ).confidence_interval
    p = permutation_test(sides, gap, rng=numpy.random.default_rng(SEED), **drawn).pvalue
    return float(interval.low), float(interval.high), float(p)


def _cliffs_delta(first: Sequence[Group], second: Sequence[Group]) -> float:
    from scipy.stats import mannwhitneyu

    means = [[total / cases for total, cases in side] for side in (first, second)]
    u = mannwhitneyu(*means).statistic
    return float(2 * u / (len(first) * len(second)) - 1)


def is_few(first: int, second: int) -> bool:
    """Return whether either side has too few cases to act on."""
    return min(first, second) < SMALL_SAMPLE
