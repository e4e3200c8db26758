"""Celery entry points: they wake, the rows decide."""

from celery import shared_task

from verifyhub.common.jobs import BoundedTask
from verifyhub.inference import services


@shared_task(name="inference.settle_lost", base=BoundedTask)
def settle_lost(**_newer: object) -> None:
    services.settle_lost()
