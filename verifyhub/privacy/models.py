"""Deletions, retention and legal holds."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import Project
from verifyhub.common.db import TimestampedModel
from verifyhub.common.queued_row import QueuedRow


class RetentionRule(TimestampedModel):
    """A project's retention periods, in days; null for no limit."""

    project = models.OneToOneField(
        Project, primary_key=True, on_delete=models.CASCADE, related_name="retention"
    )
    # Runs with their traces, verdicts and all dependent data.
    run_days = models.PositiveIntegerField(null=True)
    # Inputs and outputs of tool calls; the runs with their verdicts stay.
    output_days = models.PositiveIntegerField(null=True)
    # OpenTelemetry spans; the runs made from them stay.
    trace_days = models.PositiveIntegerField(null=True)
    # Entries of sessions, and recurring names, except for people's decisions.
    memory_days = models.PositiveIntegerField(null=True)
    # Events for webhooks and streams, with deliveries.
    event_days = models.PositiveIntegerField(null=True)

    def __str__(self) -> str:
        return f"retention of {self.project_id}"


class LegalHold(TimestampedModel):
    """A hold: its rows cannot be deleted, whatever their age, until it is released.

    The row stays after its release as a record.
    """

    class Kind(models.TextChoices):
        PROJECT = "project", _("Everything in the project")
        RUN = "run", _("One run")
        SESSION = "session", _("A session")
        AGENT = "agent", _("An agent")

    MAX_REASON = 500

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    # A held project cannot be deleted by a cascade either.
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind)
    # The id of the run, the name of the session or the agent; empty for the project.
    target = models.CharField(max_length=200, blank=True)
    reason = models.CharField(max_length=MAX_REASON)
    placed_by = models.CharField(max_length=200)
    released_by = models.CharField(max_length=200, blank=True)
    released_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["project"],
                condition=Q(released_at=None),
                name="legal_hold_active",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}, {'released' if self.released_at else 'active'}"


class Deletion(QueuedRow):
    """A deletion of data everywhere: the queued work, and its report.

    First a worker counts the rows, by deleting them in transactions that are rolled
    back; after a person's confirmation it deletes them, batch by batch.
    """

    class Kind(models.TextChoices):
        RUN = "run", _("One run")
        SESSION = "session", _("A session")
        AGENT = "agent", _("An agent")
        PERSON = "person", _("A person named in runs")
        # By the project's retention.
        OLD_RUNS = "old_runs", _("Old runs")
        OLD_OUTPUTS = "old_outputs", _("Old tool inputs and outputs")
        OLD_TRACES = "old_traces", _("Old traces")
        OLD_MEMORY = "old_memory", _("Old memory")
        OLD_EVENTS = "old_events", _("Old events")

    class State(models.TextChoices):
        PENDING = "pending", _("Waiting for a worker")
        RUNNING = "running", _("Running")
        COUNTED = "counted", _("Waiting for confirmation")
        FINISHED = "finished", _("Finished")
        FAILED = "failed", _("Failed")
        STOPPED = "stopped", _("Stopped")

    MAX_TARGET = 200
    UNDER_WAY = (State.PENDING, State.RUNNING)
    CAN_STOP = (State.PENDING, State.RUNNING, State.COUNTED)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=20, choices=Kind)
    # An id, a name or a text; cleared at the end.
    target = models.CharField(max_length=MAX_TARGET, blank=True)
    # For old rows: those created before.
    before = models.DateTimeField(null=True)
    state = models.CharField(
        max_length=10, choices=State.choices, default=State.PENDING
    )
    is_confirmed = models.BooleanField(default=False)
    asked_by = models.CharField(max_length=200)
    # The last processed run.
    cursor = models.UUIDField(null=True)
    # The last constraint that old runs were taken from, before they are deleted.
    name_cursor = models.UUIDField(null=True)
    looked_at = models.PositiveIntegerField(default=0)
    # Runs kept by a legal hold; for old outputs, also runs that wait for a verdict.
    held = models.PositiveIntegerField(default=0, db_default=0)
    # Number of rows by kind: counted beforehand, and deleted.
    expected = models.JSONField(default=dict)
    deleted = models.JSONField(default=dict)

    class Meta:
        indexes = [
            models.Index(fields=["project", "-created_at"], name="deletion_recent"),
        ]

    def __str__(self) -> str:
        return f"{self.kind}, {self.state}"

    @property
    def is_under_way(self) -> bool:
        """Whether a worker is processing it, or will be."""
        return self.state in self.UNDER_WAY

    @property
    def can_be_stopped(self) -> bool:
        """Whether it can still be stopped."""
        return self.state in self.CAN_STOP
