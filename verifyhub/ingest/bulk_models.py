"""Bulks: many answers sent in one stream or file, and their progress."""

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from verifyhub.accounts.models import ApiKey, Project
from verifyhub.common.queued_row import QueuedRow


class Bulk(QueuedRow):
    """One bulk: a stream over the API, or an uploaded file that a worker reads.

    Counts refer to committed rows: they are written in the same transaction.
    """

    class State(models.TextChoices):
        RECEIVING = "receiving", _("Receiving")
        PENDING = "pending", _("Waiting")
        RUNNING = "running", _("Running")
        FINISHED = "finished", _("Finished")
        # The stream was interrupted, or the file cannot be read to its end.
        BROKEN = "broken", pgettext_lazy("bulk", "Interrupted")
        FAILED = "failed", _("Failed")
        CANCELLED = "cancelled", _("Cancelled")

    MAX_REFERENCE = 100
    MAX_NAME = 200
    WAITING = (State.PENDING, State.RUNNING)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    api_key = models.ForeignKey(
        ApiKey, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    # The sender's own name for it; may be empty.
    reference = models.CharField(max_length=MAX_REFERENCE, blank=True)
    # An uploaded file's own name, for people.
    name = models.CharField(max_length=MAX_NAME, blank=True)
    format = models.CharField(max_length=40)
    # The file's format: jsonl, json (lines too, or values), csv or parquet.
    media = models.CharField(max_length=20)
    state = models.CharField(max_length=10, choices=State)
    # The last line that was committed; lines before it are done.
    line = models.PositiveBigIntegerField(default=0)
    created_count = models.PositiveBigIntegerField(default=0)
    same_count = models.PositiveBigIntegerField(default=0)
    span_count = models.PositiveBigIntegerField(default=0)
    refused_count = models.PositiveBigIntegerField(default=0)
    # For an uploaded file; `bytes_done` counts bytes as uploaded, compressed or not.
    bytes_total = models.PositiveBigIntegerField(default=0)
    bytes_done = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "reference"],
                condition=~models.Q(reference=""),
                name="bulk_reference_once_per_project",
            ),
        ]
        indexes = [
            models.Index(fields=["project", "-created_at", "-id"], name="bulk_recent"),
            models.Index(
                fields=["created_at", "id"],
                condition=models.Q(state__in=["pending", "running"]),
                name="bulk_queue",
            ),
            models.Index(fields=["created_at"], name="bulk_age"),
            models.Index(
                fields=["lease_until"],
                condition=models.Q(state="receiving"),
                name="bulk_receiving",
            ),
        ]

    def __str__(self) -> str:
        return self.reference or self.name or str(self.id)

    @property
    def owner(self) -> str:
        """The prefix of ids of interactions without an id."""
        return self.reference or str(self.id)

    @property
    def is_waiting(self) -> bool:
        """Whether a worker must still finish it."""
        return self.state in self.WAITING

    @property
    def is_upload(self) -> bool:
        """Whether it is an uploaded file, not a stream."""
        return self.bytes_total > 0

    @property
    def percent(self) -> int:
        """The percentage of the file that has been read."""
        if self.state == self.State.FINISHED:
            return 100
        return min(99, self.bytes_done * 100 // max(1, self.bytes_total))


class BulkRefusal(models.Model):
    """A part of a line that was not stored, and the reason."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    bulk = models.ForeignKey(Bulk, on_delete=models.CASCADE, related_name="refusals")
    line = models.PositiveBigIntegerField()
    item = models.PositiveIntegerField()
    status = models.PositiveSmallIntegerField()
    # The id of the interaction, if the line has one.
    name = models.CharField(max_length=200, blank=True)
    field = models.CharField(max_length=500, blank=True)
    message = models.CharField(max_length=500)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["bulk", "line", "item"], name="bulk_refusal_once"
            ),
        ]

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


class BulkPart(models.Model):
    """A piece of an uploaded file; deleted with the others once the file is read."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    bulk = models.ForeignKey(Bulk, on_delete=models.CASCADE, related_name="parts")
    index = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["bulk", "index"], name="bulk_part_once"),
        ]

    def __str__(self) -> str:
        return f"{self.bulk_id}, part {self.index}"
