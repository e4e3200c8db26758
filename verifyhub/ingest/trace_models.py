"""Traces of OpenTelemetry: raw spans, and the answers read from them."""

from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import ApiKey, Project
from verifyhub.common.db import TimestampedModel, new_id
from verifyhub.common.queued_row import QueuedRow
from verifyhub.ingest.models import Interaction


class OtlpTrace(QueuedRow):
    """A trace, and the work of turning it into interactions (`common.row_queue`).

    It is pending until a grace period after the end of its root, or until no more spans
    arrive; a later span makes it pending again.
    """

    class State(models.TextChoices):
        PENDING = "pending", _("Waiting for spans")
        RUNNING = "running", _("Processing")
        FINISHED = "finished", _("Processed")
        FAILED = "failed", _("Failed")

    MAX_NAME = 200

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    api_key = models.ForeignKey(
        ApiKey, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    trace_id = models.CharField(max_length=32)
    # The name of its root, or of the first span that arrived.
    name = models.CharField(max_length=MAX_NAME, blank=True)
    state = models.CharField(
        max_length=10, choices=State.choices, default=State.PENDING
    )
    last_seen_at = models.DateTimeField()
    root_seen = models.BooleanField(default=False)
    span_count = models.PositiveIntegerField(default=0)
    # Spans that arrived after it was read.
    late_count = models.PositiveIntegerField(default=0)
    # The mapping: names of dialects; steps by span id; unmapped content.
    dialects = models.JSONField(default=list)
    steps = models.JSONField(default=dict)
    not_mapped = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "trace_id"], name="trace_once_per_project"
            ),
        ]
        indexes = [
            models.Index(
                fields=["created_at", "id"],
                condition=models.Q(state__in=["pending", "running"]),
                name="trace_queue",
            ),
            # For the turns of projects, each with its oldest due row (`claim_due`).
            models.Index(
                models.F("project"),
                Coalesce("next_at", "created_at"),
                models.F("id"),
                condition=models.Q(state="pending"),
                name="trace_due",
            ),
            models.Index(
                fields=["project"],
                condition=models.Q(state__in=["pending", "running"]),
                name="trace_waiting",
            ),
            models.Index(
                fields=["project", "-last_seen_at", "-id"], name="trace_recent"
            ),
            models.Index(fields=["last_seen_at"], name="trace_age"),
        ]

    def __str__(self) -> str:
        return self.trace_id


class OtlpSpan(TimestampedModel):
    """One complete span, in the form of `formats.otlp.span.Span.as_json`."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    trace = models.ForeignKey(OtlpTrace, on_delete=models.CASCADE, related_name="spans")
    span_id = models.CharField(max_length=16)
    has_ended = models.BooleanField()
    is_late = models.BooleanField(default=False)
    data = models.JSONField()

    class Meta:
        constraints = [
            # Unique within a project as well, since a trace belongs to one.
            models.UniqueConstraint(
                fields=["trace", "span_id"], name="span_once_per_trace"
            ),
        ]
        indexes = [BrinIndex(fields=["created_at"], name="span_age")]

    def __str__(self) -> str:
        return self.span_id


class TracedAnswer(TimestampedModel):
    """The interaction made from a span; a new version if the span changed."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    trace = models.ForeignKey(
        OtlpTrace, on_delete=models.CASCADE, related_name="answers"
    )
    span_id = models.CharField(max_length=16)
    version = models.PositiveSmallIntegerField()
    content_sha256 = models.CharField(max_length=64)
    interaction = models.ForeignKey(
        Interaction, on_delete=models.CASCADE, related_name="traced"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["trace", "span_id", "version"], name="traced_answer_version"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.span_id}, version {self.version}"
