"""Write an export in the background, part by part."""

import time
from collections.abc import Iterator
from itertools import chain
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from verifyhub.common.logs import get_logger
from verifyhub.common.replica import reading_from_replica
from verifyhub.common.row_files import Row
from verifyhub.common.row_queue import RowLease
from verifyhub.events.catalogue import EventType
from verifyhub.exports import files
from verifyhub.exports.catalogue import DATASETS
from verifyhub.exports.dataset import Dataset, DatasetFilters, Place
from verifyhub.exports.errors import DeliveryError
from verifyhub.exports.filter_form import ExportFilterForm
from verifyhub.exports.manifest import NAME, manifest_bytes, manifest_of
from verifyhub.exports.models import ExportJob, Schedule
from verifyhub.exports.services.jobs import QUEUE, kept_until, publish_outcome
from verifyhub.exports.stores import store_of
from verifyhub.exports.writing import FileFormat, encoded
from verifyhub.review.visibility import withheld_items

logger = get_logger(__name__)

# A part ends at the first of these limits; a killed worker loses at most one part.
PART_ROWS = 100_000
PART_SECONDS = 30.0
# After so long other work of the worker has its turn.
SLICE_SECONDS = 60.0


class LostClaimError(Exception):
    """Another worker has the export, or it was deleted."""


class _WrittenPart:
    """Rows up to the end of a part, and its position."""

    def __init__(self, places: Iterator[tuple[Place, Row]]) -> None:
        self._places = places
        self._ends = time.monotonic() + PART_SECONDS
        self.place: Place | None = None
        self.count = self.read = 0
        self.more = False

    def rows(self) -> Iterator[Row]:
        """Yield the rows; rows of one position are never split."""
        for place, row in self._places:
            if place != self.place:
                if self.is_full:
                    self.more = True
                    return
                self.read += 1
            self.place, self.count = place, self.count + 1
            yield row

    @property
    def is_full(self) -> bool:
        return self.count >= PART_ROWS or (
            self.count > 0 and time.monotonic() > self._ends
        )


def run_export(*, job_id: UUID) -> bool:
    """Continue an export for one time slice.

    Returns:
        Whether anything was done: False if another worker has it.
    """
    lease = QUEUE.claim(job_id)
    if lease is None:
        return False
    rows = ExportJob.objects.select_related(
        "project", "viewer", "destination", "schedule"
    )
    job = rows.get(pk=job_id)
    try:
        with QUEUE.renewing(lease):
            _work(lease, job)
    except LostClaimError:
        logger.warning("exports.claim_lost", id=str(job_id))
    except DeliveryError as error:
        QUEUE.release(lease, str(error))
        logger.warning("exports.not_delivered", id=str(job_id))
    except OSError as error:
        # The disk is full or unavailable: temporary, and no traceback is needed.
        QUEUE.release(lease, f"the files cannot be written: {error.strerror or error}")
        logger.error("exports.not_written", id=str(job_id), error=str(error))
    except Exception as error:
        QUEUE.release(lease, type(error).__name__)
        raise
    return True


def _work(lease: RowLease, job: ExportJob) -> None:
    ends = time.monotonic() + SLICE_SECONDS
    filters = filters_of(job)
    if job.expected is None:
        hidden = withheld_items(job.project_id, job.viewer)
        with reading_from_replica(at_least=job.until):
            job.expected = sum(
                DATASETS[name].count(job.project, filters, withheld=hidden)
                for name in job.datasets
            )
        _save(lease, job, "expected")
    while job.place.get("dataset", 0) < len(job.datasets):
        if time.monotonic() > ends:
            _hand_on(lease, job)
            return
        _write_part(lease, job, filters)
    job.manifest = manifest_of(job)
    deliver(lease, job)
    _finish(lease, job)


def filters_of(job: ExportJob) -> DatasetFilters:
    """Return the filters of an export, the same at every try."""
    form = ExportFilterForm(
        job.filters
        | {"until": job.until.isoformat()}
        | ({"since": job.since.isoformat()} if job.since else {})
    )
    if not form.is_valid():
        raise ValueError(f"{job} was kept with filters that cannot be read")
    return form.dataset_filters(now=job.created_at, user=job.viewer)


def _write_part(lease: RowLease, job: ExportJob, filters: DatasetFilters) -> None:
    """Write and record the next file of an export."""
    number = job.place.get("dataset", 0)
    dataset = DATASETS[job.datasets[number]]
    with reading_from_replica(at_least=job.until):
        part = _WrittenPart(_places(job, dataset, filters))
        rows = part.rows()
        first = next(rows, None)
        own = [entry for entry in job.parts if entry["dataset"] == dataset.name]
        if first is not None or not own:
            all_rows = chain([] if first is None else [first], rows)
            _write(lease, job, dataset, all_rows, part)
    read = job.place.get("read", 0) + part.read
    if part.more:
        job.place = {"dataset": number, "after": _plain(part.place), "read": read}
    else:
        job.place = {"dataset": number + 1, "read": read}
    # Earlier failures no longer count.
    job.attempts, job.error = 1, ""
    _save(lease, job, "place", "parts", "rows", "size", "attempts", "error")


def _places(
    job: ExportJob, dataset: Dataset, filters: DatasetFilters
) -> Iterator[tuple[Place, Row]]:
    return dataset.places(
        job.project,
        filters,
        deep=FileFormat(job.written_as).is_deep,
        withheld=withheld_items(job.project_id, job.viewer),
        since=job.place.get("after"),
    )


def _write(
    lease: RowLease,
    job: ExportJob,
    dataset: Dataset,
    rows: Iterator[Row],
    part: _WrittenPart,
) -> None:
    written_as = FileFormat(job.written_as)
    number = sum(entry["dataset"] == dataset.name for entry in job.parts)
    name = f"{dataset.name}-{number:05d}.{written_as}"
    on_disk = f"{lease.token}-{name}"
    columns = dataset.columns_of(deep=written_as.is_deep, shape=job.shape)
    size, sha256 = files.write_file(job.id, on_disk, encoded(written_as, columns, rows))
    job.parts = [
        *job.parts,
        {
            "name": name,
            "file": on_disk,
            "dataset": dataset.name,
            "rows": part.count,
            "bytes": size,
            "sha256": sha256,
        },
    ]
    job.rows += part.count
    job.size += size


def _plain(place: Place | None) -> list[object]:
    """Return a position as JSON values."""
    return [
        value if isinstance(value, int | float | str) else _text(value)
        for value in place or []
    ]


def _text(value: object) -> str:
    isoformat = getattr(value, "isoformat", None)
    return str(isoformat() if isoformat else value)


@transaction.atomic
def _save(lease: RowLease, job: ExportJob, *fields: str) -> None:
    """Save the progress, under the claim's token.

    Raises:
        LostClaimError: If the claim was lost; then nothing is written.
    """
    if not QUEUE.renew(lease):
        raise LostClaimError
    job.save(update_fields=fields)


@transaction.atomic
def _hand_on(lease: RowLease, job: ExportJob) -> None:
    """Put the job back for the next free worker."""
    job.state, job.lease_until, job.attempts = ExportJob.State.PENDING, None, 0
    _save(lease, job, "state", "lease_until", "attempts")
    QUEUE.ring(job.id)


@transaction.atomic
def _finish(lease: RowLease, job: ExportJob) -> None:
    job.finished_at = timezone.now()
    job.expires_at = kept_until(job.finished_at)
    job.state, job.lease_until = ExportJob.State.FINISHED, None
    _save(lease, job, "state", "lease_until", "finished_at", "expires_at", "manifest")
    if job.schedule_id:
        Schedule.objects.filter(pk=job.schedule_id).update(exported_until=job.until)
    publish_outcome(job, EventType.EXPORT_FINISHED)
    logger.info("exports.finished", id=str(job.id), rows=job.rows, bytes=job.size)


def deliver(lease: RowLease, job: ExportJob) -> None:
    """Copy missing files to the job's destination, if it has one.

    The manifest is copied last, so that readers can wait for it.

    Raises:
        DeliveryError: If the store cannot be reached, or the claim is lost.
    """
    if job.destination is None:
        return
    store = store_of(job.destination, job.project.slug)
    folder = folder_name(job)
    for part in job.parts[job.delivered :]:
        store.put(folder, part["name"], files.file_of(job.id, part["file"]))
        _delivered(lease, job)
    store.put(folder, NAME, manifest_bytes(job))


def folder_name(job: ExportJob) -> str:
    """Return the folder of an export, by its time, and its id if two have the same."""
    return f"{job.until:%Y%m%dT%H%M%SZ}-{str(job.id)[:8]}"


@transaction.atomic
def _delivered(lease: RowLease, job: ExportJob) -> None:
    if not QUEUE.renew(lease):
        raise DeliveryError("another worker has the export")
    job.delivered += 1
    job.save(update_fields=["delivered"])
