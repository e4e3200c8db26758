import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifyhub.engine.memory.lifecycle import UnsupportedUse, recurred_at
from verifyhub.engine.thresholds import Thresholds

START = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
RULE = Thresholds()


def seen(
    interaction: str, session: str | None, day: float = 0, key: str | None = "own"
) -> UnsupportedUse:
    """A sighting; unless told otherwise, of an answer with a key of its own."""
    return UnsupportedUse(
        interaction=interaction,
        session=session,
        key=f"key of {interaction}" if key == "own" else key,
        at=START + dt.timedelta(days=day),
    )


@pytest.mark.parametrize(
    ("sightings", "expected"),
    [
        ([], False),
        ([("a", "s1", 0), ("b", "s2", 0)], False),
        ([("a", "s1", 0), ("b", "s2", 0), ("c", "s2", 0)], True),
        ([("a", "s1", 0), ("b", "s1", 0), ("c", "s1", 0)], False),
        ([("a", "s1", 0), ("a", "s2", 0), ("b", "s2", 0)], False),
        ([("a", "s1", 0), ("b", "s2", 15), ("c", "s2", 30)], True),
        ([("a", "s1", 0), ("b", "s2", 15), ("c", "s2", 30.1)], False),
        ([("a", None, 0), ("b", None, 0), ("c", "s1", 0)], False),
        ([("a", None, 0), ("b", "s2", 0), ("c", "s1", 0)], True),
    ],
)
def test_recurrence_needs_enough_answers_of_enough_sessions(sightings, expected):
    assert (recurred_at([seen(*s) for s in sightings], RULE) is not None) is expected


sightings = st.lists(
    st.builds(
        seen,
        st.sampled_from("abcdef"),
        st.sampled_from(["s1", "s2", None]),
        st.integers(0, 90),
    ),
    max_size=12,
)


@given(sightings, st.randoms())
def test_the_order_of_sightings_does_not_matter(given_sightings, random):
    shuffled = random.sample(given_sightings, len(given_sightings))

    assert recurred_at(shuffled, RULE) == recurred_at(given_sightings, RULE)


@given(sightings, sightings)
def test_more_sightings_never_take_recurrence_away(first, more):
    before, after = recurred_at(first, RULE), recurred_at([*first, *more], RULE)

    assert before is None or (after is not None and after <= before)


def test_one_key_alone_never_makes_a_constraint():
    flood = [seen(f"run-{n}", f"s{n}", n / 1000, key="k1") for n in range(1000)]

    assert recurred_at(flood, RULE) is None
    assert recurred_at([*flood, seen("b", "s0", 1, key="k2")], RULE) is not None


def test_answers_that_no_key_sent_are_no_second_key():
    flood = [
        seen("a", "s1", key="k1"),
        seen("b", "s2", key=None),
        seen("c", "s3", key=None),
    ]

    assert recurred_at(flood, RULE) is None


def test_the_rule_is_met_with_the_sighting_that_completes_it():
    sightings = [
        seen("a", "s1", 0),
        seen("b", "s2", 1),
        seen("c", "s3", 2),
        seen("d", "s4", 3),
    ]

    assert recurred_at(sightings, RULE) == START + dt.timedelta(days=2)
