"""What becomes of constraints is told in the transaction that does it."""

import pytest

from tests.factories import ConstraintFactory
from tests.memory.reports import recur
from verifyhub.events.models import Event
from verifyhub.memory.models import Constraint
from verifyhub.memory.services import (
    merge_constraint,
    pin_constraint,
    reword_constraint,
    split_constraint,
    suggest_name,
)
from verifyhub.memory.services import retire_constraint as retire

pytestmark = pytest.mark.django_db


def told():
    rows = Event.objects.filter(type__startswith="constraint.")
    return list(rows.order_by("created_at"))


def types():
    return [one.type for one in told()]


def test_a_name_that_recurs_is_told_when_it_comes_into_force(project):
    recur(project, 3)

    event = told()[-1]

    assert event.type == "constraint.activated"
    assert event.data["constraint"]["name"] == "mind-auth"
    assert event.data["constraint"]["state"] == "active"
    assert event.data["before"] == {"state": "candidate"}
    assert event.data["by"] is None
    assert event.subject == {"constraint": str(Constraint.objects.get().id)}


def test_a_name_that_is_measured_first_is_told_as_shadowed(project):
    project.thresholds = {"shadow_hours": 24}
    project.save()
    recur(project, 3)

    assert types() == ["constraint.shadowed"]


def test_a_lead_pins_and_retires(project, lead):
    constraint = ConstraintFactory(project=project, state="candidate")
    pin_constraint(constraint=constraint, actor=lead)
    retire(constraint=constraint, actor=lead, reason="Ours.")

    assert types() == ["constraint.activated", "constraint.retired"]
    assert told()[-1].data["constraint"]["reason"] == "Ours."
    assert told()[-1].data["by"] == "lead"


def test_other_words_are_told_with_the_former_ones(project, lead):
    constraint = ConstraintFactory(
        project=project,
        mention_kind="package",
        text="mind-auth",
        mention_key="mind-auth",
    )
    reword_constraint(constraint=constraint, text="mind.auth", actor=lead)
    suggest_name(constraint=constraint, suggestion="mind-core", actor=lead)

    assert types() == ["constraint.changed"] * 2
    assert told()[0].data["before"] == {"text": "mind-auth"}
    assert told()[1].data["constraint"]["suggestion"] == "mind-core"


def test_a_merge_and_a_split_name_both(project, lead):
    one = ConstraintFactory(project=project)
    other = ConstraintFactory(project=project, mention_kind=one.mention_kind)
    merge_constraint(constraint=one, into=other, actor=lead)
    one.refresh_from_db()
    split_constraint(constraint=one, actor=lead)

    merged, split = (
        Event.objects.get(type="constraint.merged"),
        Event.objects.get(type="constraint.split"),
    )
    assert merged.subject == {"constraint": str(one.id), "other": str(other.id)}
    assert split.data["other"]["name"] == other.text
