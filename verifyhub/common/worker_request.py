"""Acknowledge messages that a worker has processed."""

from typing import Any

from celery.worker.request import Request


class AcknowledgedRequest(Request):
    """A message whose failed acknowledgement ends the worker's connection.

    Celery only logs the failure. If the connection outlives it, the message counts as
    unfinished for ever and fills a place of the prefetch count; a worker whose places
    are all taken waits without end. With nothing to log, the error reaches the
    consumer, which reconnects and starts to count from zero.
    """

    def __init__(self, message: Any, **options: Any) -> None:
        super().__init__(message, **{**options, "connection_errors": ()})
