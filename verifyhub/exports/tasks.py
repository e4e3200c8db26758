"""Celery entry points: they wake, the rows decide."""

from uuid import UUID

from celery import shared_task
from django.utils import timezone

from verifyhub.common.jobs import BoundedTask
from verifyhub.exports import services


@shared_task(name="exports.run", base=BoundedTask)
def run(*, job_id: str, **_newer: object) -> None:
    services.run_export(job_id=UUID(job_id))


@shared_task(name="exports.reconcile", base=BoundedTask)
def reconcile(**_newer: object) -> None:
    services.start_due(now=timezone.now())
    services.QUEUE.reconcile()


@shared_task(name="exports.forget", base=BoundedTask)
def forget(**_newer: object) -> None:
    services.forget_exports(now=timezone.now())
