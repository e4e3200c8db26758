"""Bringing the files of an export to where they are to go, the manifest last."""

from django.db import transaction

from verifyhub.common.row_queue import RowLease
from verifyhub.exports import files
from verifyhub.exports.errors import DeliveryError
from verifyhub.exports.manifest import NAME, manifest_bytes
from verifyhub.exports.models import ExportJob
from verifyhub.exports.services.jobs import QUEUE
from verifyhub.exports.stores import store_of


def deliver(held: RowLease, job: ExportJob) -> None:
    """Put what is not there yet to the job's destination; nothing without one.

    A reader that waits for the manifest never sees half an export.

    Raises:
        DeliveryError: If the store cannot be reached, or the claim is lost.
    """
    if job.destination is None:
        return
    store = store_of(job.destination, job.project.slug)
    folder = folder_name(job)
    for part in job.parts[job.delivered :]:
        store.put(folder, part["name"], files.file_of(job.id, part["file"]))
        _delivered(held, job)
    store.put(folder, NAME, manifest_bytes(job))


def folder_name(job: ExportJob) -> str:
    """Return the folder of an export: by its time, and by its id where two share it."""
    return f"{job.until:%Y%m%dT%H%M%SZ}-{str(job.id)[:8]}"


@transaction.atomic
def _delivered(held: RowLease, job: ExportJob) -> None:
    if not QUEUE.renew(held):
        raise DeliveryError("another worker has the export")
    job.delivered += 1
    job.save(update_fields=["delivered"])
