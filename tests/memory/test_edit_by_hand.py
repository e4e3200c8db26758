import pytest

from tests.factories import ConstraintFactory
from tests.memory.reports import mention, recur, remember, say
from verifyhub.audit.models import AuditEvent
from verifyhub.memory.models import Constraint, MemoryEntry
from verifyhub.memory.services import (
    ConstraintChangedError,
    EntryNotRetractableError,
    SuggestionError,
    pin_constraint,
    restore_constraint,
    restore_entry,
    retire_constraint,
    retract_entry,
    suggest_name,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("act", [pin_constraint, retire_constraint, restore_constraint])
def test_of_two_leads_the_second_is_told(project, lead, act):
    first = ConstraintFactory(project=project, pinned=True)
    stale = Constraint.objects.get()
    act(constraint=first, actor=lead)
    Constraint.objects.update(state="candidate")

    with pytest.raises(ConstraintChangedError):
        act(constraint=stale, actor=lead)


def test_a_stale_suggestion_is_refused(project, lead):
    constraint = ConstraintFactory(project=project)
    stale = Constraint.objects.get()
    suggest_name(constraint=constraint, suggestion="mind-engine", actor=lead)

    with pytest.raises(ConstraintChangedError):
        suggest_name(constraint=stale, suggestion="mind-core", actor=lead)


def test_a_suggestion_of_two_lines_is_refused(project, lead):
    with pytest.raises(SuggestionError):
        suggest_name(
            constraint=ConstraintFactory(project=project),
            suggestion="mind\u2028engine",
            actor=lead,
        )


def test_a_retired_constraint_stays_retired_whatever_recurs(project, lead):
    remember(project, mention("mind-auth"))
    retire_constraint(constraint=Constraint.objects.get(), actor=lead, reason="Ours.")

    recur(project, 5)

    constraint = Constraint.objects.get()
    assert (constraint.state, constraint.retired_reason) == ("retired", "Ours.")
    assert constraint.interaction_count == 6


def test_a_pinned_constraint_stays_whatever_is_found(project, lead):
    remember(project, mention("mind-auth"))
    pin_constraint(constraint=Constraint.objects.get(), actor=lead)

    remember(project, mention("mind-auth", status="verified"))

    assert Constraint.objects.get().state == Constraint.State.ACTIVE


def test_restoring_asks_the_evidence_again(project, lead):
    recur(project, 3)
    constraint = Constraint.objects.get()
    retire_constraint(constraint=constraint, actor=lead)

    restore_constraint(constraint=constraint, actor=lead)

    assert (constraint.state, constraint.origin) == ("active", "recurrence")


def test_a_correction_cannot_be_retracted_past_the_reviewer(project, lead, reviewer):
    say(remember(project, mention("mind-auth")), "mind-auth", "verified", reviewer)

    with pytest.raises(EntryNotRetractableError):
        retract_entry(entry=MemoryEntry.objects.get(kind="correction"), actor=lead)


def test_an_entry_is_retracted_once(project, lead):
    remember(project, mention("mind-auth"))
    entry = MemoryEntry.objects.get()
    retract_entry(entry=entry, actor=lead)

    with pytest.raises(EntryNotRetractableError):
        retract_entry(entry=entry, actor=lead)


def test_only_a_retracted_entry_is_restored(project, lead):
    remember(project, mention("mind-auth"))

    with pytest.raises(EntryNotRetractableError):
        restore_entry(entry=MemoryEntry.objects.get(), actor=lead)


def test_a_retracted_finding_cancels_no_constraint(project, lead):
    found = remember(project, mention("mind-auth", status="verified"))
    recur(project, 3)

    entry = MemoryEntry.objects.get(interaction_id=found.id)
    retract_entry(entry=entry, actor=lead)

    assert Constraint.objects.get().state == Constraint.State.ACTIVE


@pytest.mark.parametrize(
    ("act", "action"),
    [
        (pin_constraint, "memory.constraint_pinned"),
        (retire_constraint, "memory.constraint_retired"),
        (restore_constraint, "memory.constraint_restored"),
    ],
)
def test_acts_on_constraints_are_audited(project, lead, act, action):
    constraint = ConstraintFactory(project=project, pinned=True)

    act(constraint=constraint, actor=lead)

    event = AuditEvent.objects.get(action=action)
    assert (event.actor, event.object_id) == (lead, str(constraint.id))
