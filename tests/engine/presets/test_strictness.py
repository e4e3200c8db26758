import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import a_tool_call, an_interaction, verify
from verifyhub.engine.presets.strictness import (
    PRESETS,
    Strictness,
    apply_strictness,
)
from verifyhub.engine.reports import Verdict
from verifyhub.engine.thresholds import SendsBack, Thresholds

STRICT, BALANCED, LENIENT, SOURCE = Strictness
SHARE = st.floats(0, 1)


def thresholds(**values):
    return Thresholds.with_overrides(values)


def test_balanced_is_what_the_project_has_set():
    own = thresholds(retry_above_unverified=7, reformulate_below_confidence=0.1)

    assert apply_strictness(own, BALANCED) == own


@given(names=st.integers(0, 20), low=SHARE, high=SHARE, whole=SHARE)
def test_strict_never_loosens_and_lenient_never_tightens(names, low, high, whole):
    own = thresholds(
        retry_above_unverified=names,
        reformulate_below_confidence=low,
        uncertain_below_confidence=high,
        follow_up_below_completeness=whole,
    )

    strict, lenient = (apply_strictness(own, preset) for preset in (STRICT, LENIENT))

    assert strict.retry_above_unverified <= names <= lenient.retry_above_unverified
    for name in (
        "reformulate_below_confidence",
        "uncertain_below_confidence",
        "follow_up_below_completeness",
    ):
        assert getattr(lenient, name) <= getattr(own, name) <= getattr(strict, name)


@pytest.mark.parametrize("preset", [STRICT, LENIENT])
def test_a_preset_moves_the_defaults_to_its_row(preset):
    moved = apply_strictness(Thresholds(), preset)

    assert {name: getattr(moved, name) for name in PRESETS[preset]} == PRESETS[preset]


def test_one_invented_name_is_tolerated_by_the_milder_presets_alone():
    run = an_interaction(
        "See `a.py`, `b.py`, `c.py` and `ghost.py`.",
        a_tool_call("list", output="a.py\nb.py\nc.py\n"),
    )

    verdicts = {
        preset: verify(run, thresholds=apply_strictness(Thresholds(), preset)).verdict
        for preset in Strictness
    }

    assert verdicts == {
        STRICT: Verdict.REJECT,
        BALANCED: Verdict.REJECT,
        LENIENT: Verdict.UNCERTAIN,
        SOURCE: Verdict.UNCERTAIN,
    }


@pytest.mark.parametrize(
    ("own", "strict", "lenient"),
    [
        ("always", "always", "when_in_doubt"),
        ("when_in_doubt", "always", "when_in_doubt"),
        ("never", "never", "never"),
    ],
)
def test_presets_move_the_cascade(own, strict, lenient):
    asks = thresholds(ask_models=own)

    assert apply_strictness(asks, STRICT).ask_models == strict
    assert apply_strictness(asks, LENIENT).ask_models == lenient


@pytest.mark.parametrize(
    ("own", "strict", "lenient", "source"),
    [
        ("source", "doubtful", "source", "source"),
        ("untrue", "doubtful", "untrue", "source"),
        ("wrong", "doubtful", "untrue", "source"),
        ("doubtful", "doubtful", "untrue", "source"),
    ],
)
def test_presets_move_what_is_sent_back(own, strict, lenient, source):
    sends = thresholds(sends_back=own)

    moved = [apply_strictness(sends, preset) for preset in (STRICT, LENIENT, SOURCE)]

    assert [one.sends_back for one in moved] == [strict, lenient, source]


def test_each_choice_sends_back_what_the_one_before_does():
    values = list(SendsBack)

    assert [value.covers(SendsBack.WRONG) for value in values] == [
        False,
        False,
        True,
        True,
    ]
