"""Celery entry points of this package."""

from celery import shared_task

from verifyhub.audit.sealing import seal_events
from verifyhub.common.jobs import BoundedTask


@shared_task(name="audit.seal", base=BoundedTask)
def seal(**_newer: object) -> None:
    seal_events()
