"""Exports that tests ask for, and their worker."""

from verifyhub.exports import services
from verifyhub.exports.wanted import ExportSelection
from verifyhub.exports.writing import FileFormat

ALL = ("interactions", "verdicts")


def ask(
    project, *datasets, written_as="jsonl", actor=None, destination=None, **filters
):
    return services.open_export(
        project=project,
        wanted=ExportSelection(
            datasets=datasets or ALL,
            written_as=FileFormat(written_as),
            filters=filters,
        ),
        actor=actor,
        destination=destination,
    )


def made(job):
    services.run_export(job_id=job.id)
    job.refresh_from_db()
    return job
