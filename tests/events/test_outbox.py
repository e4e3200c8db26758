"""Events commit with what they tell of, in an order that no reader can miss one of."""

import threading
from contextlib import closing
from datetime import datetime, timedelta
from uuid import uuid4

import psycopg
import pytest
import time_machine
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.databases import application_url
from tests.factories import ProjectFactory
from verifyhub.events.bounds import bounded
from verifyhub.events.catalogue import EventType
from verifyhub.events.models import Event
from verifyhub.events.selectors import events_after
from verifyhub.events.services import EVENT_RETENTION, forget_events, publish


def tell(project, name="x"):
    return publish(
        project=project,
        type=EventType.VERIFICATION_FAILED,
        data={"error": name},
        subject={"interaction": name},
    )


def names(project, after=0):
    return [one.data["error"] for one in events_after(project, after)]


class Teller(threading.Thread):
    """A transaction on a connection of its own that tells, then waits to commit."""

    def __init__(self, project, name):
        super().__init__(daemon=True)
        self.project, self.told = project, name
        self.has_told, self.may_commit = threading.Event(), threading.Event()

    def run(self):
        with closing(connection), transaction.atomic():
            tell(self.project, self.told)
            self.has_told.set()
            self.may_commit.wait(10)

    def commit(self):
        self.may_commit.set()
        self.join(10)
        assert not self.is_alive()


@pytest.mark.django_db(transaction=True)
def test_a_reader_misses_nothing_that_was_told_first_and_committed_last():
    project = ProjectFactory()
    slow = Teller(project, "told first")
    slow.start()
    assert slow.has_told.wait(10)
    quick = Teller(project, "told last")
    quick.start()
    assert quick.has_told.wait(10)
    quick.commit()
    first = list(events_after(project, 0))

    slow.commit()

    assert [one.data["error"] for one in first] == ["told last"]
    assert names(project, first[-1].position) == ["told first"]


@pytest.mark.django_db(transaction=True)
def test_many_at_once_are_each_read_once_in_a_rising_order():
    project = ProjectFactory()
    tellers = [Teller(project, str(number)) for number in range(6)]
    for one in tellers:
        one.may_commit.set()
        one.start()
    seen, after = [], 0
    while any(one.is_alive() for one in tellers) or len(seen) < len(tellers):
        for one in events_after(project, after):
            assert one.position > after
            after = one.position
            seen.append(one.data["error"])

    assert sorted(seen) == [str(number) for number in range(6)]


@pytest.mark.django_db(transaction=True)
def test_what_is_rolled_back_was_never_told():
    project = ProjectFactory()

    with transaction.atomic():
        tell(project)
        transaction.set_rollback(True)

    assert names(project) == []


@pytest.mark.django_db(transaction=True)
def test_two_of_one_transaction_keep_their_order():
    project = ProjectFactory()

    with transaction.atomic():
        tell(project, "first")
        tell(project, "second")

    assert names(project) == ["first", "second"]


def test_one_that_has_not_committed_has_no_position_yet(project, settle):
    tell(project)

    assert names(project) == []
    settle()
    assert names(project) == ["x"]


@pytest.mark.parametrize("change", ["update", "delete", "truncate", "move"])
def test_the_database_refuses_to_change_one(project, settle, change):
    tell(project)
    settle()
    statement = {
        "update": "UPDATE events_event SET type = 'another'",
        "delete": "DELETE FROM events_event",
        "truncate": "SET LOCAL verifyhub.truncate_audit = 'off'; TRUNCATE events_event",
        "move": "UPDATE events_event SET position = position + 1",
    }[change]

    with (
        pytest.raises(IntegrityError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


def test_old_ones_go_and_newer_ones_stay(project, settle, settings):
    settings.EVENT_DAYS = 3
    now = timezone.now()
    with time_machine.travel(now - timedelta(days=4), tick=False):
        tell(project, "old")
    tell(project, "new")
    settle()

    assert EVENT_RETENTION.apply(now=now - timedelta(days=2)) == 0
    assert EVENT_RETENTION.apply(now=now) == 1
    assert names(project) == ["new"]
    with pytest.raises(IntegrityError), transaction.atomic():
        Event.objects.all().delete()


@pytest.mark.django_db(transaction=True)
def test_a_server_adds_events_and_lets_go_the_old_ones_alone():
    project = ProjectFactory()
    with time_machine.travel(timezone.now() - timedelta(days=2), tick=False):
        tell(project, "old")
    told = tell(project, "new")
    added = uuid4()

    with psycopg.connect(application_url()) as server:
        server.execute(
            "INSERT INTO events_event"
            " (id, project_id, created_at, type, subject, data, data_packed)"
            " SELECT %s, project_id, now(), type, subject, data, data_packed"
            " FROM events_event WHERE id = %s",
            [added, told.id],
        )
        every = server.execute("SELECT array_agg(id) FROM events_event").fetchone()
        gone = server.execute("SELECT events_forget(%s)", every).fetchone()

    assert gone == (1,)
    assert names(project) == ["new", "new"]
    assert Event.objects.get(pk=added).position > Event.objects.get(pk=told.pk).position


MANY = """
INSERT INTO events_event (created_at, id, project_id, position, type, subject)
SELECT now(),
    (left(partitions_lowest_id(now())::text, 24) || lpad(n::text, 12, '0'))::uuid,
    %s, n, 'verification.completed',
    jsonb_build_object('interaction', gen_random_uuid())
FROM generate_series(1, 3000) AS n
"""


def test_what_was_told_of_a_run_is_found_without_reading_all_events(project):
    run = uuid4()
    with time_machine.travel(timezone.now() - timedelta(days=2)):
        told, other = tell(project, str(run)), tell(project, str(uuid4()))
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(MANY, [project.id])
        cursor.execute("SET LOCAL session_replication_role = origin")
        cursor.execute("ANALYZE events_event")

        with CaptureQueriesContext(connection) as asked:
            forget_events(project, [run])
        cursor.execute(f"EXPLAIN {asked[0]['sql']}")
        plan = "\n".join(row for (row,) in cursor.fetchall())

    assert "event_of_interaction" in plan
    left = Event.objects.filter(pk__in=[told.pk, other.pk])
    assert left.get() == other


def test_too_much_data_is_cut_and_says_so(project):
    told = publish(
        project=project,
        type=EventType.VERIFICATION_FAILED,
        data={"gaps": ["ж" * 3000] * 400, "verdict": "reject"},
        subject={},
    )

    assert told.data["is_cut"] is True
    assert told.data["verdict"] == "reject"
    assert len(told.data["gaps"]) > 1


def test_data_that_fits_is_left_alone():
    data = {"gaps": ["a"] * 100}

    assert bounded(data, most_bytes=1000) == data


def months_of_events(*ends: datetime) -> None:
    """Let the table of events have parts that end at some moments."""
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE events_event_first")
        begin = None
        for end in ends:
            cursor.execute("SELECT partitions_lowest_id(%s)", [end])
            (bound,) = cursor.fetchone()
            since = f"'{begin}'" if begin else "MINVALUE"
            cursor.execute(
                f"CREATE TABLE events_until_{end:%Y%m%d} PARTITION OF events_event"
                f" FOR VALUES FROM ({since}) TO ('{bound}')"
            )
            begin = bound


def test_a_month_whose_events_are_all_old_is_dropped_whole(project, settle, settings):
    settings.EVENT_DAYS = 3
    other_project = ProjectFactory(slug="other")
    now = timezone.now()
    months_of_events(now - timedelta(days=20), now - timedelta(days=5), now)
    for days, name in ((30, "oldest"), (6, "old"), (4, "late"), (1, "new")):
        with time_machine.travel(now - timedelta(days=days), tick=False):
            tell(project, name)
            tell(other_project, name)
    settle()

    assert EVENT_RETENTION.apply(now=now, held_projects=[other_project.id]) == 3
    assert names(other_project) == ["oldest", "old", "late", "new"]

    assert EVENT_RETENTION.apply(now=now) == 1

    assert names(project) == names(other_project) == ["new"]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_class WHERE relname ~ '^events_until_[0-9]+$'"
        )
        assert cursor.fetchone() == (1,)
