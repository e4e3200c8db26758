"""Celery entry points of this package."""

from celery import shared_task

from verifyhub.common.jobs import BoundedTask, enqueue_on_commit
from verifyhub.events import services


@shared_task(name="events.deliver", base=BoundedTask)
def deliver(**_newer: object) -> None:
    if services.deliver_due():
        enqueue_on_commit("events.deliver")


@shared_task(name="events.reconcile", base=BoundedTask)
def reconcile(**_newer: object) -> None:
    services.reconcile_deliveries()
    deliver()


@shared_task(name="events.publish_audit_head", base=BoundedTask)
def publish_audit_head(**_newer: object) -> None:
    services.publish_audit_head()
