"""Reads of exports, schedules and destinations."""

from uuid import UUID

from django.db.models import Q, QuerySet

from verifyhub.accounts.models import ApiKey, Membership, Project
from verifyhub.exports.models import Destination, ExportJob, Schedule
from verifyhub.exports.wanted import may_key, may_person


def jobs_for(membership: Membership) -> QuerySet[ExportJob]:
    """Return the exports that a person may see, newest first.

    These are their own, and those with decisions as shown to programs: an export with a
    lead's view would reveal gold to others.
    """
    rows = ExportJob.objects.filter(project=membership.project_id)
    visible = rows.filter(Q(viewer=membership.user_id) | Q(viewer=None))
    return visible.select_related("schedule", "destination").order_by(
        "-created_at", "-id"
    )


def may_open(membership: Membership, job: ExportJob) -> bool:
    """Whether a person may download an export that they see."""
    return may_person(membership.role, job.datasets)


def jobs_for_key(key: ApiKey) -> QuerySet[ExportJob]:
    """Return the exports that a key may see, newest first."""
    rows = ExportJob.objects.filter(project=key.project, viewer=None)
    return rows.select_related("schedule").order_by("-created_at", "-id")


def job_for_key(key: ApiKey, job_id: UUID) -> ExportJob | None:
    """Return one export that a key may see and download."""
    job = jobs_for_key(key).filter(pk=job_id).first()
    return job if job is not None and may_key(key.scopes, job.datasets) else None


def schedules_of(project: Project) -> QuerySet[Schedule]:
    """Return the schedules of a project, by name."""
    rows = Schedule.objects.filter(project=project)
    return rows.select_related("destination").order_by("name")


def destinations_of(project: Project) -> QuerySet[Destination]:
    """Return the destinations of a project, by name."""
    return Destination.objects.filter(project=project).order_by("name")
