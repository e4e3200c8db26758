"""Celery entry points: they wake, the rows decide."""

from uuid import UUID

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from verifyhub.common.jobs import BoundedTask
from verifyhub.common.logs import get_logger
from verifyhub.exports import services

logger = get_logger(__name__)


@shared_task(name="exports.run", base=BoundedTask)
def run(*, job_id: str, **_newer: object) -> None:
    services.run_export(job_id=UUID(job_id))


@shared_task(name="exports.reconcile", base=BoundedTask)
def reconcile(**_newer: object) -> None:
    services.start_due(now=timezone.now())
    services.QUEUE.reconcile()


@shared_task(name="exports.push_metrics", base=BoundedTask)
def push_metrics(**_newer: object) -> None:
    if not settings.OTLP_METRICS_ENDPOINT:
        return
    from verifyhub.metrics.scrape import telemetry

    accepted = telemetry.push(
        settings.OTLP_METRICS_ENDPOINT,
        dict(header.split("=", 1) for header in settings.OTLP_METRICS_HEADERS),
        instance=settings.ROOT_URL,
    )
    if not accepted:
        logger.warning("metrics.not_taken")
