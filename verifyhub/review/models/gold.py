"""Gold answers, and the reviewers they were handed to."""

import uuid
from datetime import datetime

from django.conf import settings
from django.db import models

from verifyhub.accounts.models import Project
from verifyhub.common.db import TimestampedModel
from verifyhub.review.models.judgements import Judgement
from verifyhub.verification.models import Verdict


class GoldQuerySet(models.QuerySet["GoldItem"]):
    """Queries of gold by state."""

    def active(self, now: datetime) -> "GoldQuerySet":
        """Return gold that is neither retired nor expired at `now` (aware)."""
        return self.filter(
            models.Q(expires_at=None) | models.Q(expires_at__gt=now), retired_at=None
        )


class GoldItem(TimestampedModel):
    """An answer with a known verdict, to measure reviewers."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    item = models.OneToOneField(
        "review.ReviewItem", on_delete=models.CASCADE, related_name="gold"
    )
    verdict = models.CharField(max_length=20, choices=Verdict)
    note = models.CharField(max_length=1000, blank=True)
    marked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    expires_at = models.DateTimeField(null=True)
    retired_at = models.DateTimeField(null=True)

    objects = GoldQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(
                fields=["project", "created_at"],
                condition=models.Q(retired_at=None),
                name="gold_active",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item_id}: {self.verdict}"


class GoldSeed(TimestampedModel):
    """A gold item that `Next` handed to a reviewer."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    gold = models.ForeignKey(GoldItem, on_delete=models.CASCADE, related_name="seeds")
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    judgement = models.OneToOneField(
        Judgement, null=True, on_delete=models.CASCADE, related_name="seed"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["gold", "reviewer"], name="gold_once_per_reviewer"
            ),
        ]
        indexes = [
            models.Index(
                fields=["project", "reviewer", "-created_at"], name="gold_seed_recent"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.gold_id} for {self.reviewer_id}"
