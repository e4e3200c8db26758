"""Celery entry points of this package."""

from uuid import UUID

from celery import shared_task

from verifyhub.common.jobs import BoundedTask
from verifyhub.ingest import (
    bulk_reading,
    bulk_services,
    output_services,
    trace_reading,
)
from verifyhub.ingest.output_store import ANSWERS


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


@shared_task(name="ingest.move_outputs", base=BoundedTask)
def move_outputs(**_newer: object) -> None:
    output_services.move_outputs()


@shared_task(name="ingest.collect_output", base=BoundedTask)
def collect_output(*, project_id: str, digest: str, **_newer: object) -> None:
    output_services.collect_output(project=UUID(project_id), digest=digest)


@shared_task(name="ingest.collect_answer", base=BoundedTask)
def collect_answer(*, project_id: str, digest: str, **_newer: object) -> None:
    output_services.collect_output(
        project=UUID(project_id), digest=digest, folder=ANSWERS
    )


@shared_task(name="ingest.collect_outputs", base=BoundedTask)
def collect_outputs(**_newer: object) -> None:
    output_services.collect_all()
