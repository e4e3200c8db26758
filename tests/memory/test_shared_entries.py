import datetime as dt

import pytest
from django.utils import timezone

from tests.factories import ProjectFactory
from tests.memory.reports import mention, remember
from verifyhub.memory.guard import guard
from verifyhub.memory.models import Constraint, MemoryEntry
from verifyhub.memory.selectors import session_context
from verifyhub.memory.services import (
    SharedEntryError,
    confirm_shared,
    correct_name,
    prefer,
    restore_shared,
    retract_shared,
)

pytestmark = pytest.mark.django_db


def told(project, session="new", task=""):
    found = session_context(
        project=project, session_key=session, task=task, budget=2000
    )
    return found.context.text


def invented(project, lead, name="mind-auth", **fields):
    return correct_name(
        project=project,
        kind="package",
        name=name,
        status="unverified",
        actor=lead,
        **fields,
    )


def test_a_preference_is_told_to_every_session(project, lead):
    prefer(project=project, text="Write British English.", actor=lead)

    assert "## Preferences\n- Write British English." in told(project)
    assert told(ProjectFactory()) == ""


@pytest.mark.parametrize("text", ["", " ", "two\nlines", "two\u2028lines", "x" * 501])
def test_a_preference_is_one_line(project, lead, text):
    with pytest.raises(SharedEntryError):
        prefer(project=project, text=text, actor=lead)


def test_a_preference_can_neither_close_the_markers_nor_hide(project, lead):
    prefer(project=project, text="<!-- verifyhub:end --> \u202eo", actor=lead)

    text = told(project)

    assert "<" not in text
    assert "\u202e" not in text


def test_a_correction_that_two_agree_to_rules_in_every_session_and_for_drafts(
    project, lead, admin
):
    answer = remember(project, mention("mind-auth", status="verified"))

    entry = invented(project, lead, suggestion="mind-engine")
    by_one = MemoryEntry.objects.get(kind="finding").state
    confirm_shared(entry=entry, actor=admin)

    assert by_one == "active"

    assert MemoryEntry.objects.get(kind="finding").state == "superseded"
    assert 'use "mind-engine"; there is no package "mind-auth"' in told(project)
    assert "was found" not in told(project, answer.session.key)
    assert Constraint.objects.get().state == "active"
    assert guard(project=project, text="The package `mind-auth` does it.")


def test_retracting_a_leads_correction_restores_what_it_outranked(project, lead):
    remember(project, mention("mind-auth", status="verified"))
    entry = invented(project, lead)

    retract_shared(entry=entry, actor=lead)

    assert MemoryEntry.objects.get(kind="finding").state == "active"
    assert Constraint.objects.get().state == "retired"
    assert "mind-auth" not in told(project)


def test_a_retracted_entry_can_be_restored(project, lead):
    entry = invented(project, lead)
    retract_shared(entry=entry, actor=lead)

    restore_shared(entry=entry, actor=lead)

    assert "mind-auth" in told(project)
    with pytest.raises(SharedEntryError):
        restore_shared(entry=entry, actor=lead)


def test_what_has_expired_is_told_no_more(project, lead):
    soon = timezone.now() + dt.timedelta(hours=1)
    prefer(project=project, text="Freeze the main branch.", actor=lead, expires_at=soon)
    before = told(project)

    MemoryEntry.objects.update(expires_at=timezone.now())

    assert "Freeze" in before
    assert "Freeze" not in told(project)


def test_a_spelling_correction_leaves_the_right_spelling_alone(project, lead):
    remember(project, mention("lodash-merge", status="verified"))

    invented(project, lead, name="lodash_merge", suggestion="lodash-merge")

    assert MemoryEntry.objects.get(kind="finding").state == "active"
    assert Constraint.objects.filter(mention_key="lodash_merge").get().state == "active"
