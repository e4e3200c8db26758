"""Background work: rows record it, Celery only wakes a worker (ADR 0003)."""

import threading
import time
from typing import Any

from celery import Task, current_app
from django.db import transaction

from verifyhub.common.logs import get_logger

logger = get_logger(__name__)


class TransientError(Exception):
    """A temporary failure: the task may be retried."""


class BoundedTask(Task):  # type: ignore[type-arg]
    """A task that may run twice, may be lost, and never runs without a limit."""

    # By name: only a worker loads it.
    Request = "verifyhub.common.worker_request:AcknowledgedRequest"
    acks_late = True
    reject_on_worker_lost = True
    ignore_result = True
    autoretry_for = (TransientError,)
    max_retries = 3
    retry_backoff = 2


class AskingTask(BoundedTask):
    """A task that may ask models, each within its own deadline.

    Long enough for two verifiers and a goal's judge that all take as long as a
    project may allow; shorter than the broker waits before it hands a message out
    again.
    """

    soft_time_limit = 780
    time_limit = 840


class Doorbell:
    """Wakes workers, without delaying requests while the broker is unreachable.

    A broker client tries for seconds before it gives up. So one thread at a time
    rings; when that fails, nobody tries for a while: the reconciler makes up for it.
    """

    SILENCE_SECONDS = 10.0
    # An answering broker takes a millisecond.
    PATIENCE_SECONDS = 0.5

    def __init__(self) -> None:
        self._one_at_a_time = threading.Lock()
        self.silent_until = 0.0

    def ring(
        self, name: str, arguments: dict[str, Any], *, most_waiting: int | None = None
    ) -> bool:
        """Send a wake-up; False if it was not sent.

        Args:
            name: The task's stable name.
            arguments: Ids only, as JSON values.
            most_waiting: None is sent where so many messages wait in the task's queue
                that no worker has taken: each of them wakes one that sees all rows.
        """
        if time.monotonic() < self.silent_until:
            return False
        if not self._one_at_a_time.acquire(timeout=self.PATIENCE_SECONDS):
            return False
        try:
            if most_waiting is not None and _waiting(name) >= most_waiting:
                return False
            current_app.send_task(name, kwargs=arguments, retry=False)
        except Exception as error:  # noqa: BLE001 - any transport error means the same
            self.silent_until = time.monotonic() + self.SILENCE_SECONDS
            logger.warning("broker.unreachable", task=name, error=type(error).__name__)
            return False
        finally:
            self._one_at_a_time.release()
        return True


def _waiting(name: str) -> int:
    """Return how many messages wait in the queue of a task.

    Redis and RabbitMQ both say so when a queue is declared, which changes none that is
    there.
    """
    queue = current_app.amqp.router.route({}, name)["queue"]
    with current_app.producer_or_acquire() as producer:
        declared = queue.queue_declare(channel=producer.channel)
    return int(declared.message_count)


doorbell = Doorbell()


def enqueue_on_commit(name: str, **arguments: Any) -> None:
    """Wake a worker once the current transaction has been committed.

    A broker that is away loses only the wake-up: the row says what is to be done and
    the reconciler rings again.

    Args:
        name: The task's stable name, `package.verb`.
        arguments: Ids only, as JSON values.
    """
    transaction.on_commit(lambda: doorbell.ring(name, arguments), robust=True)
