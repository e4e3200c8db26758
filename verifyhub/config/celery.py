"""The Celery application, which wakes workers for rows of work in PostgreSQL."""

import gc
import logging.config
import os
import sys
from typing import Any

from celery import Celery
from celery.signals import (
    setup_logging,
    task_prerun,
    worker_before_create_process,
    worker_init,
    worker_process_init,
    worker_process_shutdown,
)
from django_structlog.celery.steps import DjangoStructLogInitStep

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "verifyhub.config.settings")
# Celery would run Django's checks, which import all pages and take a third of a
# worker's start, and ignore their results; `verifyhub doctor` reports them.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

_path = [*sys.path]
app = Celery("verifyhub")
# Celery's support for Django puts the working folder before installed packages.
sys.path[:] = _path
app.config_from_object("verifyhub.config.celery_settings")
app.autodiscover_tasks()
# Binds the ids of the task, and of the request that caused it, to every log line.
app.steps["worker"].add(DjangoStructLogInitStep)


@setup_logging.connect
def log_as_django_does(**_sender: Any) -> None:
    """Prevent Celery from replacing the JSON logs by text logs."""
    from django.conf import settings

    logging.config.dictConfig(settings.LOGGING)


@task_prerun.connect
def look_at_connection(task: Any, **_sender: Any) -> None:
    """Reuse the previous task's database connection, unless it is broken or too old.

    A task that is called directly keeps the caller's transaction.
    """
    from django.db import close_old_connections

    if not task.request.is_eager:
        close_old_connections()


@worker_init.connect
def extend_worker(**_sender: Any) -> None:
    """Add what only workers import: the command for `verifyhub doctor`, and a step."""
    from verifyhub.config import about_worker  # noqa: F401
    from verifyhub.config.model_consumer import ModelConsumer

    app.steps["consumer"].add(ModelConsumer)


@worker_before_create_process.connect
def share_memory(**_sender: Any) -> None:
    """Exempt loaded objects from garbage collection: forks then share their memory."""
    gc.freeze()


@worker_process_shutdown.connect
def send_spans(**_sender: Any) -> None:
    """Send the last spans: these processes end without running exit handlers."""
    from verifyhub.common import tracing

    tracing.flush()


@worker_process_init.connect
def give_way(**_sender: Any) -> None:
    """Lower this process's priority, so that requests take precedence."""
    from django.conf import settings

    os.nice(settings.WORKER_NICENESS)
