"""Background work: rows record it, and Celery wakes workers (ADR 0003)."""

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
    """A task that may run twice or be lost, and that has a time limit."""

    # By name, so that only workers import it.
    Request = "verifyhub.common.worker_request:AcknowledgedRequest"
    acks_late = True
    reject_on_worker_lost = True
    ignore_result = True
    autoretry_for = (TransientError,)
    max_retries = 3
    retry_backoff = 2


class AskingTask(BoundedTask):
    """A task that may call models, each within its own deadline.

    The limit allows for two verifiers and a goal's judge with the longest configurable
    deadlines, and is shorter than the broker's redelivery timeout.
    """

    soft_time_limit = 780
    time_limit = 840


class Doorbell:
    """Wakes workers, without delaying requests while the broker is unreachable.

    A broker client tries for seconds before it gives up. So one thread at a time sends,
    and after a failure nothing is sent for a while: the reconciler sends it later.
    """

    SILENCE_SECONDS = 10.0
    # A reachable broker answers within a millisecond.
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
            most_waiting: Nothing is sent if so many messages wait in the task's queue,
                since each wakes a worker that sees all rows.
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

    Redis and RabbitMQ both report it when the queue is declared, which does not change
    an existing queue.
    """
    queue = current_app.amqp.router.route({}, name)["queue"]
    with current_app.producer_or_acquire() as producer:
        declared = queue.queue_declare(channel=producer.channel)
    return int(declared.message_count)


doorbell = Doorbell()


def enqueue_on_commit(name: str, **arguments: Any) -> None:
    """Wake a worker once the current transaction has been committed.

    If the broker is unreachable, only the wake-up is lost: the row records the work,
    and the reconciler sends another one.

    Args:
        name: The task's stable name, `package.verb`.
        arguments: Ids only, as JSON values.
    """
    transaction.on_commit(lambda: doorbell.ring(name, arguments), robust=True)
