"""Claims of fact as rows, and detections."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from verifyhub.accounts.models import Project
from verifyhub.common.db import new_id
from verifyhub.common.queued_row import QueuedRow, WorkState
from verifyhub.engine.claim_results import FactStatus
from verifyhub.engine.layer_results import DetectionResult
from verifyhub.engine.reports import Outcome
from verifyhub.ingest.models import Interaction
from verifyhub.verification.models.work import work_indexes


class FactStatuses(models.TextChoices):
    """The status of a claim of fact."""

    VERIFIED = FactStatus.VERIFIED, pgettext_lazy("claim", "verified")
    CONTRADICTED = FactStatus.CONTRADICTED, pgettext_lazy("claim", "contradicted")
    AMBIGUOUS = FactStatus.AMBIGUOUS, pgettext_lazy("claim", "ambiguous")
    UNKNOWN = FactStatus.UNKNOWN, pgettext_lazy("claim", "unknown")


class FactWord(models.TextChoices):
    """A reviewer's decision on a claim of fact."""

    RIGHT = "right", pgettext_lazy("claim", "correct")
    WRONG = "wrong", pgettext_lazy("claim", "wrong")


class ClaimVerdict(models.Model):
    """One claim of fact in the answer, with its status and evidence."""

    # Divided like `MentionVerdict`.
    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    verification = models.ForeignKey(
        "verification.Verification",
        on_delete=models.CASCADE,
        related_name="claims",
        db_index=False,
    )
    # Position in report["claims"], from 0.
    index = models.PositiveIntegerField()
    text = models.TextField()
    # Half-open range in code points of the answer.
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    status = models.CharField(max_length=20, choices=FactStatuses)
    judged_by = models.CharField(max_length=20)
    reason = models.CharField(max_length=60, blank=True)
    confidence = models.FloatField(null=True)
    support = models.FloatField(null=True)
    # Evidence for and against it, as in the report.
    evidence = models.JSONField(null=True)
    contradicting = models.JSONField(default=list)
    # A reviewer's status, which replaces the verification's; empty without one.
    human_status = models.CharField(max_length=20, choices=FactWord, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["verification", "index"], name="claim_index_once"
            ),
        ]
        indexes = [
            models.Index(fields=["id"], name="claim_verdict_id"),
            # Metrics and exports of a project's claims by status.
            models.Index(fields=["project", "status"], name="claim_verdict_status"),
        ]

    def __str__(self) -> str:
        return f"{self.text[:60]}: {self.status}"


class Detection(QueuedRow):
    """Detection layers over one text. The row is queued work, like a verification."""

    State = WorkState
    WAITING = (State.PENDING, State.RUNNING)

    class Outcomes(models.TextChoices):
        PASSED = Outcome.PASSED, _("passed")
        FAILED = Outcome.FAILED, _("failed")
        INCONCLUSIVE = Outcome.INCONCLUSIVE, _("inconclusive")
        SKIPPED = Outcome.SKIPPED, _("skipped")

    MAX_ASKED_BY = 200

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="detections"
    )
    # The stored answer, if it is the text of one.
    interaction = models.ForeignKey(
        Interaction, null=True, on_delete=models.CASCADE, related_name="detections"
    )
    # A person's name, or `key` and the key's name.
    asked_by = models.CharField(max_length=MAX_ASKED_BY)
    text = models.TextField()
    task = models.TextField(blank=True)
    context = models.TextField(blank=True)
    # Those of the run or of the request.
    sources = models.JSONField(default=list)
    # The request: `risk`, `layers`, `max_latency_ms`, `max_cost_microdollars`.
    asked = models.JSONField(default=dict)
    state = models.CharField(max_length=20, choices=State, default=State.PENDING)
    # `DetectionResult.as_dict`, exactly as the API returns it.
    result = models.JSONField(null=True)
    risk = models.CharField(max_length=20, blank=True)
    outcome = models.CharField(max_length=20, choices=Outcomes, blank=True)
    confidence = models.FloatField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(state="finished")
                | models.Q(
                    result__isnull=False, outcome__in=[str(one) for one in Outcome]
                ),
                name="detection_finished_has_result",
            ),
        ]
        indexes = work_indexes("detection")

    def __str__(self) -> str:
        return f"{self.id}: {self.state}"

    @property
    def detection_result(self) -> DetectionResult | None:
        """The result as an engine value; None if there is none yet."""
        return DetectionResult.from_dict(self.result) if self.result else None
