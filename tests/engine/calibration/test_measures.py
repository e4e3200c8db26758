"""Brier score, calibration error and reliability: known cases, and their limits."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifyhub.engine.calibration.measures import (
    Reliability,
    brier,
    ece,
    reliability,
)

SAMPLES = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=80)


@given(SAMPLES)
def test_figures_stay_in_range_and_lose_no_sample(samples):
    found = reliability(samples)

    assert 0 <= found.brier <= 1
    assert 0 <= found.ece <= 1
    assert sum(one.right.total for one in found.bins) == found.n == len(samples)
    assert all(one.low <= one.score <= one.high for one in found.bins)


@given(SAMPLES, st.randoms())
def test_the_order_of_samples_does_not_matter(samples, shuffler: random.Random):
    shuffled = list(samples)
    shuffler.shuffle(shuffled)

    assert reliability(shuffled) == reliability(samples)


@given(st.lists(st.booleans(), min_size=1, max_size=50))
def test_scores_that_are_always_right_have_no_error(labels):
    found = reliability([(float(label), label) for label in labels])

    assert (found.brier, found.ece) == (0, 0)


def test_brier_and_calibration_error_of_a_known_case():
    samples = [(0.9, True)] * 8 + [(0.9, False)] * 2

    assert brier(samples) == pytest.approx(0.17)
    assert ece(samples) == pytest.approx(0.1)
    assert reliability(samples).is_small


def test_errors_of_two_bins_do_not_cancel_out():
    # 0.25 that is right half the time, and 0.75 that is: 0.25 off, up and down.
    samples = [(0.25, True), (0.25, False), (0.75, True), (0.75, False)]

    assert ece(samples) == pytest.approx(0.25)


@given(SAMPLES)
def test_figures_survive_being_stored(samples):
    found = reliability(samples)

    assert Reliability.from_dict(found.as_dict()) == found
