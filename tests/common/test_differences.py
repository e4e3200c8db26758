"""Shares that are compared: published intervals, and what must hold of any."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifyhub.common.shares import Share, ShareDifference, design_effect, wilson

COUNTS = st.integers(0, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
GROUPS = st.lists(
    st.integers(1, 30).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    max_size=20,
)


def difference(x1, n1, x2, n2) -> ShareDifference:
    return ShareDifference(
        first=Share(count=x1, total=n1), second=Share(count=x2, total=n2)
    )


# Newcombe 1998, table II, method 10: the examples (a) to (h).
@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        ((56, 70, 48, 80), 0.0524, 0.3339),
        ((9, 10, 3, 10), 0.1705, 0.8090),
        ((6, 7, 2, 7), 0.0582, 0.8062),
        ((5, 56, 0, 29), -0.0381, 0.1926),
        ((0, 10, 0, 20), -0.1611, 0.2775),
        ((0, 10, 0, 10), -0.2775, 0.2775),
        ((10, 10, 0, 20), 0.6791, 1.0),
        ((10, 10, 0, 10), 0.6075, 1.0),
    ],
)
def test_the_interval_is_the_published_one(counts, low, high):
    assert difference(*counts).interval == pytest.approx((low, high), abs=0.00006)


@given(COUNTS, COUNTS)
def test_an_interval_holds_its_difference_and_mirrors(one, two):
    there, back = difference(*one, *two), difference(*two, *one)
    if there.interval is None:
        assert 0 in (one[1], two[1])
        return

    low, high = there.interval

    assert -1 <= low <= there.value + 1e-12
    assert there.value - 1e-12 <= high <= 1
    assert back.interval == pytest.approx((-high, -low))


@given(COUNTS.filter(lambda pair: pair[1] > 0))
def test_more_cases_of_the_same_share_make_no_interval_wider(pair):
    count, total = pair
    low, high = wilson(count / total, total)
    closer_low, closer_high = wilson(count / total, total * 4)

    assert closer_high - closer_low <= high - low + 1e-12


@given(GROUPS)
def test_groups_never_make_a_sample_worth_more(groups):
    assert design_effect(groups) >= 1


def test_sessions_that_are_all_alike_count_once_each():
    # Ten sessions of ten answers, each all right or all wrong.
    groups = [(10, 10), (0, 10)] * 5

    assert design_effect(groups) == pytest.approx(10 * 10 / 9)


def test_sessions_that_are_mixed_alike_cost_nothing():
    assert design_effect([(5, 10)] * 10) == 1
