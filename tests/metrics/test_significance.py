"""Differences, held against what statsmodels and scipy say of the same numbers."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifyhub.common.shares import Share, ShareDifference
from verifyhub.metrics.significance import compare_means, compare_shares, holm, paired_p


# Loaded by the process that runs these tests, not by each that collects them.
@pytest.fixture(scope="module")
def stats():
    from scipy import stats

    return stats


@pytest.fixture(scope="module")
def proportion():
    from statsmodels.stats import proportion

    return proportion


def shares(first, second):
    return ShareDifference(
        first=Share(count=first[0], total=first[1]),
        second=Share(count=second[0], total=second[1]),
    )


def test_newcombes_interval_of_his_own_example(proportion):
    # Newcombe 1998, table II (a): 56/70 against 48/80.
    found = compare_shares(shares((56, 70), (48, 80)))

    low, high = proportion.confint_proportions_2indep(56, 70, 48, 80, method="newcomb")
    assert (found.low, found.high) == pytest.approx((low, high))
    assert found.p == pytest.approx(
        proportion.test_proportions_2indep(
            56, 70, 48, 80, compare="diff", method="score"
        ).pvalue
    )
    assert found.effect == pytest.approx(proportion.proportion_effectsize(0.8, 0.6))
    assert found.test == "score"


def test_few_cases_are_tested_exactly(stats):
    found = compare_shares(shares((3, 6), (1, 9)))

    assert found.test == "fisher"
    assert found.p == pytest.approx(stats.fisher_exact([[3, 3], [1, 8]]).pvalue)


@pytest.mark.parametrize("sides", [((0, 40), (0, 50)), ((40, 40), (50, 50))])
def test_sides_that_are_all_alike_do_not_differ(sides):
    found = compare_shares(shares(*sides))

    assert found.value == 0
    assert found.p == 1


def test_without_cases_there_is_no_difference():
    assert compare_shares(shares((0, 0), (1, 3))).value is None
    assert compare_means([], [(1, 1)]).value is None


def test_a_difference_of_the_detectable_size_has_the_power_it_promises(proportion):
    from statsmodels.stats.power import NormalIndPower

    found = compare_shares(shares((30, 100), (30, 100)))

    h = proportion.proportion_effectsize(0.3 - found.detectable, 0.3)
    power = NormalIndPower().power(abs(h), nobs1=100, alpha=0.05)
    assert power == pytest.approx(0.8, abs=0.01)


def test_sessions_of_answers_alike_are_worth_less():
    loose = ShareDifference.of_groups([(1, 1)] * 30 + [(0, 1)] * 30, [(0, 1)] * 60)
    alike = ShareDifference.of_groups([(10, 10)] * 3 + [(0, 10)] * 3, [(0, 10)] * 6)

    assert compare_shares(alike).p > compare_shares(loose).p


def test_means_of_few_sessions_are_resampled(stats):
    first = [(value, 1) for value in (3, 4, 5, 6, 7, 8, 9, 10)]
    second = [(value, 1) for value in (1, 1, 2, 2, 3, 3, 4, 4)]

    found = compare_means(first, second)

    assert found.test == "permutation"
    assert found.value == pytest.approx(4.0)
    assert 0 < found.low < 4 < found.high
    assert found.p < 0.01
    u = stats.mannwhitneyu([v for v, _ in first], [v for v, _ in second]).statistic
    assert found.effect == pytest.approx(2 * u / 64 - 1)
    assert found == compare_means(first, second)


def test_means_of_many_sessions_are_welchs(stats):
    first = [(value % 17, 1) for value in range(300)]
    second = [(value % 13, 1) for value in range(250)]

    found = compare_means(first, second)

    said = stats.ttest_ind(
        [v for v, _ in first], [v for v, _ in second], equal_var=False
    )
    assert found.test == "welch"
    assert found.p == pytest.approx(said.pvalue)
    assert (found.low, found.high) == pytest.approx(tuple(said.confidence_interval()))


def test_one_session_a_side_tells_nothing():
    found = compare_means([(100, 50)], [(10, 50)])

    assert found.value == pytest.approx(1.8)
    assert found.p is None


def test_holm_leaves_out_what_was_not_tested():
    from statsmodels.stats.multitest import multipletests

    given_p = [0.01, None, 0.04, 0.03]

    assert holm(given_p)[1] is None
    assert [p for p in holm(given_p) if p is not None] == pytest.approx(
        multipletests([0.01, 0.04, 0.03], method="holm")[1]
    )
    assert holm([None]) == [None]


def test_pairs_are_tested_by_those_that_differ(stats):
    assert paired_p(0, 0) is None
    assert paired_p(8, 1) == pytest.approx(stats.binomtest(1, 9).pvalue)


cells = st.integers(0, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@settings(max_examples=60)
@given(cells, cells)
def test_every_pair_of_shares_gets_figures_in_range(first, second):
    found = compare_shares(shares(first, second))

    if found.value is not None:
        assert 0 <= found.p <= 1
        assert -1 <= found.low <= found.value + 1e-9
        assert found.value - 1e-9 <= found.high <= 1


groups = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), max_size=6)


@settings(max_examples=15)
@given(groups, groups)
def test_every_pair_of_means_gets_figures_in_range(first, second):
    found = compare_means(first, second)

    assert found.p is None or 0 <= found.p <= 1
