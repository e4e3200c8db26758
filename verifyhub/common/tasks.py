"""Celery entry points of this package."""

from celery import shared_task
from django.utils import timezone

from verifyhub.common.jobs import BoundedTask
from verifyhub.common.partitions import keep_partitions
from verifyhub.common.retention import apply_retentions


@shared_task(name="common.apply_retentions", base=BoundedTask)
def apply(**_newer: object) -> None:
    try:
        apply_retentions(now=timezone.now())
    finally:
        keep_partitions()
