"""Create, finish and delete export jobs."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from verifyhub.accounts.models import ApiKey, Project, User
from verifyhub.audit.services import record_event
from verifyhub.common.logs import get_logger
from verifyhub.common.retention import Retention
from verifyhub.common.row_queue import RowQueue
from verifyhub.events.catalogue import EventType
from verifyhub.events.services import publish
from verifyhub.exports import files
from verifyhub.exports.errors import ExportError
from verifyhub.exports.filter_form import ExportFilterForm
from verifyhub.exports.models import Destination, ExportJob, Schedule
from verifyhub.exports.wanted import ExportSelection

logger = get_logger(__name__)

# Maximum waiting exports of a project, since files need space.
MOST_WAITING = 20


@transaction.atomic
def open_export(
    *,
    project: Project,
    wanted: ExportSelection,
    actor: User | ApiKey | None,
    destination: Destination | None = None,
    schedule: Schedule | None = None,
    until: datetime | None = None,
    since: datetime | None = None,
) -> ExportJob:
    """Create an export for a worker.

    Args:
        project: The tenant.
        wanted: The selection.
        actor: Who requests it: decisions that they must not see are left out; None for
            a schedule.
        destination: Where it is delivered, in addition to the download.
        schedule: The schedule, if any.
        until: The end of the period; by default now, or earlier by the filters.
        since: The beginning of the period; by default that of the filters.

    Raises:
        ExportError: If it is invalid, or too many are waiting.
    """
    checked = wanted.checked()
    project.lock()
    waiting = ExportJob.objects.filter(project=project, state__in=ExportJob.WAITING)
    if waiting.count() >= MOST_WAITING:
        raise ExportError(
            "",
            _("%(n)s exports are already waiting; try again later.")
            % {"n": MOST_WAITING},
        )
    form = ExportFilterForm(wanted.filters)
    form.is_valid()
    now = timezone.now()
    ends = [end for end in (until or now, form.cleaned_data["until"]) if end]
    job = ExportJob.objects.create(
        project=project,
        datasets=list(checked.datasets),
        written_as=checked.written_as,
        filters=dict(checked.filters),
        since=since or form.cleaned_data["since"],
        until=min(ends),
        asked_by=_asked_by(actor, schedule),
        viewer=actor if isinstance(actor, User) else None,
        destination=destination,
        schedule=schedule,
    )
    record_event(
        "exports.asked",
        job,
        actor,
        after={"datasets": job.datasets, "filters": job.filters},
    )
    QUEUE.ring(job.id)
    return job


@transaction.atomic
def delete_export(*, job: ExportJob, actor: User | ApiKey) -> None:
    """Delete an export with its files; a worker that is writing it stops."""
    record_event("exports.deleted", job, actor)
    identifier = job.id
    job.delete()
    transaction.on_commit(lambda: files.forget(identifier), robust=True)


def kept_until(now: datetime) -> datetime:
    """Return when files that are completed now are deleted."""
    return now + timedelta(days=settings.EXPORT_DAYS)


def publish_outcome(job: ExportJob, event: EventType) -> None:
    """Publish the outcome of an export, in the transaction that ends it."""
    publish(
        project=job.project,
        type=event,
        subject={"export": str(job.id)},
        data={
            "datasets": job.datasets,
            "format": job.written_as,
            "schedule": job.schedule.name if job.schedule else None,
            "rows": job.rows,
            "bytes": job.size,
            "files": len(job.parts),
            "error": job.error or None,
        },
    )


def _failed(identifiers: Collection[UUID]) -> None:
    """Publish exports that ended without files, and delete their partial files."""
    rows = ExportJob.objects.filter(pk__in=identifiers)
    for job in rows.select_related("project", "schedule"):
        ExportJob.objects.filter(pk=job.pk).update(
            forgotten_at=timezone.now(), parts=[], rows=0, size=0
        )
        publish_outcome(job, EventType.EXPORT_FAILED)
        transaction.on_commit(partial(files.forget, job.id), robust=True)


def _asked_by(actor: User | ApiKey | None, schedule: Schedule | None) -> str:
    if isinstance(actor, ApiKey):
        return f"key {actor.name}"[: ExportJob.MAX_ASKED_BY]
    if actor is None:
        return schedule.name if schedule else "system"
    return str(actor)[: ExportJob.MAX_ASKED_BY]


QUEUE = RowQueue(
    "exports_exportjob",
    task="exports.run",
    argument="job_id",
    failed=_failed,
    max_attempts=6,
    backoff_seconds=(2, 10, 60, 300, 600),
)


def _delete_files(keys: Sequence[UUID]) -> None:
    for identifier in keys:
        files.forget(identifier)
    ExportJob.objects.filter(pk__in=keys).update(forgotten_at=timezone.now())


def forget_files_since(project: Project, moment: datetime) -> int:
    """Delete the files of a project that may contain rows stored at a time.

    They are deleted when the caller's transaction commits.

    Returns:
        How many exports had files.
    """
    jobs = ExportJob.objects.filter(
        project=project, forgotten_at=None, until__gte=moment
    )
    keys = list(jobs.exclude(parts=[]).values_list("pk", flat=True))
    ExportJob.objects.filter(pk__in=keys).update(forgotten_at=timezone.now())
    for identifier in keys:
        transaction.on_commit(partial(files.forget, identifier), robust=True)
    return len(keys)


# Only the files are deleted; the rows stay as a record.
EXPORT_RETENTION = Retention(
    name="export files",
    old=lambda now: ExportJob.objects.filter(
        expires_at__lt=now, forgotten_at=None
    ).order_by("expires_at"),
    delete=_delete_files,
    batch=100,
)
