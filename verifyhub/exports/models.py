"""Export jobs, schedules and destinations."""

import uuid
from typing import Any

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from verifyhub.accounts.models import Project
from verifyhub.common.db import TimestampedModel
from verifyhub.common.queued_row import QueuedRow, WorkState
from verifyhub.exports.writing import FileFormat

MAX_NAME = 100
MAX_DATASET = 40


class Destination(TimestampedModel):
    """A folder or bucket that scheduled exports are delivered to."""

    class Kind(models.TextChoices):
        FOLDER = "folder", _("Server folder")
        S3 = "s3", _("S3-compatible storage")

    MAX_PLACE = 500
    MAX_KEY = 200

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=MAX_NAME)
    kind = models.CharField(max_length=10, choices=Kind)
    # Below the operator's folder for the project, or the prefix of keys in a bucket.
    path = models.CharField(max_length=MAX_PLACE, blank=True)
    # One that the operator allows.
    endpoint = models.CharField(max_length=MAX_PLACE, blank=True)
    bucket = models.CharField(max_length=63, blank=True)
    region = models.CharField(max_length=60, blank=True)
    access_key_id = models.CharField(max_length=MAX_KEY, blank=True)
    # Encrypted for this row (`common.sealing`).
    sealed_secret = models.TextField(blank=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name"], name="export_destination_name_once"
            ),
            models.CheckConstraint(
                condition=models.Q(kind="folder")
                | ~models.Q(endpoint="") & ~models.Q(bucket=""),
                name="export_destination_is_whole",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Wanted(models.Model):
    """The selection of rows, of a schedule and of each of its exports."""

    datasets = ArrayField(models.CharField(max_length=MAX_DATASET))
    written_as = models.CharField(max_length=10, choices=FileFormat)
    # Values of `ExportFilterForm`: texts by name.
    filters = models.JSONField(default=dict)

    class Meta:
        abstract = True


class Schedule(Wanted, TimestampedModel):
    """An export that runs every day or every week."""

    class Every(models.TextChoices):
        DAY = "day", pgettext_lazy("schedule", "Every day")
        WEEK = "week", pgettext_lazy("schedule", "Every week")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=MAX_NAME)
    every = models.CharField(max_length=10, choices=Every, default=Every.DAY)
    # 0 is Monday; only for weekly schedules.
    weekday = models.PositiveSmallIntegerField(default=0)
    hour = models.PositiveSmallIntegerField(default=3)
    # The time zone of the hour, a name of the IANA database.
    time_zone = models.CharField(max_length=64, default="UTC")
    # Whether it only exports rows since the last successful run.
    is_incremental = models.BooleanField(default=True)
    destination = models.ForeignKey(
        Destination, null=True, on_delete=models.PROTECT, related_name="schedules"
    )
    is_on = models.BooleanField(default=True)
    next_at = models.DateTimeField()
    # The end of the period that successful runs have exported.
    exported_until = models.DateTimeField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name"], name="export_schedule_name_once"
            ),
            models.CheckConstraint(
                condition=models.Q(hour__lte=23, weekday__lte=6),
                name="export_schedule_time_exists",
            ),
        ]
        indexes = [
            models.Index(
                fields=["next_at"],
                condition=models.Q(is_on=True),
                name="export_schedule_due",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class ExportJob(Wanted, QueuedRow):
    """One export. The row is queued work, like a verification (ADR 0003).

    `parts` lists the complete files; `place` is the position after the last of them.
    Both are written together, under the claim's token: a killed worker only loses its
    current part.
    """

    State = WorkState
    WAITING = (State.PENDING, State.RUNNING)
    MAX_ASKED_BY = 200

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="export_jobs"
    )
    state = models.CharField(max_length=20, choices=State, default=State.PENDING)
    asked_by = models.CharField(max_length=MAX_ASKED_BY)
    # Decisions are exported as this person may see them; null: as a program may.
    viewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    schedule = models.ForeignKey(
        Schedule, null=True, on_delete=models.SET_NULL, related_name="jobs"
    )
    destination = models.ForeignKey(
        Destination, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    # The period [since, until), fixed so that later tries export the same rows.
    since = models.DateTimeField(null=True)
    until = models.DateTimeField()
    # The number of rows to read; null until counted.
    expected = models.PositiveBigIntegerField(null=True)
    rows = models.PositiveBigIntegerField(default=0)
    size = models.PositiveBigIntegerField(default=0)
    # The position: `dataset` (its number), `after` (position of its last row), `read`
    # (number of rows).
    place = models.JSONField(default=dict)
    # `name`, `file`, `dataset`, `rows`, `bytes`, `sha256` of each file.
    parts = models.JSONField(default=list)
    # How many of the files have been delivered.
    delivered = models.PositiveIntegerField(default=0)
    manifest = models.JSONField(null=True)
    # When the files are deleted; null until they are complete.
    expires_at = models.DateTimeField(null=True)
    forgotten_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["created_at", "id"],
                condition=models.Q(state__in=["pending", "running"]),
                name="export_queue",
            ),
            models.Index(fields=["project", "-created_at", "-id"], name="export_new"),
            models.Index(
                fields=["expires_at"],
                condition=models.Q(forgotten_at__isnull=True),
                name="export_expiry",
            ),
        ]

    def __str__(self) -> str:
        return f"{', '.join(self.datasets)}: {self.state}"

    @property
    def shape(self) -> str:
        """The format of texts in training data."""
        return str(self.filters.get("shape") or "conversational")

    @property
    def is_waiting(self) -> bool:
        """Whether a worker must still finish it."""
        return self.state in self.WAITING

    @property
    def has_files(self) -> bool:
        """Whether there is something to download."""
        return self.state == self.State.FINISHED and self.forgotten_at is None

    def part(self, name: str) -> dict[str, Any] | None:
        """Return one file by its name; None if it does not exist."""
        return next((entry for entry in self.parts if entry["name"] == name), None)
