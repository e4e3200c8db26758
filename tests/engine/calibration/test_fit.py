"""Platt's fit by number, isotonic fit, and the guards around both."""

import random
from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifyhub.engine.calibration.calibrator import CurveKind
from verifyhub.engine.calibration.fit import (
    ISOTONIC_FROM,
    MIN_SAMPLES,
    TooFewSamplesError,
    fit,
    fit_isotonic,
    fit_platt,
    missing,
)
from verifyhub.engine.errors import CalibrationError

# Fifteen answers, ten of them right.
FIXED = [
    (0.05, False),
    (0.1, False),
    (0.2, True),
    (0.3, False),
    (0.35, False),
    (0.4, True),
    (0.5, True),
    (0.55, False),
    (0.6, True),
    (0.7, True),
    (0.75, True),
    (0.8, True),
    (0.9, True),
    (0.95, True),
    (1.0, True),
]


def lin_lin_weng(samples):
    """The pseudocode of Lin, Lin and Weng 2007, appendix: Newton with backtracking."""
    prior1 = sum(label for _, label in samples)
    prior0 = len(samples) - prior1
    high, low = (prior1 + 1) / (prior1 + 2), 1 / (prior0 + 2)
    points = [(f, high if label else low) for f, label in samples]

    def value(a, b):
        total = 0.0
        for f, t in points:
            x = f * a + b
            total += (
                t * x + log(1 + exp(-x)) if x >= 0 else (t - 1) * x + log(1 + exp(x))
            )
        return total

    a, b = 0.0, log((prior0 + 1) / (prior1 + 1))
    now = value(a, b)
    for _ in range(100):
        h11 = h22 = 1e-12
        h21 = g1 = g2 = 0.0
        for f, t in points:
            p = 1 / (1 + exp(f * a + b))
            weight, off = p * (1 - p), t - p
            h11, h22, h21 = h11 + f * f * weight, h22 + weight, h21 + f * weight
            g1, g2 = g1 + f * off, g2 + off
        if abs(g1) < 1e-10 and abs(g2) < 1e-10:
            break
        det = h11 * h22 - h21 * h21
        da, db = -(h22 * g1 - h21 * g2) / det, -(-h21 * g1 + h11 * g2) / det
        slope, step = g1 * da + g2 * db, 1.0
        while step >= 1e-10:
            then = value(a + step * da, b + step * db)
            if then < now + 0.0001 * step * slope:
                break
            step /= 2
        a, b, now = a + step * da, b + step * db, then
    return a, b


def noisy(n, seed, *, curve=lambda score: score * score):
    """Scores that promise too much: right with a probability of their square."""
    dice = random.Random(seed)
    scores = [dice.random() for _ in range(n)]
    return scores, [dice.random() < curve(score) for score in scores]


def test_platt_is_fitted_as_the_published_pseudocode_does():
    curve = fit_platt(FIXED)

    a, b = lin_lin_weng(FIXED)
    assert curve.parameters == pytest.approx({"a": a, "b": b}, abs=1e-6)
    # By number, so that a slip in both is seen.
    assert (a, b) == pytest.approx((-4.372699, 1.483631), abs=1e-6)


def test_labels_are_smoothed_as_platt_prints_it():
    # Two scores, four right at 1 and three wrong at 0: the sigmoid meets both targets,
    # (4 + 1) / (4 + 2) and 1 / (3 + 2).
    curve = fit_platt([(1.0, True)] * 4 + [(0.0, False)] * 3)

    assert (curve.highest, curve.lowest) == pytest.approx((5 / 6, 1 / 5), abs=1e-6)


@given(
    st.lists(
        st.tuples(st.integers(0, 20).map(lambda at: at / 20), st.booleans()),
        min_size=4,
        max_size=60,
    ),
    st.randoms(),
)
def test_the_order_of_samples_does_not_matter(samples, shuffler: random.Random):
    samples += [(0.0, False), (1.0, True)]
    shuffled = list(samples)
    shuffler.shuffle(shuffled)

    for fitted in (fit_platt, fit_isotonic):
        try:
            expected = fitted(samples)
        except CalibrationError:
            with pytest.raises(CalibrationError):
                fitted(shuffled)
            continue
        assert fitted(shuffled) == expected


def test_a_curve_that_would_fall_is_refused():
    with pytest.raises(CalibrationError, match="falls"):
        fit_platt([(0.9, False)] * 30 + [(0.1, True)] * 30)


@pytest.mark.parametrize(
    "samples", [[(0.5, True), (0.5, False)], [(0.1, True), (0.9, True)]]
)
def test_nothing_to_fit_to_is_refused(samples):
    with pytest.raises(CalibrationError):
        fit_platt(samples)


def test_isotonic_is_never_certain():
    curve = fit_isotonic([(0.9, True)] * 50 + [(0.1, False)] * 48)

    assert (curve.lowest, curve.highest) == pytest.approx((0.01, 0.99))


def test_a_fit_brings_promises_nearer_to_the_truth():
    scores, labels = noisy(600, 1)

    found = fit(scores, labels, version="platt 1")

    assert found.refusal == ""
    assert found.calibrator.kind == CurveKind.PLATT
    assert found.calibrator.version == "platt 1"
    assert found.after.brier < found.before.brier
    assert found.after.ece < found.before.ece
    assert found.before.n == found.after.n == 200


def test_isotonic_competes_only_from_a_thousand_samples():
    def steps(score: float) -> float:
        return 0.1 if score < 0.7 else 0.2 if score < 0.8 else 0.95

    few = fit(*noisy(ISOTONIC_FROM - 1, 2, curve=steps), version="1")
    many = fit(*noisy(4 * ISOTONIC_FROM, 2, curve=steps), version="1")

    assert few.calibrator.kind == CurveKind.PLATT
    assert many.calibrator.kind == CurveKind.ISOTONIC
    assert many.calibrator.apply(0.3) == pytest.approx(0.1, abs=0.05)


def test_scores_that_are_right_already_are_left_alone():
    # One tenth of the scores each, and labels in exactly that share.
    tenth = [
        (at / 10 + 0.05, hit < at * 2 + 1) for hit in range(20) for at in range(10)
    ]
    scores, labels = zip(*(tenth * 3), strict=True)

    found = fit(scores, labels, version="1")

    assert found.refusal == "not_better"
    assert found.after.brier >= found.before.brier


def test_scores_that_mislead_are_refused():
    scores, labels = noisy(300, 3, curve=lambda score: 1 - score)

    found = fit(scores, labels, version="1")

    assert (found.refusal, found.calibrator, found.after) == ("falls", None, None)


def test_scores_that_say_nothing_are_refused_where_all_are_alike():
    labels = [number % 2 == 0 for number in range(200)]

    assert fit([0.9] * 200, labels, version="1").refusal == "falls"


@pytest.mark.parametrize(
    ("right", "wrong"), [(MIN_SAMPLES - 1, 0), (90, 9), (95, 19), (19, 400), (0, 0)]
)
def test_too_few_decisions_are_not_fitted_to(right, wrong):
    labels = [True] * right + [False] * wrong

    with pytest.raises(TooFewSamplesError) as refused:
        fit([0.5] * len(labels), labels, version="1")

    assert (refused.value.right, refused.value.wrong) == (right, wrong)
    assert missing(right, wrong).in_all > 0


def test_a_held_out_part_without_both_kinds_says_nothing():
    labels = [number % 2 == 0 for number in range(200)] + [True] * 100

    with pytest.raises(TooFewSamplesError, match="among the newest"):
        fit([0.5] * 300, labels, version="1")


def test_samples_of_one_answer_are_never_on_both_sides():
    scores, labels = noisy(300, 4)
    # The last answer of the older part goes on into the newest third.
    groups = [*range(200), *[199] * 50, *range(250, 300)]

    found = fit(scores, labels, version="1", groups=groups)

    assert found.before.n == 50


def test_a_score_that_is_none_is_refused():
    with pytest.raises(CalibrationError, match="not within"):
        fit([float("nan")] * 200, [True, False] * 100, version="1")


def test_twenty_thousand_samples_are_fitted():
    found = fit(*noisy(20_000, 5), version="1")

    assert found.refusal == ""
    assert found.after.ece < 0.05
