"""A remote-control command of workers, for `verifyhub doctor`."""

from typing import Any

from celery.worker.control import inspect_command

from verifyhub import __version__


@inspect_command()
def about(state: Any) -> dict[str, Any]:
    """Return this worker's version and the queues that it consumes."""
    # Two consumers may share them (`config.model_consumer`).
    queues = [queue.name for queue in state.app.conf.task_queues]
    return {"version": __version__, "queues": queues}
