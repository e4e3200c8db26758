"""What is stored is deleted from everywhere, with a report, and can be stopped."""

from datetime import timedelta

import time_machine
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.builders import a_read, an_interaction
from tests.factories import ConstraintFactory
from tests.ingest.otlp.spans import a_span
from tests.ingest.otlp.test_dialects import openinference
from tests.stored import verify_stored
from verifyhub.audit.models import AuditEvent
from verifyhub.events.models import Event, EventType, WebhookDelivery
from verifyhub.events.services import WebhookValues, add_webhook, publish
from verifyhub.ingest.formats.native import parse_interaction
from verifyhub.ingest.models import Interaction, OtlpTrace, Session
from verifyhub.ingest.services import record_interaction
from verifyhub.ingest.trace_reading import read_trace
from verifyhub.ingest.trace_services import receive_spans
from verifyhub.memory.models import Constraint, MemoryEntry
from verifyhub.memory.services import forget
from verifyhub.privacy import deletions
from verifyhub.privacy.deletions import (
    confirm_deletion,
    open_deletion,
    open_due_retentions,
    run_deletion,
    set_retention,
    stop_deletion,
)
from verifyhub.privacy.models import Deletion
from verifyhub.review.decide import override_verdict
from verifyhub.review.models import ReviewItem
from verifyhub.verification.models import Verdict

API, PAGE = "/api/v1/deletions/", "/p/acme/settings/data/"
Kind, State = Deletion.Kind, Deletion.State
MARK = "Zyxwvuts"


def a_verified_run(project, *, session="s-1", agent="coder", mark=MARK):
    run = parse_interaction(
        {
            "task": f"Where is {mark}?",
            "answer": f"`{mark.lower()}_parser.py` and `pricing.py` hold it.",
            "session": session,
            "agent": {"name": agent},
            "goal": f"Find {mark}.",
            "tool_calls": [
                {
                    "tool": "Read",
                    "input": {"file_path": "pricing.py"},
                    "output": f"pricing.py\n{mark} = 1\n",
                }
            ],
        }
    )
    return verify_stored(project, run).interaction


def left_of(word: str) -> dict[str, int]:
    """Rows of each table in which a word stands, whatever the case; not the audit."""
    found = {}
    for model in apps.get_models():
        table = model._meta.db_table
        if not model.__module__.startswith("verifyhub") or table.startswith("audit"):
            continue
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT count(*) FROM {table} AS t WHERE to_jsonb(t)::text ILIKE %s",  # noqa: S608
                [f"%{word}%"],
            )
            if count := cursor.fetchone()[0]:
                found[table] = count
    return found


def deleted(project, kind, target, actor) -> Deletion:
    row = open_deletion(project=project, kind=kind, target=target, actor=actor)
    assert run_deletion(deletion_id=row.id)
    row.refresh_from_db()
    assert row.state == State.COUNTED
    confirm_deletion(deletion=row, actor=actor)
    assert run_deletion(deletion_id=row.id)
    row.refresh_from_db()
    return row


def test_counting_deletes_nothing_and_what_goes_is_what_was_counted(project, lead):
    row = a_verified_run(project)
    a_verified_run(project, session="s-2", mark="Other")

    asked = open_deletion(project=project, kind=Kind.SESSION, target="s-1", actor=lead)
    run_deletion(deletion_id=asked.id)
    asked.refresh_from_db()
    assert asked.state == State.COUNTED
    assert asked.expected["runs"] == 1
    assert asked.expected["verdicts"] == 1
    assert Interaction.objects.filter(pk=row.pk).exists()
    assert Session.objects.count() == 2

    confirm_deletion(deletion=asked, actor=lead)
    run_deletion(deletion_id=asked.id)
    asked.refresh_from_db()

    assert (asked.state, asked.target) == (State.FINISHED, "")
    assert asked.deleted == asked.expected
    assert Interaction.objects.get().session.key == "s-2"


def test_nothing_of_a_deleted_run_is_left_anywhere(project, lead, reviewer):
    row = a_verified_run(project)
    a_verified_run(project, session="s-2", mark="Other")
    item = ReviewItem.objects.get(interaction=row)
    override_verdict(
        item=item,
        verdict=Verdict.ACCEPT,
        reason=f"{MARK} is right.",
        reviewer=reviewer,
        version=item.version,
    )
    assert {"ingest_interaction", "review_override"} <= left_of(MARK).keys()

    done = deleted(project, Kind.RUN, str(row.id), lead)

    assert done.state == State.FINISHED
    assert left_of(MARK) == {}
    assert left_of(str(row.id)) == {}
    assert left_of("Other")
    traces = AuditEvent.objects.filter(action="privacy.deleted")
    assert traces.get().after["deleted"]["runs"] == 1
    assert MARK not in str(traces.get().after)


def test_memory_that_stood_on_it_alone_goes_and_other_stays(project, lead):
    row = a_verified_run(project)
    a_verified_run(project, session="s-2", mark="Other")
    own = MemoryEntry.objects.filter(interaction_id=row.id)
    assert own.exists()
    kept = ConstraintFactory(
        project=project, mention_kind="file", mention_key="kept.py", pinned=True
    )

    deleted(project, Kind.SESSION, "s-1", lead)

    assert not own.exists()
    assert MemoryEntry.objects.exists()
    assert Constraint.objects.filter(pk=kept.pk).exists()
    assert not Constraint.objects.filter(mention_key__icontains=MARK).exists()


def test_all_runs_of_an_agent_go(project, lead):
    for number in range(3):
        a_verified_run(project, session=f"s-{number}", agent="gone")
    a_verified_run(project, session="s-0", agent="stays", mark="Other")

    done = deleted(project, Kind.AGENT, "gone", lead)

    assert done.deleted["runs"] == 3
    assert Interaction.objects.get().agent_name == "stays"


def test_queries_of_a_batch_do_not_grow_with_its_runs(project, lead):
    asked = []
    for agent, count in (("small", 2), ("large", 8)):
        for number in range(count):
            a_verified_run(project, agent=agent, mark=f"{agent.title()}{number}")
        row = open_deletion(project=project, kind=Kind.AGENT, target=agent, actor=lead)
        with CaptureQueriesContext(connection) as queries:
            run_deletion(deletion_id=row.id)
        asked.append(len(queries))

    assert asked[1] <= asked[0]


def test_a_person_is_found_in_what_tools_returned_packed_or_not(project, lead):
    texts = ["mail JANE@example.org", "x = 1\n" * 500 + "jane@example.org", "nobody"]
    for number, text in enumerate(texts):
        run = an_interaction("Done.", a_read("a.py", text), id=f"run-{number}")
        record_interaction(project=project, api_key=None, interaction=run)

    done = deleted(project, Kind.PERSON, "Jane@Example.org", lead)

    assert (done.looked_at, done.deleted["runs"]) == (3, 2)
    assert Interaction.objects.get().client_id == "run-2"


def test_of_a_person_who_is_named_nowhere_no_name_is_kept(project, lead):
    a_verified_run(project)
    row = open_deletion(project=project, kind=Kind.PERSON, target="Nobody", actor=lead)

    run_deletion(deletion_id=row.id)

    row.refresh_from_db()
    assert (row.state, row.target, row.expected) == (State.FINISHED, "", {})
    assert Interaction.objects.exists()


def test_a_trace_goes_with_the_run_that_was_made_of_it(project, lead):
    receive_spans(project=project, api_key=None, spans=openinference())
    receive_spans(project=project, api_key=None, spans=[a_span(9, trace_id="f" * 32)])
    trace = OtlpTrace.objects.exclude(trace_id="f" * 32).get()
    OtlpTrace.objects.update(next_at=None)
    read_trace(trace_id=trace.id)

    done = deleted(project, Kind.RUN, str(Interaction.objects.get().id), lead)

    assert done.deleted["traces"] == 1
    assert OtlpTrace.objects.get().trace_id == "f" * 32


def test_a_deletion_is_stopped_between_two_batches(project, lead, monkeypatch):
    monkeypatch.setattr(deletions, "BATCH", 1)
    monkeypatch.setattr(deletions, "TURN_SECONDS", 0.0)
    for number in range(4):
        a_verified_run(project, session=f"s-{number}", agent="gone")
    row = open_deletion(project=project, kind=Kind.AGENT, target="gone", actor=lead)
    while row.state != State.COUNTED:
        run_deletion(deletion_id=row.id)
        row.refresh_from_db()
    confirm_deletion(deletion=row, actor=lead)
    run_deletion(deletion_id=row.id)

    row.refresh_from_db()
    stop_deletion(deletion=row, actor=lead)

    assert not run_deletion(deletion_id=row.id)
    assert Interaction.objects.count() == 3
    row.refresh_from_db()
    assert (row.state, row.target) == (State.STOPPED, "")
    assert row.deleted["runs"] == 1


def test_old_runs_go_once_a_day_where_a_project_says_so(project, lead):
    old = a_verified_run(project)
    young = a_verified_run(project, session="s-2", mark="Other")
    now = timezone.now()
    Interaction.objects.filter(pk=old.pk).update(created_at=now - timedelta(days=40))
    assert open_due_retentions(now=now) == 0
    days = {"run_days": 30, "trace_days": None, "memory_days": None}
    set_retention(project=project, days=days, actor=lead)

    assert open_due_retentions(now=now) == 1
    run_deletion(deletion_id=Deletion.objects.get().id)

    assert Interaction.objects.get() == young
    assert Deletion.objects.get().state == State.FINISHED
    assert open_due_retentions(now=now) == 0
    assert open_due_retentions(now=now + timedelta(days=2)) == 1


def test_a_name_of_many_old_runs_is_settled_once_before_they_go(
    project, lead, monkeypatch
):
    monkeypatch.setattr(deletions, "OLD_RUNS_BATCH", 2)
    now = timezone.now()
    with time_machine.travel(now - timedelta(days=40), tick=True):
        for number in range(6):
            a_verified_run(project, session=f"s-{number}")
        a_verified_run(project, session="s-7", mark="Alone")
    a_verified_run(project, session="s-8")
    set_retention(project=project, days={"run_days": 30}, actor=lead)
    open_due_retentions(now=now)

    with CaptureQueriesContext(connection) as queries:
        run_deletion(deletion_id=Deletion.objects.get(kind=Kind.OLD_RUNS).id)

    done = Deletion.objects.get(kind=Kind.OLD_RUNS)
    assert done.state == State.FINISHED
    assert (done.deleted["runs"], done.deleted["sightings"]) == (7, 7)
    assert MemoryEntry.objects.filter(session__key="s-8").exists()
    assert left_of("Alone").keys() <= {"events_event", "metrics_dayname"}
    name = Constraint.objects.get(mention_key=f"{MARK.lower()}_parser.py")
    assert (name.interaction_count, name.session_count) == (1, 1)
    settled = [one for one in queries if '"memory_constraint" AS old' in one["sql"]]
    assert len(settled) == 1


def test_a_usual_name_loses_its_old_runs_a_few_at_a_time(project, lead, monkeypatch):
    monkeypatch.setattr(forget, "MOST_ROWS", 2)
    now = timezone.now()
    with time_machine.travel(now - timedelta(days=40), tick=True):
        for number in range(5):
            a_verified_run(project, session=f"s-{number}")
    a_verified_run(project, session="s-8")
    taught = MemoryEntry.objects.exclude(session__key="s-8").count()
    set_retention(project=project, days={"run_days": 30}, actor=lead)
    open_due_retentions(now=now)

    with CaptureQueriesContext(connection) as queries:
        run_deletion(deletion_id=Deletion.objects.get(kind=Kind.OLD_RUNS).id)

    done = Deletion.objects.get(kind=Kind.OLD_RUNS)
    assert done.state == State.FINISHED
    assert (done.deleted["sightings"], done.deleted["entries"]) == (5, taught)
    name = Constraint.objects.get(mention_key=f"{MARK.lower()}_parser.py")
    assert (name.interaction_count, name.session_count) == (1, 1)
    deleting = [one["sql"] for one in queries if one["sql"].startswith("DELETE")]
    for table in ("memory_sighting", "memory_memoryentry"):
        assert sum(table in one for one in deleting) >= 3


def test_old_memory_goes_but_what_people_decided(project, lead):
    a_verified_run(project)
    kept = ConstraintFactory(
        project=project, mention_kind="file", mention_key="kept.py", pinned=True
    )
    long_ago = timezone.now() - timedelta(days=100)
    MemoryEntry.objects.update(updated_at=long_ago)
    Constraint.objects.update(last_seen_at=long_ago)
    days = {"run_days": None, "trace_days": None, "memory_days": 90}
    set_retention(project=project, days=days, actor=lead)

    open_due_retentions(now=timezone.now())
    run_deletion(deletion_id=Deletion.objects.get().id)

    assert not MemoryEntry.objects.exists()
    assert Constraint.objects.get() == kept
    assert Interaction.objects.exists()


def test_old_events_go_with_their_deliveries_where_a_project_says_so(project, lead):
    values = WebhookValues(name="ci", url="https://ci.example.com/hook")
    endpoint, _ = add_webhook(project=project, values=values, actor=None)
    now = timezone.now()
    told = []
    for days in (40, 20):
        with time_machine.travel(now - timedelta(days=days), tick=False):
            event = publish(
                project=project,
                type=EventType.VERIFICATION_COMPLETED,
                data={},
                subject={"interaction": "gone"},
            )
        told.append(event)
        WebhookDelivery.objects.create(
            project=project,
            endpoint=endpoint,
            event_id=event.id,
            event_type=event.type,
            position=days,
            next_at=now,
        )
    set_retention(project=project, days={"event_days": 30}, actor=lead)

    assert open_due_retentions(now=timezone.now()) == 1
    run_deletion(deletion_id=Deletion.objects.get().id)

    done = Deletion.objects.get()
    assert (done.state, done.deleted["events"]) == (State.FINISHED, 1)
    assert done.deleted["deliveries"] == 1
    assert Event.objects.get(type=told[1].type) == told[1]
    assert WebhookDelivery.objects.get().event_id == told[1].id


def test_many_old_events_go_by_few_statements(project, lead):
    for _ in range(60):
        with time_machine.travel(timezone.now() - timedelta(days=40)):
            publish(
                project=project,
                type=EventType.VERIFICATION_COMPLETED,
                data={},
                subject={"interaction": "gone"},
            )
    set_retention(project=project, days={"event_days": 30}, actor=lead)
    open_due_retentions(now=timezone.now())

    with CaptureQueriesContext(connection) as queries:
        run_deletion(deletion_id=Deletion.objects.get().id)

    assert Deletion.objects.get().deleted == {"events": 60}
    # A batch, and one that finds nothing left.
    assert sum("events_forget" in one["sql"] for one in queries) == 2


def test_people_count_confirm_and_read_the_report(browse, lead, project):
    a_verified_run(project)
    client = browse(lead)

    asked = client.post(
        f"{PAGE}delete/", {"kind": "session", "target": "s-1"}, follow=True
    )
    row = Deletion.objects.get()
    run_deletion(deletion_id=row.id)
    counted = client.get(f"{PAGE}{row.id}/").content.decode()
    client.post(f"{PAGE}{row.id}/confirm/")
    run_deletion(deletion_id=row.id)
    report = client.get(f"{PAGE}{row.id}/").content.decode()

    assert "Waiting for a worker" in asked.content.decode()
    assert "Delete for good" in counted
    assert "Finished" in report
    assert "Tool calls" in report
    assert not Interaction.objects.exists()


def test_people_set_retention_and_see_what_it_would_delete(browse, lead, project):
    row = a_verified_run(project)
    Interaction.objects.filter(pk=row.pk).update(
        created_at=timezone.now() - timedelta(days=40)
    )
    client = browse(lead)
    client.post(PAGE, {"run_days": "30", "count": "1"})
    asked = Deletion.objects.get()
    run_deletion(deletion_id=asked.id)
    asked.refresh_from_db()

    saved = client.post(PAGE, {"run_days": "30"}, follow=True).content.decode()

    assert asked.expected["runs"] == 1
    assert Interaction.objects.exists()
    assert "Saved." in saved
    assert 'value="30"' in saved


def test_nothing_unknown_is_deleted_and_reviewers_delete_nothing(
    browse, lead, reviewer, project
):
    form = {"kind": "session", "target": "nowhere"}

    assert browse(lead).post(f"{PAGE}delete/", form).status_code == 422
    assert browse(reviewer).post(f"{PAGE}delete/", form).status_code == 403
    assert not Deletion.objects.exists()


def test_programs_delete_as_people_do(api, project):
    a_verified_run(project)
    body = {"kind": "session", "target": "s-1"}
    asked = api.post(API, body, content_type="application/json")
    one = f"{API}{asked.json()['id']}/"
    assert api.post(f"{one}confirm/").status_code == 409
    run_deletion(deletion_id=asked.json()["id"])

    counted = api.get(one).json()
    confirmed = api.post(f"{one}confirm/").json()
    stopped = api.post(f"{one}stop/").json()

    assert asked.status_code == 202
    assert (counted["state"], counted["expected"]["runs"]) == ("counted", 1)
    assert (confirmed["state"], stopped["state"]) == ("pending", "stopped")
    assert Interaction.objects.exists()
    days = {"run_days": 365, "output_days": 30, "trace_days": None}
    days |= {"memory_days": 90, "event_days": 7}
    put = api.put("/api/v1/retention/", days, content_type="application/json")
    assert put.json() == api.get("/api/v1/retention/").json() == days
