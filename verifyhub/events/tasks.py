"""Celery entry points of this package."""

from celery import shared_task
from django.utils import timezone

from verifyhub.common.jobs import BoundedTask, enqueue_on_commit
from verifyhub.events import services


@shared_task(name="events.forget", base=BoundedTask)
def forget(**_newer: object) -> None:
    services.forget_events(now=timezone.now())
    services.forget_deliveries(now=timezone.now())


@shared_task(name="events.deliver", base=BoundedTask)
def deliver(**_newer: object) -> None:
    if services.deliver_due():
        enqueue_on_commit("events.deliver")


@shared_task(name="events.reconcile", base=BoundedTask)
def reconcile(**_newer: object) -> None:
    services.reconcile_deliveries()
    deliver()
