"""Revoking a key takes back what its answers taught the project."""

import pytest

from tests.factories import ApiKeyFactory
from tests.memory.reports import mention, recur, remember, say
from verifyhub.accounts.services import revoke_api_key
from verifyhub.audit.models import AuditEvent
from verifyhub.memory.models import Constraint, KeyForgetting, Sighting
from verifyhub.memory.services import (
    forget_keys,
    pin_constraint,
)

pytestmark = pytest.mark.django_db


def in_force(project):
    """A constraint that two keys made: one twice, another once."""
    bad, good = ApiKeyFactory(project=project), ApiKeyFactory(project=project)
    for key in (bad, bad, good):
        remember(project, mention("requests"), key=key)
    return bad, good


def test_its_sightings_stop_counting_at_once(project, admin):
    bad, _ = in_force(project)
    before = Constraint.objects.get().state

    revoke_api_key(key=bad, actor=admin)

    constraint = Constraint.objects.get()
    assert (before, constraint.state) == ("active", "candidate")
    assert (constraint.interaction_count, constraint.key_count) == (1, 1)
    assert AuditEvent.objects.filter(action="memory.constraint_withdrawn").exists()
    forgotten = AuditEvent.objects.get(action="memory.key_forgotten")
    assert forgotten.after == {"constraints": 1, "sightings": 2}


def test_answers_that_arrive_late_from_it_do_not_count_either(project, admin):
    bad, _ = in_force(project)
    revoke_api_key(key=bad, actor=admin)

    for _ in range(3):
        remember(project, mention("requests"), key=bad)

    assert Constraint.objects.get().state == "candidate"
    assert Sighting.objects.filter(api_key=bad, counts=True).count() == 0


def test_a_name_that_only_its_answers_showed_is_not_found_any_more(project, admin):
    liar = ApiKeyFactory(project=project)
    remember(project, mention("mind-auth", status="verified"), key=liar)
    recur(project, 3)
    before = Constraint.objects.get().state

    revoke_api_key(key=liar, actor=admin)

    assert (before, Constraint.objects.get().state) == ("retired", "active")


def test_a_correction_that_only_its_answers_contradicted_applies_to_every_spelling(
    project, admin, reviewer
):
    liar = ApiKeyFactory(project=project)
    remember(project, mention("mind-auth", status="verified"), key=liar)
    answer = remember(project, mention("mind-auth"))
    recur(project, 2)
    remember(project, mention("mind_auth"))
    say(answer, "mind-auth", "unverified", reviewer)
    before = set(Constraint.objects.values_list("origin", flat=True))

    revoke_api_key(key=liar, actor=admin)

    rows = Constraint.objects.values_list("mention_key", "state", "origin")
    assert before == {"recurrence"}
    assert set(rows) == {
        ("mind-auth", "active", "reviewer"),
        ("mind_auth", "active", "reviewer"),
    }


def test_a_leads_pin_outlasts_the_key(project, admin, lead):
    bad, _ = in_force(project)
    pin_constraint(constraint=Constraint.objects.get(), actor=lead)

    revoke_api_key(key=bad, actor=admin)

    assert Constraint.objects.get().state == "active"


def test_another_projects_constraints_are_left_alone(project, admin, outsider):
    bad, _ = in_force(project)
    theirs = outsider.memberships.get().project
    remember(theirs, mention("requests"))

    revoke_api_key(key=bad, actor=admin)

    assert Constraint.objects.get(project=theirs).interaction_count == 1


def test_a_key_of_many_names_is_forgotten_in_batches(project, admin, monkeypatch):
    monkeypatch.setattr("verifyhub.memory.services.revoked_keys.BATCH", 2)
    key = ApiKeyFactory(project=project)
    remember(project, *(mention(f"package-{n}") for n in range(5)), key=key)

    revoke_api_key(key=key, actor=admin)
    first = Sighting.objects.filter(counts=False).count()
    batches = forget_keys()

    assert (first, batches) == (2, 2)
    assert Sighting.objects.filter(counts=True).count() == 0
    assert set(Constraint.objects.values_list("state", flat=True)) == {"retired"}
    assert KeyForgetting.objects.get().finished_at is not None
    assert forget_keys() == 0
