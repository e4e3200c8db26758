import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifyhub.engine.synthesis.results import (
    SubtaskResult,
    known_gaps,
    partition,
    unconfirmed_numbers,
)

NAMES = ("a.py", "b.py", "c.py")


def a_result(**fields) -> SubtaskResult:
    return SubtaskResult(**{"task": "t", "answer": "a", "confidence": 0.9, **fields})


@pytest.mark.parametrize(
    ("fields", "reliable"),
    [
        ({"confidence": 0.5, "unverified": NAMES[:2]}, True),
        ({"confidence": 0.4999, "unverified": ()}, False),
        ({"confidence": 1.0, "unverified": NAMES}, False),
        ({"confidence": None}, False),
        ({"rejected": True}, False),
    ],
)
def test_where_reliable_ends(fields, reliable):
    groups = partition([a_result(**fields)])

    assert (len(groups.reliable), len(groups.uncertain)) == (reliable, not reliable)


@given(
    st.lists(
        st.builds(
            SubtaskResult,
            task=st.text(max_size=5),
            answer=st.text(max_size=5),
            confidence=st.none() | st.floats(0, 1),
            unverified=st.lists(st.text(max_size=3), max_size=5).map(tuple),
            rejected=st.booleans(),
        ),
        max_size=8,
    )
)
def test_every_result_is_in_exactly_one_group_in_order(results):
    groups = partition(results)

    assert len(groups.reliable) + len(groups.uncertain) == len(results)
    for group in (groups.reliable, groups.uncertain):
        places = [next(i for i, r in enumerate(results) if r is own) for own in group]
        assert places == sorted(places)
    assert all(r.confidence >= 0.5 for r in groups.reliable)


def test_a_gap_is_known_once_however_it_is_written():
    results = [
        a_result(gaps=("Error handling", "Limits")),
        a_result(gaps=("error  handling", "Units")),
    ]

    assert known_gaps(results) == ("Error handling", "Limits", "Units")


def test_whatever_number_no_evidence_bears_out_is_unconfirmed():
    answer = (
        "It retries 3 times. Requests time out after ninety seconds. All 5 tests pass."
        " It may take 7 days. One module, `part2.py`, does it."
    )

    assert unconfirmed_numbers(
        a_result(answer=answer, confirmed=("All 5 tests pass.",))
    ) == (
        "It retries 3 times.",
        "Requests time out after ninety seconds.",
        "It may take 7 days.",
    )
