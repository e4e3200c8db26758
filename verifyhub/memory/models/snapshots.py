"""Snapshots of the names that a project has (ADR 0019)."""

import uuid

from django.db import models
from django.db.models.functions import Reverse
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import Project
from verifyhub.common.db import TimestampedModel


class Snapshot(TimestampedModel):
    """Names that a project has: of one lock file, manifest or list, or learned."""

    class Origin(models.TextChoices):
        UPLOADED = "uploaded", _("Uploaded")
        LEARNED = "learned", _("Learned from accepted runs")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=100)
    # The file it was read as, such as `uv.lock`; `symbols` for a list of them.
    format = models.CharField(max_length=40)
    origin = models.CharField(max_length=20, choices=Origin, default=Origin.UPLOADED)
    # The pools it is whole for: a name missing from such a pool is not the project's.
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
    """One name of a snapshot; `key` is how its pool compares names.

    Read for every draft, so it is found by index: by key, and by the neighbours of a
    key in the order of its first and of its last letters.
    """

    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    snapshot = models.ForeignKey(
        Snapshot, on_delete=models.CASCADE, related_name="names", db_index=False
    )
    pool = models.CharField(max_length=20)
    # Bytes in order: the same on every server, and neighbours begin alike.
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
