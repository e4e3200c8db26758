"""Snapshots of the names that a project has (ADR 0019)."""

import uuid

from django.db import models
from django.db.models.functions import Reverse
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import Project
from verifyhub.common.db import TimestampedModel


class Snapshot(TimestampedModel):
    """Names that exist in a project: of a lock file, manifest or list, or learned."""

    class Origin(models.TextChoices):
        UPLOADED = "uploaded", _("Uploaded")
        LEARNED = "learned", _("Learned from accepted runs")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=100)
    # The format it was read as, such as `uv.lock`; `symbols` for a list of symbols.
    format = models.CharField(max_length=40)
    origin = models.CharField(max_length=20, choices=Origin, default=Origin.UPLOADED)
    # The pools that it is complete for: a name missing there does not exist.
    pools = models.JSONField(default=list)
    name_count = models.PositiveIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True)
    changed_by = models.CharField(max_length=200, blank=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name"], name="snapshot_once_per_name"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class SnapshotName(models.Model):
    """One name of a snapshot; `key` is the form in which its pool compares names.

    Every draft looks names up by index: by key, and by neighbours of a key in the order
    of its first and of its last letters.
    """

    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    snapshot = models.ForeignKey(
        Snapshot, on_delete=models.CASCADE, related_name="names", db_index=False
    )
    pool = models.CharField(max_length=20)
    # Byte order: the same on every server, and neighbours have a common prefix.
    key = models.CharField(max_length=200, db_collation="C")
    text = models.CharField(max_length=200, db_collation="C")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["snapshot", "pool", "text"], name="snapshot_name_once"
            ),
        ]
        indexes = [
            models.Index(fields=["project", "pool", "key"], name="snapshot_name_key"),
            models.Index(
                "project", "pool", Reverse("key"), name="snapshot_name_ending"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pool} {self.text}"
