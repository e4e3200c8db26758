"""Batches of answers to be verified again."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import Project
from verifyhub.common.db import TimestampedModel
from verifyhub.ingest.models import Interaction


class Batch(TimestampedModel):
    """Answers to be verified again in the background, one after another."""

    class State(models.TextChoices):
        RUNNING = "running", _("Running")
        FINISHED = "finished", _("Finished")
        CANCELLED = "cancelled", _("Cancelled")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="batches"
    )
    # The filter that selected the answers, for people.
    filters = models.JSONField(default=dict)
    strictness = models.CharField(max_length=20, blank=True)
    state = models.CharField(max_length=20, choices=State, default=State.RUNNING)
    asked_by = models.CharField(max_length=200)
    total = models.PositiveIntegerField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project"],
                condition=models.Q(state="running"),
                name="batch_one_runs_per_project",
            ),
        ]
        indexes = [
            models.Index(fields=["project", "-created_at"], name="batch_recent"),
        ]

    def __str__(self) -> str:
        return f"{self.total} answers, {self.state}"


class BatchMember(models.Model):
    """One answer of a batch; without a verification it is not queued yet."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="members")
    interaction = models.ForeignKey(
        Interaction, on_delete=models.CASCADE, related_name="+"
    )
    verification = models.ForeignKey(
        "verification.Verification",
        null=True,
        on_delete=models.CASCADE,
        related_name="batch_members",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["batch", "interaction"], name="batch_member_once"
            ),
        ]
        indexes = [
            models.Index(
                fields=["batch", "id"],
                condition=models.Q(verification__isnull=True),
                name="batch_member_to_come",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.interaction_id} in {self.batch_id}"
