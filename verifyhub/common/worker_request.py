"""Acknowledge messages that a worker has processed."""

from typing import Any

from celery.worker.request import Request


class AcknowledgedRequest(Request):
    """A message whose failed acknowledgement ends the worker's connection.

    Celery only logs the failure. If the connection survives, the message counts as
    unfinished and occupies a place of the prefetch count, until the worker has none
    left. Here the error reaches the consumer, which reconnects and counts from zero.
    """

    def __init__(self, message: Any, **options: Any) -> None:
        super().__init__(message, **{**options, "connection_errors": ()})
