"""What people and checks teach reaches the next answers, measured as a whole."""

import argparse

import pytest

from bench.loop import ALL, NONE, Mechanisms, Tally, measure

pytestmark = pytest.mark.django_db

RATES = argparse.Namespace(
    sessions=8, subtasks=8, invents=0.3, obeys=0.9, seed=3, preset="balanced"
)


def worked_through(mechanisms: Mechanisms) -> Tally:
    return measure(mechanisms, RATES)


@pytest.fixture(scope="module")
def rows(django_db_setup, django_db_blocker) -> dict[str, Tally]:
    """Both rows everything is compared with; neither leaves anything behind."""
    with django_db_blocker.unblock():
        return {"without": worked_through(NONE), "with": worked_through(ALL)}


def share(tally: Tally) -> float:
    return tally.share(tally.final)


def test_fewer_final_answers_hold_an_invented_name_than_without(rows):
    assert 0.2 < share(rows["without"]) < 0.4
    assert share(rows["with"]) < 0.05
    assert rows["with"].passed == 0


def test_an_answer_without_invented_names_is_never_flagged(rows):
    assert rows["with"].honest > 50
    assert rows["with"].honest_flagged == 0


@pytest.mark.deep
@pytest.mark.parametrize(
    "alone",
    [
        Mechanisms(
            session_memory=False,
            corrections=False,
            constraints=False,
            guard=False,
            reviewers=False,
        ),
        Mechanisms(
            retry=False,
            session_memory=False,
            corrections=False,
            constraints=False,
            reviewers=False,
        ),
        Mechanisms(retry=False, guard=False),
    ],
    ids=["retry", "guard", "memory"],
)
def test_each_part_helps_by_itself(rows, alone):
    assert share(worked_through(alone)) < share(rows["without"])
