"""Celery entry points: calibrations are fitted every night; leads activate them."""

from uuid import UUID

from celery import shared_task
from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.common.jobs import BoundedTask, enqueue_on_commit
from verifyhub.learning import selectors, services


@shared_task(name="learning.fit_calibrations", base=BoundedTask)
def fit_calibrations(**_newer: object) -> None:
    for project_id in selectors.projects_to_fit(now=timezone.now()):
        enqueue_on_commit("learning.fit_project", project_id=str(project_id))


@shared_task(name="learning.fit_project", base=BoundedTask)
def fit_project(*, project_id: str, **_newer: object) -> None:
    # The project may have been deleted.
    for project in Project.objects.filter(pk=UUID(project_id)):
        services.fit_due(project=project, now=timezone.now())
