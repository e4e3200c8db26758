"""Celery entry points of this package; rows of changes record the work."""

import time
from uuid import UUID

from celery import shared_task

from verifyhub.accounts.models import Project
from verifyhub.common.jobs import BoundedTask
from verifyhub.metrics.models import CountState
from verifyhub.metrics.services import (
    count_next_day,
    newest_change,
    projects_to_refresh,
    refresh,
)

# Less than a minute, so that a large project does not delay other tasks for long.
SECONDS = 20.0


@shared_task(name="metrics.refresh", base=BoundedTask)
def refresh_all(**_newer: object) -> None:
    """Count changes, then some of the days that were never counted.

    Later changes are left to the next run, since under load there are always more.
    """
    newest, until = newest_change(), time.monotonic() + SECONDS
    while sum(
        refresh(project_id=project_id) for project_id in projects_to_refresh(newest)
    ):
        if time.monotonic() > until:
            break
    for project_id in _never_counted():
        while time.monotonic() < until and count_next_day(project_id=project_id):
            pass


def _never_counted() -> list[UUID]:
    counted = CountState.objects.filter(counted_from=None).values("project_id")
    return list(
        Project.objects.exclude(pk__in=counted)
        .order_by("created_at")
        .values_list("pk", flat=True)
    )
