"""Celery entry points of this package."""

from celery import shared_task
from django.utils import timezone

from verifyhub.common.jobs import BoundedTask
from verifyhub.ingest import services


@shared_task(name="ingest.purge_replies", base=BoundedTask)
def purge_replies(**_newer: object) -> None:
    services.purge_replies(now=timezone.now())
