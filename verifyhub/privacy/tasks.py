"""Celery entry points: they wake, the rows decide."""

from uuid import UUID

from celery import shared_task
from django.utils import timezone

from verifyhub.common.jobs import BoundedTask
from verifyhub.privacy import deletions


@shared_task(name="privacy.delete", base=BoundedTask)
def delete(*, deletion_id: str, **_newer: object) -> None:
    deletions.run_deletion(deletion_id=UUID(deletion_id))


@shared_task(name="privacy.reconcile", base=BoundedTask)
def reconcile(**_newer: object) -> None:
    deletions.open_due_retentions(now=timezone.now())
    deletions.QUEUE.reconcile()
