"""A calibrator rises, stays within 0..1 and takes any number."""

from math import exp, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifyhub.engine.calibration.calibrator import Calibrator, CurveKind
from verifyhub.engine.errors import CalibrationError


def platt(a: float, b: float) -> Calibrator:
    return Calibrator(
        kind=CurveKind.PLATT, parameters={"a": a, "b": b}, version="platt 1"
    )


def isotonic(points: list[tuple[float, float]]) -> Calibrator:
    scores, values = zip(*points, strict=True)
    parameters = {"scores": sorted(scores), "values": sorted(values)}
    return Calibrator(
        kind=CurveKind.ISOTONIC, parameters=parameters, version="isotonic 1"
    )


UNIT = st.floats(0, 1)
ISOTONICS = st.builds(
    isotonic,
    st.lists(
        st.tuples(UNIT, UNIT), min_size=1, max_size=8, unique_by=lambda point: point[0]
    ),
)
PLATTS = st.builds(platt, st.floats(-1e6, 0), st.floats(-1e6, 1e6))
CURVES = PLATTS | ISOTONICS


def test_platt_is_the_sigmoid_as_printed():
    assert platt(-2.5, 0.5).apply(0.8) == pytest.approx(1 / (1 + exp(-2.5 * 0.8 + 0.5)))


def test_isotonic_runs_straight_between_its_points_and_level_outside():
    curve = Calibrator(
        kind=CurveKind.ISOTONIC,
        parameters={"scores": [0.2, 0.6], "values": [0.1, 0.9]},
        version="isotonic 1",
    )

    assert [curve.apply(at) for at in (0, 0.2, 0.4, 0.6, 1)] == pytest.approx(
        [0.1, 0.1, 0.5, 0.9, 0.9]
    )


@given(CURVES, UNIT, UNIT)
def test_a_higher_score_never_has_a_lower_probability(curve, one, other):
    low, high = sorted((one, other))

    assert 0 <= curve.lowest <= curve.apply(low) <= curve.apply(high) <= curve.highest
    assert curve.highest <= 1


@given(CURVES, st.floats(allow_nan=True, allow_infinity=True))
def test_any_number_is_taken(curve, score):
    assert curve.lowest <= curve.apply(score) <= curve.highest


@given(CURVES)
def test_what_is_no_number_speaks_for_nothing(curve):
    assert curve.apply(nan) == curve.lowest


@pytest.mark.parametrize(
    ("kind", "parameters"),
    [
        (CurveKind.PLATT, {"a": 0.5, "b": 0.0}),
        (CurveKind.PLATT, {"a": nan, "b": 0.0}),
        (CurveKind.PLATT, {"a": -1.0}),
        (CurveKind.PLATT, {"a": "-1", "b": 0.0}),
        (CurveKind.ISOTONIC, {"scores": [], "values": []}),
        (CurveKind.ISOTONIC, {"scores": [0.1, 0.2], "values": [0.5]}),
        (CurveKind.ISOTONIC, {"scores": [0.1, 0.2], "values": [0.5, 0.4]}),
        (CurveKind.ISOTONIC, {"scores": [0.2, 0.2], "values": [0.4, 0.5]}),
        (CurveKind.ISOTONIC, {"scores": [0.1, 0.2], "values": [0.5, 1.1]}),
        (CurveKind.ISOTONIC, {"scores": [nan], "values": [0.5]}),
    ],
)
def test_a_curve_that_falls_or_lacks_something_is_refused(kind, parameters):
    with pytest.raises(CalibrationError):
        Calibrator(kind=kind, parameters=parameters, version="1")
