"""Keep one process of a worker free for work that asks no model (ADR 0101)."""

from typing import Any

from celery.bootsteps import StartStopStep
from kombu import Consumer
from kombu.common import ignore_errors

from verifyhub.config.queues import ASKING_QUEUES


class ModelConsumer(StartStopStep):
    """Consumes the queues of work that asks models, on a channel of its own.

    The broker delivers at most as many unacknowledged messages on a channel as its
    prefetch count says. Messages are acknowledged when their task has ended, so this
    limits how many processes ask models at once. It is left out where a worker has one
    process, or consumes either only such queues or none.
    """

    # After the step that loads tasks, and stops consuming before it.
    requires = ("celery.worker.consumer.tasks:Tasks",)
    consumer: Consumer | None = None

    def include_if(self, parent: Any) -> bool:
        """Return whether both kinds of work share several processes."""
        names = set(parent.app.amqp.queues.consume_from)
        asking = names & ASKING_QUEUES
        return parent.controller.concurrency > 1 and bool(asking and names - asking)

    def create(self, parent: Any) -> None:
        """Take these queues from Celery's own consumer."""
        queues = parent.app.amqp.queues
        names = ASKING_QUEUES & set(queues.consume_from)
        self.queues = [queues[name] for name in sorted(names)]
        queues.deselect(names)

    def start(self, parent: Any) -> None:
        """Consume on each new connection."""
        self.consumer = parent.app.amqp.TaskConsumer(
            parent.connection.channel(),
            queues=self.queues,
            on_decode_error=parent.on_decode_error,
        )
        # For the channel, not for each queue: RabbitMQ calls that global.
        self.consumer.qos(
            prefetch_count=parent.controller.concurrency - 1,
            apply_global=parent.qos_global,
        )
        self.consumer.on_message = parent.create_task_handler()
        self.consumer.consume()

    def stop(self, parent: Any) -> None:
        """Take no more messages; running tasks still acknowledge theirs."""
        if self.consumer is not None:
            ignore_errors(parent, self.consumer.cancel)
