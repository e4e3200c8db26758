import threading
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from tests.factories import ProjectFactory
from verifyhub.accounts.models import Project
from verifyhub.audit import sealing, verifying
from verifyhub.audit.models import AuditEvent, AuditSeal
from verifyhub.audit.sealing import seal_events
from verifyhub.audit.services import record_event
from verifyhub.audit.verifying import verify_chain
from verifyhub.events.models import Event
from verifyhub.events.services import publish_audit_head

pytestmark = pytest.mark.django_db


def act(project: Project, number: int = 0) -> AuditEvent:
    return record_event(
        "tests.done", project, None, after={"number": number, "text": "a “quoted” word"}
    )


@pytest.fixture
def sealed(project: Project, monkeypatch: pytest.MonkeyPatch) -> list[AuditEvent]:
    """Seven acts in seals of three."""
    monkeypatch.setattr(sealing, "BATCH", 3)
    acts = [act(project, number) for number in range(7)]
    seal_events()
    return acts


def forge(statement: str, *values: object) -> None:
    """Do what only the owner of the database can, who may switch triggers off."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(statement, values)
        cursor.execute("SET LOCAL session_replication_role = origin")


def test_what_nobody_touched_is_whole(sealed):
    found = verify_chain()

    assert found.problems == []
    assert (found.events, found.seals, found.waiting) == (7, 3, 0)
    assert verify_chain(known_head=str(AuditSeal.objects.get(number=2))).problems == []


def test_events_of_small_seals_are_read_together(project, monkeypatch):
    monkeypatch.setattr(sealing, "BATCH", 1)
    acts = [act(project, number) for number in range(7)]
    seal_events()
    forge("DELETE FROM audit_auditevent WHERE id = %s", acts[4].id)
    with CaptureQueriesContext(connection) as together:
        found = verify_chain()
    monkeypatch.setattr(verifying, "READ", 2)
    with CaptureQueriesContext(connection) as apart:
        assert verify_chain() == found

    assert found.problems == [f"Event {acts[4].id} was removed."]
    assert len(apart) - len(together) == 3


def test_unsealed_events_are_found_by_a_join(sealed, project):
    """A list too large for memory is read anew for each row: hours at a million."""
    act(project)
    with CaptureQueriesContext(connection) as seen:
        seal_events()
        verify_chain()
    searches = [one["sql"] for one in seen if "unnest(event_ids)" in one["sql"]]

    for search in searches:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN {search}")
            plan = str(cursor.fetchall())
        assert "SubPlan" not in plan, plan
    assert len(searches) == 2


def test_a_changed_row_is_found_and_named_alone(sealed):
    forge(
        "UPDATE audit_auditevent SET actor_name = %s WHERE id = %s", "x", sealed[2].id
    )

    (problem,) = verify_chain().problems

    assert f"Event {sealed[2].id} (tests.done of" in problem
    assert "was changed" in problem


def test_a_removed_row_is_found(sealed):
    forge("DELETE FROM audit_auditevent WHERE id = %s", sealed[4].id)

    assert verify_chain().problems == [f"Event {sealed[4].id} was removed."]


def test_a_row_inserted_among_older_ones_is_found(sealed):
    forge(
        "UPDATE audit_auditseal SET sealed_at = now() - interval '2 minutes',"
        " next_transaction = 0"
    )
    act(ProjectFactory())
    seal_events()
    forge(
        "INSERT INTO audit_auditevent (id, created_at, actor_name, action, object_type,"
        " object_id, before, after) VALUES (%s, now(), 'x', 'y', 'z', '1', '{}', '{}')",
        sealed[0].id - 1,
    )
    seal_events()

    assert verify_chain().problems == [
        f"Event {sealed[0].id - 1} was inserted between older events."
    ]


def test_a_chain_made_anew_does_not_lead_through_a_head_that_was_kept(
    sealed,
):
    kept = str(AuditSeal.objects.order_by("-number")[0])
    forge("UPDATE audit_auditevent SET action = 'x' WHERE id = %s", sealed[0].id)
    forge("DELETE FROM audit_auditseal")
    seal_events()

    assert verify_chain().problems == []
    assert verify_chain(known_head=kept).problems == [
        f"The chain does not contain the head {kept}."
    ]


def test_seals_that_were_cut_out_are_found(sealed):
    forge("DELETE FROM audit_auditseal WHERE number = 2")

    assert "Seals 2 to 2 are gone." in verify_chain().problems


def test_each_act_is_sealed_once_however_often_it_is_looked(sealed, project):
    for number in range(5):
        act(project, number)
        seal_events()
        seal_events()

    assert verify_chain().events == AuditEvent.objects.count() == 12


def test_what_was_settled_is_not_looked_at_again(sealed, project, monkeypatch):
    monkeypatch.setattr(sealing, "SETTLED_AFTER", -timedelta(minutes=1))
    monkeypatch.setattr(sealing, "LONG_LOOK", 1)
    forge("UPDATE audit_auditseal SET next_transaction = 0")

    assert seal_events() == 0

    last = AuditSeal.objects.order_by("-number")[0]
    assert (last.event_ids, last.settled) == ([], 3)
    act(project)
    assert seal_events() == 1
    assert verify_chain().problems == []


@pytest.mark.django_db(transaction=True)
def test_an_act_that_commits_late_is_sealed_after_those_with_higher_ids(project):
    begun, may_end = threading.Event(), threading.Event()

    def late() -> None:
        try:
            with transaction.atomic():
                act(project, 1)
                begun.set()
                may_end.wait(10)
        finally:
            connection.close()

    thread = threading.Thread(target=late)
    thread.start()
    begun.wait(10)
    act(project, 2)
    seal_events()
    may_end.set()
    thread.join()
    seal_events()

    ids = [
        one for seal in AuditSeal.objects.order_by("number") for one in seal.event_ids
    ]
    assert ids == sorted(ids, reverse=True)
    assert verify_chain().problems == []


def test_the_head_reaches_receivers_of_events(sealed):
    publish_audit_head()

    told = Event.objects.get(type="audit.sealed").data

    head = f"{told['seal']}:{told['digest']}"
    assert verify_chain(known_head=head).problems == []


def test_seals_cannot_be_changed_by_the_program(sealed):
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        AuditSeal.objects.update(digests=b"")
