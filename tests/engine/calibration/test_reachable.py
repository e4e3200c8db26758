"""A profile that no text can pass is refused, with the arithmetic."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifyhub.engine.calibration.calibrator import Calibrator, CurveKind
from verifyhub.engine.calibration.reachable import reach

FOUR = ("semantic_entropy", "fact_decomposition", "multi_source", "self_consistency")
FIVE = (*FOUR, "nli")
# The start values that E7 names; they stand here and nowhere in the product.
SOURCE = {
    "semantic_entropy": (-2.5, 0.5),
    "fact_decomposition": (-3.0, 0.3),
    "multi_source": (-2.0, 0.4),
    "self_consistency": (-2.8, 0.35),
    "nli": (-2.2, 0.45),
}


@dataclass(frozen=True)
class AProfile:
    layers: tuple[str, ...]
    floor: float


def source_calibrators() -> dict[str, Calibrator]:
    return {
        layer: Calibrator(
            kind=CurveKind.PLATT, parameters={"a": a, "b": b}, version="0"
        )
        for layer, (a, b) in SOURCE.items()
    }


def test_the_sources_highest_outputs_by_number():
    highest = {name: one.highest for name, one in source_calibrators().items()}

    assert highest == pytest.approx(
        {
            "semantic_entropy": 0.8808,
            "fact_decomposition": 0.9370,
            "multi_source": 0.8320,
            "self_consistency": 0.9206,
            "nli": 0.8520,
        },
        abs=5e-5,
    )


@pytest.mark.parametrize(
    ("layers", "floor", "best"), [(FOUR, 0.9, 0.8926), (FIVE, 0.95, 0.8845)]
)
def test_the_source_makes_high_and_critical_impossible(layers, floor, best):
    profile = AProfile(layers, floor)

    assert reach(profile, source_calibrators()).mean == pytest.approx(best, abs=5e-5)
    said = reach(profile, source_calibrators()).objection
    assert f"below the floor {floor}" in said
    assert "semantic entropy 0.8807" in said


@pytest.mark.parametrize(("layers", "floor"), [(FOUR[:1], 0.7), (FOUR[:2], 0.8)])
def test_the_source_leaves_low_and_medium_possible(layers, floor):
    assert reach(AProfile(layers, floor), source_calibrators()).objection is None


@pytest.mark.parametrize("floor", [0.7, 0.95, 1.0])
def test_uncalibrated_layers_make_nothing_impossible(floor):
    assert reach(AProfile(FIVE, floor), {}).objection is None


def test_a_mean_just_below_the_floor_does_not_read_as_the_floor():
    curve = Calibrator(
        kind=CurveKind.ISOTONIC,
        parameters={"scores": [0.0], "values": [0.89999]},
        version="1",
    )

    said = reach(AProfile(("nli",), 0.9), {"nli": curve}).objection

    assert "mean is 0.8999, below the floor 0.9." in said


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=5),
    st.floats(0, 1),
)
def test_it_objects_exactly_where_full_scores_stay_below_the_floor(values, floor):
    names = FIVE[: len(values)]
    curves = {
        name: Calibrator(
            kind=CurveKind.ISOTONIC,
            parameters={"scores": [0.5], "values": [value]},
            version="1",
        )
        for name, value in zip(names, values, strict=True)
    }
    mean = sum(curve.apply(1.0) for curve in curves.values()) / len(values)

    said = reach(AProfile(names, floor), curves).objection

    if abs(mean - floor) > 1e-6:
        assert bool(said) == (mean < floor)
