"""Celery entry points: they wake, the rows decide."""

from uuid import UUID

from celery import shared_task

from verifyhub.common.jobs import AskingTask, BoundedTask
from verifyhub.verification import services


@shared_task(name="verification.verify", base=AskingTask)
def verify(**_newer: object) -> None:
    services.run_due(with_models=False)


@shared_task(name="verification.verify_with_models", base=AskingTask)
def verify_with_models(**_newer: object) -> None:
    services.run_due()


@shared_task(name="verification.ask_again", base=AskingTask)
def ask_again(*, verification_id: str, **_newer: object) -> None:
    services.ask_again(verification_id=UUID(verification_id))


@shared_task(name="verification.detect", base=AskingTask)
def detect(*, detection_id: str, **_newer: object) -> None:
    services.run_detection(detection_id=UUID(detection_id))


@shared_task(name="verification.reconcile", base=BoundedTask)
def reconcile(**_newer: object) -> None:
    services.VERIFICATIONS.reconcile()
    services.MITIGATIONS.reconcile()
    services.DELIBERATIONS.reconcile()
    services.DETECTIONS.reconcile()
    services.AWAITED_OPINIONS.reconcile()
    services.advance_batches()


@shared_task(name="verification.advance_batch", base=BoundedTask)
def advance_batch(*, batch_id: str, **_newer: object) -> None:
    services.advance_batch(batch_id=UUID(batch_id))


@shared_task(name="verification.learn_names", base=BoundedTask)
def learn_names(*, verification_id: str, **_newer: object) -> None:
    services.learn_names(verification_id=UUID(verification_id))


@shared_task(name="verification.mitigate", base=AskingTask)
def mitigate(*, mitigation_id: str, **_newer: object) -> None:
    services.run_mitigation(mitigation_id=UUID(mitigation_id))


@shared_task(name="verification.deliberate", base=AskingTask)
def deliberate(*, deliberation_id: str, **_newer: object) -> None:
    services.run_deliberation(deliberation_id=UUID(deliberation_id))
