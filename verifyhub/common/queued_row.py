"""The columns of a table that `row_queue` uses as a queue."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from verifyhub.common.db import TimestampedModel
from verifyhub.common.row_queue import MAX_ERROR


class WorkState(models.TextChoices):
    """The state of a job; a table may use other labels."""

    PENDING = "pending", _("Pending")
    RUNNING = "running", _("Running")
    FINISHED = "finished", _("Finished")
    FAILED = "failed", _("Failed")


class QueuedRow(TimestampedModel):
    """A row of queued work (ADR 0003); each table adds its own `state` and `id`."""

    # Changed by each claim, so that writes of an older claim are refused.
    token = models.PositiveBigIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    # Not due before this time, after a failed attempt.
    next_at = models.DateTimeField(null=True)
    # When the reconciler last woke a worker for it.
    rung_at = models.DateTimeField(null=True)
    error = models.CharField(max_length=MAX_ERROR, blank=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True
