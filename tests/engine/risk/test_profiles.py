"""What each level of risk is worth, and a project's own values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifyhub.engine.errors import ProfileError
from verifyhub.engine.layer_results import LayerName, RiskLevel
from verifyhub.engine.risk.profiles import PROFILES, read_profiles


def test_the_published_profiles():
    assert [
        (
            str(level),
            len(one.layers),
            one.floor,
            one.latency_seconds,
            one.microdollars,
        )
        for level, one in PROFILES.items()
    ] == [
        ("low", 1, 0.7, 2.0, 1_000),
        ("medium", 2, 0.8, 5.0, 10_000),
        ("high", 4, 0.9, 10.0, 50_000),
        ("critical", 5, 0.95, 30.0, 100_000),
    ]
    assert LayerName.NLI not in PROFILES[RiskLevel.HIGH].layers


def test_what_a_project_does_not_name_stays_as_it_is():
    found = read_profiles({"high": {"floor": 0.85, "layers": ["nli", "multi_source"]}})

    assert found[RiskLevel.LOW] == PROFILES[RiskLevel.LOW]
    high = found[RiskLevel.HIGH]
    assert (high.floor, high.microdollars) == (0.85, 50_000)
    assert high.layers == (LayerName.MULTI_SOURCE, LayerName.NLI)


@pytest.mark.parametrize(
    ("own", "field"),
    [
        ([], ""),
        ({"extreme": {}}, "extreme"),
        ({"low": []}, "low"),
        ({"low": {"flor": 1}}, "low.flor"),
        ({"low": {"floor": 1.1}}, "low.floor"),
        ({"low": {"floor": "0.5"}}, "low.floor"),
        ({"low": {"floor": True}}, "low.floor"),
        ({"low": {"floor": float("nan")}}, "low.floor"),
        ({"low": {"latency_seconds": 0}}, "low.latency_seconds"),
        ({"low": {"latency_seconds": 1e9}}, "low.latency_seconds"),
        ({"low": {"microdollars": 0.5}}, "low.microdollars"),
        ({"low": {"microdollars": -1}}, "low.microdollars"),
        ({"low": {"layers": []}}, "low.layers"),
        ({"low": {"layers": "nli"}}, "low.layers"),
        ({"low": {"layers": ["nly"]}}, "low.layers"),
        ({"low": {"layers": [["nli"]]}}, "low.layers"),
    ],
)
def test_what_cannot_be_used_is_refused_by_its_field(own, field):
    with pytest.raises(ProfileError) as caught:
        read_profiles(own)

    assert list(caught.value.errors) == [field]


def test_every_wrong_field_is_named():
    with pytest.raises(ProfileError) as caught:
        read_profiles({"low": {"floor": 2}, "high": {"layers": 1, "microdollars": "x"}})

    assert set(caught.value.errors) == {
        "low.floor",
        "high.layers",
        "high.microdollars",
    }


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=5),
        lambda one: st.lists(one) | st.dictionaries(st.text(max_size=5), one),
        max_leaves=5,
    )
)
def test_nothing_else_comes_of_anything(own):
    try:
        found = read_profiles({"low": own})
    except ProfileError:
        return
    assert set(found) == set(RiskLevel)
