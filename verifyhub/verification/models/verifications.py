"""Verifications (rows of the queue) and their mentions."""

import uuid

from django.db import models
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import Project
from verifyhub.common.db import TimestampedModel, new_id
from verifyhub.common.queued_row import QueuedRow, WorkState
from verifyhub.common.tracing import address_of
from verifyhub.engine.reports import NOT_COUNTED
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.ingest.models import Interaction
from verifyhub.verification.models.report_field import ReportField
from verifyhub.verification.models.work import queue_index


class Verdict(models.TextChoices):
    """The judgement of an answer."""

    ACCEPT = "accept", _("Accept")
    UNCERTAIN = "uncertain", _("Uncertain")
    REJECT = "reject", _("Reject")


class MentionStatus(models.TextChoices):
    """Whether a name in the answer was found in the evidence."""

    VERIFIED = "verified", _("Verified")
    UNVERIFIED = "unverified", _("Unverified")


class Verification(QueuedRow):
    """One run of the engine over an interaction. The row is queued work (ADR 0003).

    A worker claims it by one conditional UPDATE that counts the attempt, sets a new
    fencing token and a lease; the result is written only under that token.
    """

    State = WorkState
    WAITING = (State.PENDING, State.RUNNING)

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    # Its index is used to skip through the projects with due rows (`claim_due`).
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    interaction = models.ForeignKey(
        Interaction,
        on_delete=models.CASCADE,
        related_name="verifications",
        db_index=False,
    )
    # 1 for the first verification of an interaction, then counting re-verifications.
    number = models.PositiveIntegerField(default=1)
    state = models.CharField(max_length=20, choices=State, default=State.PENDING)
    # The requester's choice; empty for the project's preset.
    strictness = models.CharField(max_length=20, blank=True, default="")
    # Whether detection layers were requested, in addition to the project's own.
    with_layers = models.BooleanField(default=False, db_default=False)

    # The verdict object, schema 1, as the API returns it. Only a model's late opinion
    # amends it (ADR 0015). People's decisions are stored in other columns, so that
    # calibration can learn from them. Assign the object or its document.
    report = ReportField(null=True)
    verdict = models.CharField(max_length=20, choices=Verdict, blank=True)
    # A reviewer's verdict; empty until somebody has decided.
    human_verdict = models.CharField(max_length=20, choices=Verdict, blank=True)
    # Until then decisions are hidden from programs: the answer measures reviewers.
    review_withheld_until = models.DateTimeField(null=True)
    confidence = models.FloatField(null=True)
    coverage = models.FloatField(null=True)
    completeness = models.FloatField(null=True)
    # The agent's confidence in its answer (A7), 0..1; null without a valid one.
    self_confidence = models.FloatField(null=True)
    action = models.CharField(max_length=20, blank=True)
    mention_count = models.PositiveIntegerField(default=0)
    unverified_count = models.PositiveIntegerField(default=0)
    engine_version = models.CharField(max_length=40, blank=True)
    duration_ms = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["interaction", "number"], name="verification_number_once"
            ),
            models.CheckConstraint(
                condition=~models.Q(state="finished")
                | models.Q(report__isnull=False, verdict__in=Verdict.values),
                name="verification_finished_has_report",
            ),
            models.CheckConstraint(
                condition=models.Q(confidence__isnull=True)
                | models.Q(confidence__gte=0, confidence__lte=1),
                name="verification_confidence_in_range",
            ),
        ]
        indexes = [
            queue_index("verification_queue"),
            # Few rows, counted often (`/metrics`, the backlog).
            models.Index(
                fields=["project"],
                condition=models.Q(state="failed"),
                name="verification_failed",
            ),
            # For the turns of projects, each with its oldest due row (`claim_due`).
            models.Index(
                models.F("project"),
                Coalesce("next_at", "created_at"),
                models.F("id"),
                condition=models.Q(state="pending"),
                name="verification_due",
            ),
            models.Index(
                fields=["project", "finished_at"],
                condition=models.Q(finished_at__isnull=False),
                name="verification_by_end",
            ),
            # The order of exports.
            models.Index(
                fields=["project", "created_at", "id"], name="verification_made"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.interaction_id} #{self.number}"

    @property
    def trace_url(self) -> str:
        """The URL of this verification's spans in a tracing tool; empty without one."""
        return address_of(self.id)

    @property
    def verdict_object(self) -> VerificationReport:
        """The report as an engine value; an empty one if there is none."""
        if isinstance(self.report, VerificationReport):
            return self.report
        cached = self.__dict__.get("_verdict_object")
        if cached is None or cached[0] is not self.report:
            cached = self.report, VerificationReport.from_dict(self.report or {})
            self.__dict__["_verdict_object"] = cached
        verdict: VerificationReport = cached[1]
        return verdict


class MentionVerdict(models.Model):
    """One name in the answer and what the engine found about it."""

    MAX_KEY = 500
    # Names for or against the answer: `MentionResult.counts`, for queries.
    COUNTED = models.Q(status=MentionStatus.VERIFIED) | ~models.Q(
        reason__in=NOT_COUNTED
    )

    # The table is divided by the months of `verification`, so the key that the database
    # enforces is (verification, index).
    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    verification = models.ForeignKey(
        Verification,
        on_delete=models.CASCADE,
        related_name="mentions",
        db_index=False,
    )
    # Position in report["mentions"], from 0.
    index = models.PositiveIntegerField()
    text = models.TextField()
    kind = models.CharField(max_length=30)
    # Normalised form: the same name in two answers has the same kind and key.
    key = models.CharField(max_length=MAX_KEY)
    status = models.CharField(max_length=20, choices=MentionStatus)
    reason = models.CharField(max_length=40)
    grade = models.CharField(max_length=1, blank=True)
    suggestion = models.TextField(blank=True)
    # What a reviewer says instead; empty while the machine's status stands.
    human_status = models.CharField(max_length=20, choices=MentionStatus, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["verification", "index"], name="mention_index_once"
            ),
        ]
        indexes = [
            models.Index(fields=["id"], name="mention_verdict_id"),
            models.Index(
                fields=["project", "kind", "key"], name="mention_verdict_name"
            ),
            # Where a name had no evidence: few of the rows of one that is common.
            models.Index(
                fields=["project", "kind", "key"],
                condition=models.Q(status=MentionStatus.UNVERIFIED),
                name="mention_invented_name",
            ),
            # What people said of a name before: few rows of very many.
            models.Index(
                fields=["project", "kind", "key"],
                condition=~models.Q(human_status=""),
                name="mention_judged_name",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.text}: {self.status}"

    @property
    def effective_status(self) -> str:
        """The reviewer's status where there is one, else the machine's."""
        return self.human_status or self.status


class VerificationLog(TimestampedModel):
    """One result of a goal check; never changed, never deleted (requirement C4).

    A database trigger refuses UPDATE, DELETE and TRUNCATE. So the row points at what
    it speaks of without a constraint: it outlives it.
    """

    class Type(models.TextChoices):
        AGENT = "agent", _("Agent")
        ORCHESTRATOR = "orchestrator", _("Orchestrator")
        MODERATOR = "moderator", _("Moderator")

    MAX_TARGET = 200

    # Unique by how it is made: the table is divided by the months of `interaction`.
    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    project = models.ForeignKey(
        Project,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        related_name="+",
        db_index=False,
    )
    interaction = models.ForeignKey(
        Interaction,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        related_name="verification_logs",
        db_index=False,
    )
    verification = models.ForeignKey(
        Verification,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        related_name="+",
    )
    type = models.CharField(max_length=20, choices=Type)
    # The agent's name.
    target = models.CharField(max_length=MAX_TARGET, blank=True)
    goal = models.TextField()
    # goalAchieved, confidence, issues, suggestions and how they came about.
    result = models.JSONField()

    class Meta:
        indexes = [
            models.Index(
                fields=["interaction", "created_at", "id"],
                name="verification_log_of",
            ),
            models.Index(
                fields=["project", "type", "-created_at"],
                name="verification_log_type",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.interaction_id}"


class AwaitedOpinion(QueuedRow):
    """A model's opinion that is still missing from a finished verification (ADR 0015).

    The row is the queue. Waiting for a budget counts as no attempt.
    """

    class State(models.TextChoices):
        PENDING = WorkState.PENDING.value, _("Waiting")
        RUNNING = WorkState.RUNNING.value, _("Asking")
        FINISHED = WorkState.FINISHED.value, _("Answered")
        FAILED = WorkState.FAILED.value, _("Failed permanently")
        # Another verification of the answer took its place.
        REPLACED = "replaced", _("Replaced")

    WAITING = (State.PENDING, State.RUNNING)

    verification = models.OneToOneField(
        Verification,
        primary_key=True,
        db_column="id",
        on_delete=models.CASCADE,
        related_name="awaited_opinion",
    )
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    state = models.CharField(max_length=20, choices=State, default=State.PENDING)
    # Why it is missing, as the check says.
    reason = models.CharField(max_length=40)

    class Meta:
        indexes = [
            models.Index(
                fields=["created_at", "verification"],
                condition=models.Q(state__in=["pending", "running"]),
                name="awaited_opinion_waiting",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.verification_id}: {self.state}"


class ToolSchema(TimestampedModel):
    """A JSON Schema that a project registered for outputs of a tool (level 2)."""

    MAX_REFERENCE = 300
    MAX_TOOL = 200

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="tool_schemas"
    )
    # `package/schema#Name`: how other schemas of the project refer to it.
    reference = models.CharField(max_length=MAX_REFERENCE)
    # The tool whose outputs are checked; empty where others only refer to it.
    tool = models.CharField(max_length=MAX_TOOL, blank=True)
    schema = models.JSONField()
    changed_at = models.DateTimeField(auto_now=True)
    changed_by = models.CharField(max_length=200)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "reference"], name="tool_schema_reference_once"
            ),
            models.UniqueConstraint(
                fields=["project", "tool"],
                condition=~models.Q(tool=""),
                name="tool_schema_tool_once",
            ),
        ]

    def __str__(self) -> str:
        return self.reference


class GatewayKey(TimestampedModel):
    """A tool gateway whose signatures of traces the project trusts (grade B)."""

    MAX_KEY_ID = 100

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="gateway_keys"
    )
    # How `trace_signature.key_id` names it; never used again once revoked.
    key_id = models.CharField(max_length=MAX_KEY_ID)
    # Ed25519, base64 of 32 bytes; there is nothing secret in it.
    public_key = models.CharField(max_length=44)
    created_by = models.CharField(max_length=200)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "key_id"], name="gateway_key_once_per_project"
            ),
        ]

    def __str__(self) -> str:
        return self.key_id
