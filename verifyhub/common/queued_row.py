"""The columns of a table that `row_queue` uses as a queue."""

from typing import Any

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from verifyhub.common.db import TimestampedModel
from verifyhub.common.row_queue import MAX_ERROR, RowLease


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

    @classmethod
    def end(
        cls,
        lease: RowLease,
        state: str = WorkState.FINISHED,
        *,
        error: str = "",
        **changes: Any,
    ) -> bool:
        """End a claimed row, with the values of further columns.

        Returns:
            False if the claim was lost; then nothing is written.
        """
        claimed = cls._default_manager.filter(
            models.Q(state=WorkState.RUNNING), pk=lease.row_id, token=lease.token
        )
        ended = {"state": state, "error": error, "lease_until": None}
        return bool(claimed.update(**ended, **changes, finished_at=Now()))
