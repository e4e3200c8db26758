"""What is under a legal hold is not deleted until the hold is released."""

import threading
from datetime import timedelta

import pytest
import time_machine
from django.db import connection, transaction
from django.utils import timezone

from tests.privacy.test_deletions import a_verified_run, deleted
from verifyhub.audit.models import AuditEvent
from verifyhub.common.retention import apply_retentions
from verifyhub.events.models import Event, EventType
from verifyhub.events.services import publish
from verifyhub.ingest.models import Interaction
from verifyhub.memory.models import MemoryEntry, Sighting
from verifyhub.privacy.deletions import (
    DeletionRefusedError,
    open_deletion,
    open_due_retentions,
    open_old_deletion,
    run_deletion,
    set_retention,
)
from verifyhub.privacy.holds import (
    HoldRefusedError,
    place_hold,
    read_holds,
    release_hold,
)
from verifyhub.privacy.models import Deletion, LegalHold

API, PAGE = "/api/v1/legal-holds/", "/p/acme/settings/data/"
Kind, Held = Deletion.Kind, LegalHold.Kind


def held(project, kind, target, actor) -> LegalHold:
    return place_hold(
        project=project, kind=kind, target=target, reason="Case 7", actor=actor
    )


def test_what_is_held_cannot_be_deleted_and_can_once_it_is_released(project, lead):
    a_verified_run(project)
    hold = held(project, Held.SESSION, "s-1", lead)

    with pytest.raises(DeletionRefusedError, match="held"):
        open_deletion(project=project, kind=Kind.SESSION, target="s-1", actor=lead)
    release_hold(hold=hold, actor=lead)
    done = deleted(project, Kind.SESSION, "s-1", lead)

    assert done.deleted["runs"] == 1
    placed = AuditEvent.objects.get(action="privacy.hold_placed")
    assert placed.after["reason"] == "Case 7"
    assert AuditEvent.objects.filter(action="privacy.hold_released").exists()


@pytest.mark.parametrize(
    ("kind", "target"), [(Held.RUN, None), (Held.SESSION, "s-1"), (Held.PROJECT, "")]
)
def test_a_deletion_of_more_leaves_the_held_runs_and_says_how_many(
    project, lead, kind, target
):
    kept = a_verified_run(project, agent="coder")
    a_verified_run(project, session="s-2", agent="coder", mark="Other")
    asked = open_deletion(project=project, kind=Kind.AGENT, target="coder", actor=lead)
    held(project, kind, target if target is not None else str(kept.id), lead)

    run_deletion(deletion_id=asked.id)

    asked.refresh_from_db()
    whole = kind == Held.PROJECT
    assert asked.held == (2 if whole else 1)
    assert asked.expected.get("runs", 0) == (0 if whole else 1)
    assert MemoryEntry.objects.filter(interaction_id=kept.id).exists()


def test_memory_of_a_session_stays_with_its_held_run(project, lead):
    kept = a_verified_run(project, agent="first")
    a_verified_run(project, agent="second", mark="Other")
    held(project, Held.AGENT, "first", lead)

    done = deleted(project, Kind.SESSION, "s-1", lead)

    assert (done.held, done.deleted["runs"]) == (1, 1)
    assert Interaction.objects.get() == kept
    assert Interaction.objects.get().session.key == "s-1"


def test_retention_passes_over_what_is_held(project, lead):
    kept = a_verified_run(project)
    gone = a_verified_run(project, session="s-2", mark="Other")
    long_ago = timezone.now() - timedelta(days=100)
    Interaction.objects.update(created_at=long_ago)
    MemoryEntry.objects.update(updated_at=long_ago)
    days = {"run_days": 30, "trace_days": 30, "memory_days": 30}
    set_retention(project=project, days=days, actor=lead)
    held(project, Held.RUN, str(kept.id), lead)

    assert open_due_retentions(now=timezone.now()) == 1
    run_deletion(deletion_id=Deletion.objects.get().id)

    assert Interaction.objects.get() == kept
    assert not Interaction.objects.filter(pk=gone.pk).exists()
    assert MemoryEntry.objects.filter(interaction_id=kept.id).exists()
    with pytest.raises(DeletionRefusedError, match="held"):
        open_old_deletion(project=project, kind=Kind.OLD_MEMORY, days=30, actor=lead)


def test_events_of_a_held_project_outlive_the_days_of_the_server(project, lead):
    row = a_verified_run(project)
    now = timezone.now()
    with time_machine.travel(now - timedelta(days=400), tick=False):
        told = publish(
            project=project,
            type=EventType.VERIFICATION_COMPLETED,
            data={},
            subject={"interaction": str(row.id)},
        )
    hold = held(project, Held.RUN, str(row.id), lead)

    apply_retentions(now=now)

    assert Event.objects.filter(pk=told.pk).exists()
    release_hold(hold=hold, actor=lead)
    apply_retentions(now=now)
    assert not Event.objects.filter(pk=told.pk).exists()


@pytest.mark.django_db(transaction=True)
def test_a_hold_waits_for_the_batch_that_is_being_deleted(project, lead):
    a_verified_run(project)
    placed = threading.Event()

    def place() -> None:
        held(project, Held.SESSION, "s-1", lead)
        placed.set()
        connection.close()

    other = threading.Thread(target=place)
    with transaction.atomic():
        assert read_holds(project) == []
        other.start()
        waited = not placed.wait(0.3)
    other.join(10)

    assert waited
    assert placed.is_set()


@pytest.mark.parametrize(
    ("kind", "target"),
    [(Held.RUN, "nowhere"), (Held.SESSION, "nowhere"), (Held.AGENT, "")],
)
def test_nothing_unknown_is_held(project, lead, kind, target):
    a_verified_run(project)

    with pytest.raises(HoldRefusedError, match="unknown"):
        held(project, kind, target, lead)


def test_people_place_and_release_a_hold(browse, lead, reviewer, project):
    a_verified_run(project)
    client = browse(lead)
    form = {"kind": "session", "target": "s-1", "reason": "<b>Case 7</b>"}

    placed = client.post(f"{PAGE}hold/", form, follow=True).content.decode()
    again = client.post(f"{PAGE}hold/", form)
    deletion = client.post(f"{PAGE}delete/", {"kind": "session", "target": "s-1"})
    hold = LegalHold.objects.get()
    refused = browse(reviewer).post(f"{PAGE}hold/{hold.id}/release/")
    released = client.post(f"{PAGE}hold/{hold.id}/release/", follow=True)

    assert "&lt;b&gt;Case 7" in placed
    assert "Release the hold" in placed
    assert again.status_code == deletion.status_code == 422
    assert "A legal hold keeps it." in deletion.content.decode()
    assert refused.status_code == 403
    assert "Released" in released.content.decode()
    assert "Release the hold" not in released.content.decode()


def test_programs_place_list_and_release_a_hold(api, project):
    a_verified_run(project)
    body = {"kind": "session", "target": "s-1", "reason": "Case 7"}

    placed = api.post(API, body, content_type="application/json")
    again = api.post(API, body, content_type="application/json")
    nameless = api.post(API, {"kind": "project"}, content_type="application/json")
    listed = api.get(API).json()["results"]
    one = f"{API}{placed.json()['id']}/release/"
    released, twice = api.post(one), api.post(one)

    assert (placed.status_code, again.status_code) == (201, 422)
    assert [error["field"] for error in nameless.json()["errors"]] == ["reason"]
    assert [row["reason"] for row in listed] == ["Case 7"]
    assert released.json()["released_at"]
    assert twice.status_code == 409


def test_a_held_old_run_keeps_what_memory_has_of_it(project, lead):
    now = timezone.now()
    with time_machine.travel(now - timedelta(days=40), tick=True):
        kept = a_verified_run(project)
        a_verified_run(project, session="s-2")
    held(project, Held.RUN, str(kept.id), lead)
    set_retention(project=project, days={"run_days": 30}, actor=lead)
    before = MemoryEntry.objects.filter(interaction_id=kept.id).count()

    open_due_retentions(now=now)
    run_deletion(deletion_id=Deletion.objects.get(kind=Kind.OLD_RUNS).id)

    assert Interaction.objects.get() == kept
    assert Sighting.objects.get().interaction_id == kept.id
    assert MemoryEntry.objects.filter(interaction_id=kept.id).count() == before
