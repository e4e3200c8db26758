"""Celery entry points of this package."""

from uuid import UUID

from celery import shared_task

from verifyhub.common.jobs import BoundedTask
from verifyhub.ingest import bulk_reading, bulk_services, trace_reading


@shared_task(name="ingest.read_trace", base=BoundedTask)
def read_trace(**_newer: object) -> None:
    trace_reading.read_due()


@shared_task(name="ingest.reconcile_traces", base=BoundedTask)
def reconcile_traces(**_newer: object) -> None:
    trace_reading.reconcile_traces()


@shared_task(name="ingest.read_bulk", base=BoundedTask)
def read_bulk(*, bulk_id: str, **_newer: object) -> None:
    bulk_reading.read_bulk(bulk_id=UUID(bulk_id))


@shared_task(name="ingest.reconcile_bulks", base=BoundedTask)
def reconcile_bulks(**_newer: object) -> None:
    bulk_reading.reconcile_bulks()
    bulk_services.end_orphans()
