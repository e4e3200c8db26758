"""Calibrations fitted to decisions, and blocking thresholds."""

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from verifyhub.accounts.models import Project
from verifyhub.common.db import TimestampedModel
from verifyhub.common.shares import Share
from verifyhub.engine.calibration.calibrator import Calibrator, CurveKind
from verifyhub.engine.calibration.conformal import BlockingThreshold
from verifyhub.engine.calibration.measures import Reliability

MAX_CHECK_NAME = 60


class CalibrationModel(TimestampedModel):
    """One version of a check's calibration, with its effect on held-out decisions."""

    class State(models.TextChoices):
        DRAFT = "draft", pgettext_lazy("badge", "Draft")
        ACTIVE = "active", pgettext_lazy("badge", "Active")
        # Was active, or was overtaken by a later fit; may be activated again.
        RETIRED = "retired", pgettext_lazy("badge", "Retired")
        # Did not bring held-out scores nearer to the labels; is never used.
        REFUSED = "refused", pgettext_lazy("badge", "Refused")

    class Refusal(models.TextChoices):
        FALLS = "falls", _("Higher scores were not correct more often.")
        NOT_BETTER = (
            "not_better",
            _("On held-out decisions, the fit was no better than the raw scores."),
        )

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    check_name = models.CharField(max_length=MAX_CHECK_NAME)
    # Counts up from 1 for each check of a project.
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=20, choices=State)
    refusal = models.CharField(max_length=20, choices=Refusal, blank=True)
    # Empty, as are the parameters, where the curve would fall.
    kind = models.CharField(max_length=20, blank=True)
    parameters = models.JSONField(default=dict)
    n = models.PositiveIntegerField()
    right = models.PositiveIntegerField()
    # Which samples it stands on, to say later which of them were taken back.
    sample_ids = ArrayField(models.BigIntegerField())
    # Held-out decisions by raw and by calibrated score (`Reliability.as_dict`); null
    # where there is no curve to calibrate them by.
    before = models.JSONField()
    after = models.JSONField(null=True)
    # When the oldest and the newest of its decisions were taken.
    since = models.DateTimeField()
    until = models.DateTimeField()
    # Empty: by the clock.
    fitted_by = models.CharField(max_length=200, blank=True)
    activated_by = models.CharField(max_length=200, blank=True)
    activated_at = models.DateTimeField(null=True)
    # What was in force when it was activated; null for "uncalibrated".
    replaced = models.ForeignKey(
        "self", null=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "check_name", "number"],
                name="calibration_numbered_once",
            ),
            models.UniqueConstraint(
                fields=["project", "check_name"],
                condition=models.Q(state="active"),
                name="calibration_one_in_force",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["draft", "active", "retired", "refused"]),
                name="calibration_state_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.check_name}: {self.version}"

    @property
    def version(self) -> str:
        """The label of the version in results, as `platt 3`."""
        return f"{self.kind} {self.number}".strip()

    @property
    def wrong(self) -> int:
        return self.n - self.right

    @property
    def calibrator(self) -> Calibrator:
        """The curve.

        Raises:
            CalibrationError: If it was refused because it would fall.
        """
        return Calibrator(
            kind=CurveKind(self.kind), parameters=self.parameters, version=self.version
        )

    @property
    def measured_before(self) -> Reliability:
        """The reliability of raw scores on held-out decisions."""
        return Reliability.from_dict(self.before)

    @property
    def measured_after(self) -> Reliability | None:
        """The reliability of calibrated scores on held-out decisions."""
        return Reliability.from_dict(self.after) if self.after else None


class BlockingRule(TimestampedModel):
    """A threshold below which answers are blocked, and its promised error rate."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    # Counts up from 1 for each project.
    number = models.PositiveIntegerField()
    check_name = models.CharField(max_length=MAX_CHECK_NAME)
    # Raw: a rising calibration changes no rank, so the promise outlives its change.
    score = models.FloatField()
    at_most = models.FloatField()
    n = models.PositiveIntegerField()
    rank = models.PositiveIntegerField()
    caught = models.PositiveIntegerField()
    wrong = models.PositiveIntegerField()
    sample_ids = ArrayField(models.BigIntegerField())
    activated_by = models.CharField(max_length=200)
    ended_by = models.CharField(max_length=200, blank=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "number"], name="blocking_rule_numbered_once"
            ),
            models.UniqueConstraint(
                fields=["project"],
                condition=models.Q(ended_at=None),
                name="blocking_rule_one_in_force",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.check_name} below {self.score}: {self.version}"

    @property
    def version(self) -> str:
        """The label of the rule in blocked answers, as `conformal 2`."""
        return f"conformal {self.number}"

    @property
    def threshold(self) -> BlockingThreshold:
        """The threshold as an engine value."""
        return BlockingThreshold(
            score=self.score,
            at_most=self.at_most,
            n=self.n,
            rank=self.rank,
            caught=Share(count=self.caught, total=self.wrong),
        )
