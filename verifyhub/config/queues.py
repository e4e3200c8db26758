"""Queues of Celery, one for each kind of work, to be assigned to groups of workers.

A message only wakes a worker, so a queue may be renamed or split at any time: the
reconciler sends lost wake-ups again (ADR 0003).
"""

from collections.abc import Sequence
from enum import StrEnum

from verifyhub.common.env import SettingError


class WorkQueue(StrEnum):
    """A queue for one kind of work."""

    # Verifications that need no model.
    VERIFICATION = "verification"
    # Work that may call a model, and so may take minutes.
    MODELS = "models"
    EXPORTS = "exports"
    EMBEDDINGS = "embeddings"
    # Webhooks and e-mail.
    DELIVERIES = "deliveries"
    # Daily metrics, calibrations, and the figures of alerts.
    COUNTING = "counting"
    GENERAL = "general"


_TASKS = {
    WorkQueue.VERIFICATION: (
        "verification.verify",
        "verification.reconcile",
        "verification.advance_batch",
    ),
    WorkQueue.MODELS: (
        "verification.verify_with_models",
        "verification.ask_again",
        "verification.detect",
        "verification.mitigate",
        "verification.deliberate",
    ),
    WorkQueue.EXPORTS: ("exports.run", "exports.reconcile"),
    WorkQueue.EMBEDDINGS: ("knowledge.embed", "knowledge.reconcile"),
    WorkQueue.DELIVERIES: (
        "events.deliver",
        "events.reconcile",
        "reports.send_letter",
        "reports.reconcile",
        "accounts.send_password_letters",
    ),
    WorkQueue.COUNTING: (
        "metrics.refresh",
        "exports.push_metrics",
        "learning.fit_calibrations",
        "learning.fit_project",
        "reports.evaluate_rules",
        "reports.make_reports",
    ),
}
# Their tasks wait for models; see `config.model_consumer`.
ASKING_QUEUES = frozenset({WorkQueue.MODELS.value, WorkQueue.EMBEDDINGS.value})
# All others are in `GENERAL`.
QUEUE_OF_TASK = {task: name for name, tasks in _TASKS.items() for task in tasks}


def queues_of_worker(names: Sequence[str]) -> list[str]:
    """Return the queues that a worker consumes: those of a setting, or all.

    Raises:
        SettingError: If one of them does not exist.
    """
    existing = [name.value for name in WorkQueue]
    for name in names:
        if name not in existing:
            raise SettingError(
                f"VERIFYHUB_WORKER_QUEUES must name some of {', '.join(existing)},"
                f" not {name!r}"
            )
    return list(dict.fromkeys(names)) or existing
