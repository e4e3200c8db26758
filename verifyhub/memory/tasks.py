"""Celery entry points of this package."""

from celery import shared_task
from django.utils import timezone

from verifyhub.common.jobs import BoundedTask
from verifyhub.memory import services


@shared_task(name="memory.end_shadows", base=BoundedTask)
def end_shadows(**_newer: object) -> None:
    services.end_shadows(now=timezone.now())


@shared_task(name="memory.forget_keys", base=BoundedTask)
def forget_keys(**_newer: object) -> None:
    services.forget_keys()


@shared_task(name="memory.expire_entries", base=BoundedTask)
def expire_entries(**_newer: object) -> None:
    services.expire_entries(now=timezone.now())
