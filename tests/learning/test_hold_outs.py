"""A share of sessions is held out from one kind of feedback, and stays so."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.factories import ProjectFactory
from verifyhub.learning.holdouts import in_share, is_held_out
from verifyhub.learning.models import Arm, HoldOut

pytestmark = pytest.mark.django_db


def hold(project, share, kind="constraints") -> HoldOut:
    row, _ = HoldOut.objects.update_or_create(
        project=project, kind=kind, defaults={"share": share, "salt": "s" * 32}
    )
    return row


def sides(project, kind="constraints") -> list[bool]:
    return [
        is_held_out(project=project, session_key=f"session-{n}", kind=kind)
        for n in range(60)
    ]


def test_without_an_experiment_nobody_is_held_out(project):
    assert not any(sides(project))
    assert not Arm.objects.exists()


def test_a_session_keeps_its_side_when_the_share_changes(project):
    hold(project, 50)
    before = sides(project)

    hold(project, 1)

    assert sides(project) == before
    assert 10 < sum(before) < 50


def test_switching_off_ends_it_for_every_session(project):
    hold(project, 50)
    sides(project)

    hold(project, 0)

    assert not any(sides(project))


def test_kinds_are_held_out_independently(project):
    hold(project, 50)
    hold(project, 50, "findings")

    assert sides(project) != sides(project, "findings")


def test_another_project_is_not_touched(project):
    hold(project, 50)

    assert not any(sides(ProjectFactory()))


def test_no_session_is_never_held_out(project):
    hold(project, 50)

    assert not is_held_out(project=project, session_key="", kind="constraints")


@given(st.text(max_size=200), st.integers(0, 50), st.integers(0, 50))
def test_a_larger_share_holds_out_every_session_of_a_smaller_one(key, one, two):
    smaller, larger = (
        HoldOut(kind="gaps", salt="x", share=s) for s in sorted((one, two))
    )

    assert in_share(key, larger) or not in_share(key, smaller)
