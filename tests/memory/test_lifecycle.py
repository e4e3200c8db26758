"""A constraint's life: candidate, shadow, active, retired."""

import datetime as dt
from uuid import uuid4

import pytest

from tests.factories import (
    ApiKeyFactory,
    ConstraintFactory,
    SessionFactory,
)
from tests.memory.reports import NOW, mention, recur, remember, say
from verifyhub.audit.selectors import history
from verifyhub.memory.models import Constraint, Sighting
from verifyhub.memory.selectors import session_context
from verifyhub.memory.services import end_shadows, undo_effects

pytestmark = pytest.mark.django_db

DAY = dt.timedelta(days=1)


@pytest.fixture
def measured(project):
    """A project with the shadow that projects have unless they choose another."""
    project.thresholds = {}
    project.save()
    return project


def told(project):
    found = session_context(project=project, session_key="next", task="", budget=4000)
    return found.context.text


def state():
    return Constraint.objects.get().state


def test_a_name_that_meets_the_rule_is_measured_before_it_is_told(measured):
    for _ in range(3):
        remember(measured, mention("mind-auth"))

    constraint = Constraint.objects.get()
    assert (constraint.state, constraint.shadow_at) == ("shadow", NOW)
    assert (constraint.key_count, constraint.session_count) == (3, 3)
    assert "mind-auth" not in told(measured)


def test_it_is_told_once_it_has_been_measured_for_long_enough(measured):
    for _ in range(3):
        remember(measured, mention("mind-auth"))

    end_shadows(now=NOW + DAY - dt.timedelta(seconds=1))
    early = state()
    end_shadows(now=NOW + DAY)

    constraint = Constraint.objects.get()
    assert (early, constraint.state) == ("shadow", "active")
    assert constraint.active_at == NOW + DAY
    assert "mind-auth" in told(measured)
    actions = [event.action for event in history(constraint, project_id=measured.id)]
    assert actions == ["memory.constraint_activated", "memory.constraint_shadowed"]


def test_a_name_found_in_shadow_is_never_told(measured):
    for _ in range(3):
        remember(measured, mention("mind-auth"))

    remember(measured, mention("mind-auth", status="verified"))
    end_shadows(now=NOW + 9 * DAY)

    assert state() == "retired"


def test_the_word_of_two_people_needs_neither_rule_nor_shadow(measured, reviewer, lead):
    answer = remember(measured, mention("mind-auth"))

    say(answer, "mind-auth", "unverified", reviewer)
    by_one = state()
    say(answer, "mind-auth", "unverified", lead)

    assert (by_one, state()) == ("candidate", "active")


def test_undo_leads_back_into_the_shadow_that_was_left(measured, reviewer):
    answers = [remember(measured, mention("mind-auth")) for _ in range(3)]
    before = Constraint.objects.values("state", "origin", "shadow_at").get()

    invented = say(answers[0], "mind-auth", "unverified", reviewer)
    right = say(answers[1], "mind-auth", "verified", reviewer)
    assert state() == "retired"
    undo_effects(effects=invented, actor=reviewer)
    assert state() == "retired"
    undo_effects(effects=right, actor=reviewer)
    # The fixed moments of these answers are long past: the shadow is over by now.
    after = Constraint.objects.values("state", "origin", "shadow_at").get()

    assert after == before | {"state": "active"}


def test_a_thousand_runs_of_one_key_block_no_real_package(project):
    key = ApiKeyFactory(project=project)
    sessions = [SessionFactory(project=project) for _ in range(50)]
    remember(project, mention("requests"), key=key, session=sessions[0])
    Sighting.objects.bulk_create(
        Sighting(
            project=project,
            constraint=Constraint.objects.get(),
            session=sessions[number % 50],
            api_key=key,
            interaction_id=uuid4(),
            seen_at=NOW + dt.timedelta(minutes=number),
        )
        for number in range(998)
    )
    Constraint.objects.update(interaction_count=999, session_count=50)
    remember(project, mention("requests"), key=key, session=sessions[1])

    end_shadows(now=NOW + 90 * DAY)

    constraint = Constraint.objects.get()
    assert (constraint.state, constraint.key_count) == ("candidate", 1)
    assert constraint.interaction_count == 1000
    assert "requests" not in told(project)


def test_evidence_no_agent_can_write_cancels_what_a_reviewer_confirmed(
    project, reviewer
):
    say(remember(project, mention("mind-auth")), "mind-auth", "unverified", reviewer)

    remember(project, mention("mind-auth", status="verified"))
    by_an_agents_trace = state()
    remember(project, mention("mind-auth", status="verified") | {"grade": "B"})

    assert (by_an_agents_trace, state()) == ("active", "retired")


def test_what_is_in_force_stays_when_the_shadow_is_made_longer(project):
    recur(project, 3)
    project.thresholds = {"shadow_hours": 900_000, "leaving_shadow": "lead"}
    project.save()

    remember(project, mention("mind-auth"), days=1)

    assert state() == "active"


def test_constraints_from_before_keys_counted_must_meet_the_rule_now(project):
    key = ApiKeyFactory(project=project)
    for _ in range(3):
        remember(project, mention("requests"), key=key)
    Constraint.objects.update(state="active")

    end_shadows(now=NOW)

    assert state() == "candidate"


def test_a_pinned_constraint_is_left_alone(project):
    ConstraintFactory(project=project, state="active", pinned=True)

    end_shadows(now=NOW)

    assert state() == "active"


def test_shadows_of_many_names_end_in_batches(measured, monkeypatch):
    monkeypatch.setattr("verifyhub.memory.services.shadows.BATCH", 2)
    for _ in range(3):
        remember(measured, *(mention(f"package-{number}") for number in range(5)))

    assert end_shadows(now=NOW + DAY) == 5
    assert set(Constraint.objects.values_list("state", flat=True)) == {"active"}
