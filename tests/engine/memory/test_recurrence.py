import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifyhub.engine.memory.recurrence import Seen, recurs, standing
from verifyhub.engine.thresholds import Thresholds

START = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
RULE = Thresholds()


def seen(interaction: str, session: str | None, day: float = 0) -> Seen:
    return Seen(
        interaction=interaction, session=session, at=START + dt.timedelta(days=day)
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
    assert recurs([seen(*sighting) for sighting in sightings], RULE) is expected


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

    assert recurs(shuffled, RULE) == recurs(given_sightings, RULE)


@given(sightings, sightings)
def test_more_sightings_never_take_recurrence_away(first, more):
    assert not recurs(first, RULE) or recurs([*first, *more], RULE)


@pytest.mark.parametrize(
    ("word", "found", "supported", "recurring", "expected"),
    [
        ("unverified", True, False, False, ("active", "reviewer")),
        ("verified", False, True, True, ("retired", "recurrence")),
        (None, True, True, True, ("retired", "recurrence")),
        (None, False, True, True, ("active", "recurrence")),
        (None, False, True, False, ("candidate", "recurrence")),
        (None, False, False, False, ("retired", "recurrence")),
    ],
)
def test_people_outrank_evidence_and_evidence_outranks_recurrence(
    word, found, supported, recurring, expected
):
    result = standing(word=word, found=found, supported=supported, recurring=recurring)

    assert (result.state, result.origin) == expected
