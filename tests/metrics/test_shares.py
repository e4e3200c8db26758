"""Shares carry their uncertainty."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifyhub.common.shares import Share
from verifyhub.metrics.figures import mean


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (15, 148, 0.0624, 0.1605),
    ],
)
def test_wilson_interval_agrees_with_published_tables(count, total, low, high):
    interval = Share(count=count, total=total).interval

    assert interval == pytest.approx((low, high), abs=5e-4)


def test_nothing_counted_has_no_share():
    nothing = Share(count=0, total=0)

    assert (nothing.value, nothing.interval) == (None, None)


@given(
    st.integers(1, 10**7).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
)
def test_the_interval_holds_the_share_and_stays_in_range(case):
    share = Share(count=case[0], total=case[1])

    assert 0 <= share.low <= share.value <= share.high <= 1


@pytest.mark.parametrize(("total", "small"), [(0, False), (19, True), (20, False)])
def test_few_cases_are_called_few(total, small):
    assert Share(count=0, total=total).is_small is small


# The first example loads the library of distributions.
@given(st.lists(st.floats(0, 1), min_size=2, max_size=30))
def test_a_mean_of_what_lies_between_0_and_1_has_its_interval_there(values):
    squares = sum(value * value for value in values)

    found = mean("brier", len(values), sum(values), squares, most=1)

    assert 0 <= found.low <= found.value + 1e-9
    assert found.value - 1e-9 <= found.high <= 1
