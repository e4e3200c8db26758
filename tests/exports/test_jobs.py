"""Exports in the background: whole, resumed, told of, deleted, and each one's own."""

import errno
import hashlib
import json
from datetime import timedelta

import pyarrow.parquet as pq
import pytest
from django.utils import timezone

from tests.exports.jobs import ask, made
from tests.factories import ApiKeyFactory, InteractionFactory, ProjectFactory
from verifyhub.events.models import Event
from verifyhub.exports import files, services
from verifyhub.exports.errors import ExportError
from verifyhub.exports.models import ExportJob
from verifyhub.exports.services import run
from verifyhub.exports.wanted import ExportSelection
from verifyhub.exports.writing import FileFormat


def text_of(job, name):
    part = job.part(name)
    return (files.folder_of(job.id) / part["file"]).read_text()


def test_an_export_holds_every_row_and_says_so_in_its_manifest(project, answers):
    job = made(ask(project))

    assert (job.state, job.rows, job.expected) == ("finished", 14, 14)
    described = {one["name"]: one for one in job.manifest["datasets"]}
    assert described["verdicts"]["rows"] == 7
    for dataset in described.values():
        for file in dataset["files"]:
            data = text_of(job, file["name"]).encode()
            assert hashlib.sha256(data).hexdigest() == file["sha256"]
            assert (len(data), data.count(b"\n")) == (file["bytes"], file["rows"])
            names = [column["name"] for column in dataset["columns"]]
            assert all(list(json.loads(line)) == names for line in data.splitlines())


def test_rows_that_come_later_are_not_part_of_it(project, answers):
    job = ask(project, "interactions")
    InteractionFactory(project=project)

    assert made(job).rows == 7


def test_a_killed_worker_loses_no_more_than_the_part_it_was_at(
    project, answers, monkeypatch
):
    monkeypatch.setattr(run, "PART_ROWS", 3)
    job = ask(project, "interactions")
    written = files.write_file

    def killed(job_id, name, pieces):
        if "00001" in name:
            # As a worker that stops in the middle of a file.
            next(iter(pieces))
            raise SystemExit
        return written(job_id, name, pieces)

    monkeypatch.setattr(files, "write_file", killed)
    with pytest.raises(SystemExit):
        services.run_export(job_id=job.id)
    job.refresh_from_db()
    first = list(job.parts)
    monkeypatch.setattr(files, "write_file", written)
    ExportJob.objects.update(lease_until=timezone.now() - timedelta(hours=1))
    services.QUEUE.reconcile()

    job = made(job)

    assert [one["rows"] for one in job.parts] == [3, 3, 1]
    assert job.parts[:1] == first
    lines = "".join(text_of(job, one["name"]) for one in job.parts).splitlines()
    assert [json.loads(line)["id"] for line in lines] == [
        str(one.id) for one in answers
    ]


def test_a_slice_ends_and_the_next_worker_goes_on(project, answers, monkeypatch):
    monkeypatch.setattr(run, "PART_ROWS", 3)
    monkeypatch.setattr(run, "SLICE_SECONDS", -1.0)
    job = made(ask(project, "interactions"))
    assert (job.state, job.rows) == ("pending", 0)
    monkeypatch.setattr(run, "SLICE_SECONDS", 60.0)

    assert made(job).rows == 7


def test_what_another_worker_took_over_is_not_written_by_the_first(
    project, answers, monkeypatch
):
    job = ask(project, "interactions")
    written = files.write_file

    def overtaken(job_id, name, pieces):
        ExportJob.objects.update(token=99)
        return written(job_id, name, pieces)

    monkeypatch.setattr(files, "write_file", overtaken)

    assert made(job).parts == []
    assert job.state == "running"


def test_an_empty_export_still_tells_its_columns(project):
    job = made(ask(project, "interactions", written_as="parquet"))

    (part,) = job.parts
    table = pq.read_table(files.folder_of(job.id) / part["file"])
    assert table.num_rows == 0
    assert "answer" in table.column_names


def test_it_is_told_of_when_it_has_ended(project, answers):
    made(ask(project, "interactions"))

    event = Event.objects.get(type="export.finished")
    assert event.data["rows"] == 7
    assert event.subject == {"export": str(ExportJob.objects.get().id)}


def test_an_export_that_fails_is_told_of_and_leaves_no_files(
    project, answers, monkeypatch, folder, django_capture_on_commit_callbacks
):
    job = ask(project, "interactions")

    def full(*_args):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files, "write_file", full)
    for _ in range(6):
        ExportJob.objects.update(next_at=None)
        with django_capture_on_commit_callbacks(execute=True):
            services.run_export(job_id=job.id)

    job.refresh_from_db()
    said = "the files cannot be written: No space left on device"
    assert (job.state, job.error) == ("failed", said)
    assert Event.objects.get(type="export.failed").data["error"] == said
    assert not files.folder_of(job.id).exists()


def test_files_go_when_they_have_been_kept_long_enough(project, answers, settings):
    job = made(ask(project, "interactions"))
    assert services.EXPORT_RETENTION.apply(now=timezone.now()) == 0

    later = timezone.now() + timedelta(days=settings.EXPORT_DAYS, seconds=1)

    assert services.EXPORT_RETENTION.apply(now=later) == 1
    assert not files.folder_of(job.id).exists()
    assert services.EXPORT_RETENTION.apply(now=later) == 0


def test_a_deleted_export_takes_its_files_along(
    project, answers, lead, django_capture_on_commit_callbacks
):
    job = made(ask(project, "interactions", actor=lead))
    folder = files.folder_of(job.id)
    assert folder.exists()

    with django_capture_on_commit_callbacks(execute=True):
        services.delete_export(job=job, actor=lead)

    assert not folder.exists()


@pytest.mark.parametrize(
    ("datasets", "filters", "field"),
    [
        ((), {}, "datasets"),
        (("secrets",), {}, "datasets"),
        (("verdicts",), {"verdict": "x"}, "filters.verdict"),
        (("verdicts",), {"colour": "red"}, "filters.colour"),
    ],
)
def test_what_makes_no_sense_is_refused(project, datasets, filters, field):
    with pytest.raises(ExportError) as raised:
        services.open_export(
            project=project,
            wanted=ExportSelection(
                datasets=datasets, written_as=FileFormat.CSV, filters=filters
            ),
            actor=None,
        )

    assert raised.value.field == field


def test_exports_that_wait_are_bounded(project, monkeypatch):
    monkeypatch.setattr("verifyhub.exports.services.jobs.MOST_WAITING", 1)
    ask(project)
    ask(ProjectFactory())

    with pytest.raises(ExportError):
        ask(project)


def test_a_person_gets_back_what_they_must_not_see_as_undecided(
    project, reviewer, lead
):
    key = ApiKeyFactory(project=project, name="nightly")

    by_key, by_person = ask(project, actor=key), ask(project, actor=reviewer)

    assert (by_key.viewer, by_key.asked_by) == (None, "key nightly")
    assert by_person.viewer == reviewer
