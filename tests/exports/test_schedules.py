"""Schedules: when they run, what they take, and that nothing is left out."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from tests.exports.jobs import made
from tests.factories import InteractionFactory
from verifyhub.exports import services
from verifyhub.exports.errors import ExportError
from verifyhub.exports.models import ExportJob, Schedule
from verifyhub.exports.writing import FileFormat
from verifyhub.ingest.models import Interaction

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def save(project, admin, **more):
    values = {
        "name": "nightly",
        "datasets": ["interactions"],
        "written_as": FileFormat.JSONL,
        **more,
    }
    schedule = Schedule(project=project, **values)
    return services.save_schedule(schedule=schedule, actor=admin, now=NOW)


@pytest.mark.parametrize(
    ("more", "at"),
    [
        ({}, "2026-11-22T03:00"),
        ({"hour": 13}, "2026-11-21T13:00"),
        ({"time_zone": "Europe/Paris"}, "2026-11-22T02:00"),
        ({"time_zone": "America/New_York", "hour": 8}, "2026-11-21T13:00"),
        ({"every": "week", "weekday": 0}, "2026-11-23T03:00"),
        ({"every": "week", "weekday": 5}, "2026-11-28T03:00"),
    ],
)
def test_the_next_run_is_at_an_hour_of_its_zone(project, admin, more, at):
    schedule = save(project, admin, **more)

    assert schedule.next_at == datetime.fromisoformat(at).replace(tzinfo=UTC)


def test_an_hour_that_summer_time_leaves_out_comes_all_the_same(project, admin):
    schedule = Schedule(every="day", hour=2, time_zone="Europe/Paris")
    before = datetime(2026, 3, 28, 12, 0, tzinfo=UTC)

    runs = [services.next_run(schedule, after=before)]
    runs.append(services.next_run(schedule, after=runs[0]))

    assert [run.date().isoformat() for run in runs] == ["2026-03-29", "2026-03-30"]


@pytest.mark.parametrize(
    "more",
    [
        {"hour": 24},
        {"weekday": 7},
        {"every": "hour"},
        {"time_zone": "Mars/Olympus"},
        {"datasets": ["x"]},
    ],
)
def test_what_cannot_be_is_refused(project, admin, more):
    with pytest.raises(ExportError):
        save(project, admin, **more)


def at(answer, moment):
    Interaction.objects.filter(pk=answer.pk).update(created_at=moment)


def run(now):
    """One night: due schedules start, and a worker makes their exports."""
    Schedule.objects.update(next_at=now - timedelta(minutes=1))
    assert services.start_due(now=now) == 1
    return made(ExportJob.objects.order_by("-created_at").first())


def test_each_run_takes_what_is_new_and_none_twice(project, admin):
    save(project, admin)
    first, second, late = InteractionFactory.create_batch(3, project=project)
    now = timezone.now()
    at(first, now - timedelta(hours=2))
    at(second, now - timedelta(hours=1))
    at(late, now - timedelta(seconds=30))

    assert run(now).rows == 2
    assert run(now + timedelta(minutes=5)).rows == 1
    assert run(now + timedelta(minutes=10)).rows == 0


def test_a_full_schedule_takes_everything_each_time(project, admin):
    save(project, admin, is_incremental=False)
    now = timezone.now()
    at(InteractionFactory(project=project), now - timedelta(hours=1))

    assert [run(now).rows, run(now + timedelta(days=1)).rows] == [1, 1]


def test_a_run_that_failed_is_made_up_for_by_the_next(project, admin):
    save(project, admin)
    now = timezone.now()
    at(InteractionFactory(project=project), now - timedelta(hours=1))
    Schedule.objects.update(next_at=now)
    services.start_due(now=now)
    ExportJob.objects.update(state="failed")

    assert run(now + timedelta(days=1)).rows == 1


def test_two_servers_start_a_run_once(project, admin):
    save(project, admin)
    now = NOW + timedelta(days=1)

    assert services.start_due(now=now) == 1
    assert services.start_due(now=now) == 0
    assert ExportJob.objects.count() == 1
    assert Schedule.objects.get().next_at > now


def test_one_that_is_switched_off_does_not_run(project, admin):
    save(project, admin, is_on=False)

    assert services.start_due(now=NOW + timedelta(days=9)) == 0
