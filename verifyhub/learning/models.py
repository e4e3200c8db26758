"""Judged answers, labelled examples, and holdouts."""

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GistIndex
from django.db import models
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import Project
from verifyhub.common.db import TimestampedModel
from verifyhub.common.packing import packed_property
from verifyhub.engine.reports import Verdict
from verifyhub.ingest.models import Interaction
from verifyhub.learning.calibration_models import (
    MAX_CHECK_NAME,
    BlockingRule,
    CalibrationModel,
)

__all__ = [
    "MAX_CHECK_NAME",
    "AppliedAdvice",
    "Arm",
    "BlockingRule",
    "CalibrationModel",
    "CalibrationSample",
    "FeedbackKind",
    "HoldOut",
    "JudgedAnswer",
    "LabelledExample",
    "PreferencePair",
]

# The compression dictionary of an answer's facts. It must never change, since stored
# rows can only be read with the same one.
USUAL_FACTS = (
    b'"found":{"A":1,"B":1,"C":1},"missing":0,"repeated":true,"claims":["supported",'
    b'"contradicted","unattempted","unchecked"],"model_confidence":0.9,"completeness":1.0'
    b'"failed_level":"level_3_filesystem","contradicted":true,"doubted":true,'
    b'"awaited":true,"goal":{"state":"not_achieved","stated":true,"source":"ledger",'
    b'"goal":{"state":"achieved","stated":true,"source":"model","confidence":0.9},'
    b'{"found":{"C":1},"missing":1,"repeated":false,"claims":[],"model_confidence":null,'
    b'"completeness":null,"gaps":0,"contradicted":false,"failed_level":"",'
    b'"doubted":false,"awaited":false,"domain_open":false,"goal":{"state":"not_checked",'
    b'"stated":false,"source":"","confidence":null},"attempt":1}'
)
MAX_SUBJECT = 300
MAX_REASON = 500
MAX_TASK_EXCERPT = 300
MAX_ANSWER_EXCERPT = 500


class JudgedAnswer(TimestampedModel):
    """One answer with the judgements of verification and people, without its texts.

    It contains the data of learning's metrics, so that these need no reports. The row
    is also the lock for decisions on one answer.
    """

    class Verdicts(models.TextChoices):
        ACCEPT = Verdict.ACCEPT, _("Accept")
        UNCERTAIN = Verdict.UNCERTAIN, _("Uncertain")
        REJECT = Verdict.REJECT, _("Reject")

    interaction = models.OneToOneField(
        Interaction, primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    # The newest verification; not a foreign key, since its package is above this one.
    verification_id = models.UUIDField()
    answered_at = models.DateTimeField()
    session_key = models.CharField(max_length=200, blank=True)
    agent = models.CharField(max_length=200, blank=True)
    # The model from the run's metadata, or else the agent's tier.
    model = models.CharField(max_length=200, blank=True)
    tools = ArrayField(models.CharField(max_length=200), default=list)
    attempt = models.PositiveIntegerField(default=1)
    verdict = models.CharField(max_length=20, choices=Verdicts)
    # The verdict of the newest current decision; empty until there is one.
    human_verdict = models.CharField(max_length=20, choices=Verdicts, blank=True)
    counted = models.PositiveIntegerField(default=0)
    unverified = models.PositiveIntegerField(default=0)
    # Names that people changed to invented, minus those changed to right.
    moved = models.IntegerField(default=0)
    # Whether the answer's session is held out, by kind of feedback.
    arms = models.JSONField(default=dict)
    # The data for a replay with another threshold (`engine.decisions.replay`).
    facts_json = models.JSONField(null=True, db_column="facts")
    facts_packed = models.BinaryField(null=True)
    facts = packed_property(
        "facts_json", "facts_packed", USUAL_FACTS, "What `facts_of` gives; see above."
    )

    class Meta:
        indexes = [
            models.Index(
                fields=["project", "answered_at"], name="judged_answer_by_time"
            ),
            models.Index(
                fields=["project", "agent", "answered_at"],
                name="judged_answer_by_agent",
            ),
            models.Index(
                fields=["project", "-answered_at"],
                condition=~models.Q(arms={}),
                name="judged_answer_in_arms",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.interaction_id}: {self.verdict}"


# Statuses of a claim of fact by verification and by a person with the same meaning.
SAME_WORDS = frozenset({("verified", "right"), ("contradicted", "wrong")})


class LabelledExample(TimestampedModel):
    """A verification's judgement of an answer or a part of it, with a person's."""

    class Target(models.TextChoices):
        VERDICT = "verdict", _("Verdict")
        MENTION = "mention", _("Name")
        CLAIM = "claim", _("Claim of work")
        FACT = "fact", _("Claim of fact")

    class State(models.TextChoices):
        TAUGHT = "taught", _("Taught")
        # By a lead: it is not shown to verifiers.
        RETIRED = "retired", _("Retired")
        # The decision was undone.
        UNDONE = "undone", _("Undone")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    interaction = models.ForeignKey(
        Interaction, on_delete=models.CASCADE, related_name="+"
    )
    verification_id = models.UUIDField()
    # The decision: an override, or the confirmed item.
    override_id = models.UUIDField()
    target = models.CharField(max_length=20, choices=Target)
    # The name or the claim; empty for the whole answer.
    subject = models.CharField(max_length=MAX_SUBJECT, blank=True)
    subject_kind = models.CharField(max_length=30, blank=True)
    # SHA-256 of target, kind and full name: identifies the subject in an answer.
    subject_key = models.CharField(max_length=64)
    machine = models.CharField(max_length=20)
    person = models.CharField(max_length=20)
    reason = models.CharField(max_length=MAX_REASON, blank=True)
    task_excerpt = models.CharField(max_length=MAX_TASK_EXCERPT)
    answer_excerpt = models.CharField(max_length=MAX_ANSWER_EXCERPT)
    # Both excerpts together, for similarity.
    likeness = models.CharField(max_length=MAX_TASK_EXCERPT + MAX_ANSWER_EXCERPT + 1)
    state = models.CharField(max_length=20, choices=State, default=State.TAUGHT)
    # Whether it is the newest decision on its subject and not retired: only such
    # examples are shown to verifiers.
    active = models.BooleanField(default=True)
    # The order of decisions on one answer: later ones outrank earlier ones.
    decided_at = models.DateTimeField()
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["override_id", "subject_key"], name="example_once_per_decision"
            ),
        ]
        indexes = [
            models.Index(fields=["interaction"], name="example_of_answer"),
            models.Index(fields=["project", "-decided_at", "-id"], name="example_new"),
            GistIndex(
                fields=["project", "likeness"],
                opclasses=["gist_uuid_ops", "gist_trgm_ops"],
                condition=models.Q(active=True),
                name="example_alike",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.target}: {self.machine}, {self.person} by a person"

    @property
    def agrees(self) -> bool:
        """Whether the verification was right."""
        return self.machine == self.person or (self.machine, self.person) in SAME_WORDS


class CalibrationSample(TimestampedModel):
    """One score with a person's label, for fitting calibrations."""

    id = models.BigAutoField(primary_key=True)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    example = models.ForeignKey(
        LabelledExample, on_delete=models.CASCADE, related_name="samples"
    )
    # `verdict` for the answer's confidence, `mention`, `claim`, or a check's name.
    check_name = models.CharField(max_length=MAX_CHECK_NAME)
    # The check's raw probability that the subject is right, 0..1.
    score = models.FloatField()
    # Whether it is right according to the person.
    label = models.BooleanField()
    active = models.BooleanField(default=True)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["example", "check_name"], name="calibration_sample_once"
            ),
            models.CheckConstraint(
                condition=models.Q(score__gte=0, score__lte=1),
                name="calibration_sample_score_in_range",
            ),
        ]
        indexes = [
            models.Index(
                fields=["project", "check_name", "-at"],
                condition=models.Q(active=True),
                name="calibration_sample_check",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.check_name}: {self.score} was {self.label}"


class PreferencePair(TimestampedModel):
    """Two answers to one task: the agent's own, and a person's correction.

    Task and rejected answer are read from the interaction, which never changes.
    """

    class State(models.TextChoices):
        TAUGHT = "taught", _("Taught")
        # The correction was undone.
        UNDONE = "undone", _("Undone")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    interaction = models.ForeignKey(
        Interaction, on_delete=models.CASCADE, related_name="+"
    )
    verification_id = models.UUIDField()
    override_id = models.UUIDField(unique=True)
    chosen = models.TextField()
    # The verdict on the rejected answer.
    machine = models.CharField(max_length=20)
    reason = models.CharField(max_length=MAX_REASON, blank=True)
    state = models.CharField(max_length=20, choices=State, default=State.TAUGHT)
    # Whether it is the newest correction of its answer: only such pairs are exported.
    active = models.BooleanField(default=True)
    decided_at = models.DateTimeField()
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        indexes = [
            models.Index(fields=["interaction"], name="pair_of_answer"),
            models.Index(
                fields=["project", "-decided_at", "-id"],
                condition=models.Q(active=True),
                name="pair_in_force",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.interaction_id}: corrected"


class FeedbackKind(models.TextChoices):
    """A kind of feedback that sessions can be held out from."""

    CONSTRAINTS = "constraints", _("Constraints")
    CORRECTIONS = "corrections", _("Corrections")
    FINDINGS = "findings", _("Findings")
    GAPS = "gaps", _("Gaps")
    PREFERENCES = "preferences", _("Preferences")
    EXAMPLES = "examples", _("Examples for the verifier")


class HoldOut(TimestampedModel):
    """The share of a project's sessions that is held out from one kind of feedback."""

    MAX_SHARE = 50

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=20, choices=FeedbackKind)
    # Percent of new sessions; 0 ends the experiment for all of them.
    share = models.PositiveSmallIntegerField(default=0)
    # Makes arms independent between kinds and projects.
    salt = models.CharField(max_length=32)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "kind"], name="hold_out_once_per_kind"
            ),
            models.CheckConstraint(
                condition=models.Q(share__lte=50), name="hold_out_share_in_range"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.share} %"


class Arm(TimestampedModel):
    """A session's arm of one experiment, drawn at its first contact."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    session_key = models.CharField(max_length=200)
    kind = models.CharField(max_length=20, choices=FeedbackKind)
    held_out = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "session_key", "kind"], name="arm_once_per_session"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.session_key}: {self.kind} {'held out' if self.held_out else ''}"


class AppliedAdvice(TimestampedModel):
    """A threshold that a lead changed on advice, with the advice's basis."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=60)
    # The project's own values; null where it had none.
    before = models.JSONField(null=True)
    after = models.JSONField()
    # Counts at that time: caught, wrong, extra, right.
    evidence = models.JSONField()
    applied_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    undone_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["project", "-created_at"], name="applied_advice_new"),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.before} to {self.after}"
