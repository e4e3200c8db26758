"""Background work: rows record it, Celery only wakes a worker (ADR 0003)."""

from typing import Any

from celery import Task, current_app
from django.db import transaction

from verifyhub.common.logs import get_logger

logger = get_logger(__name__)


class TransientError(Exception):
    """A failure that may pass by itself; the task may be tried again."""


class BoundedTask(Task):  # type: ignore[type-arg]
    """A task that may run twice, may be lost, and never runs without a limit."""

    acks_late = True
    reject_on_worker_lost = True
    ignore_result = True
    autoretry_for = (TransientError,)
    max_retries = 3
    retry_backoff = 2


def enqueue_on_commit(name: str, **arguments: Any) -> None:
    """Wake a worker once the current transaction has been committed.

    A broker that is away loses only the wake-up: the row says what is to be done and
    the reconciler rings again.

    Args:
        name: The task's stable name, `package.verb`.
        arguments: Ids only, as JSON values.
    """

    def send() -> None:
        try:
            current_app.send_task(name, kwargs=arguments, retry=False)
        except Exception as error:  # noqa: BLE001 - any transport error means the same
            logger.warning("broker.unreachable", task=name, error=type(error).__name__)

    transaction.on_commit(send, robust=True)
