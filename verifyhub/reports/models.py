"""Weekly reports, alert rules, alerts, and e-mails."""

import uuid
from datetime import date

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import Membership, Project
from verifyhub.common.db import TimestampedModel
from verifyhub.common.queued_row import QueuedRow, WorkState
from verifyhub.reports.measures import Measure


class AlertRule(TimestampedModel):
    """A threshold of one metric, with the people who are notified."""

    MAX_NAME = 100
    MAX_HOURS = 24 * 90
    SETTINGS = ("name", "measure", "threshold", "agent", "hours", "least", "enabled")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(_("Name"), max_length=MAX_NAME)
    measure = models.CharField(max_length=30, choices=Measure)
    # In the measure's own unit; an alert is raised above it.
    threshold = models.FloatField()
    # For one agent; empty for all.
    agent = models.CharField(max_length=200, blank=True)
    # The window of the measure.
    hours = models.PositiveIntegerField(
        default=24, validators=[MinValueValidator(1), MaxValueValidator(MAX_HOURS)]
    )
    # The minimum number of cases.
    least = models.PositiveIntegerField(default=20)
    enabled = models.BooleanField(default=True)
    # Recipients of e-mails; webhooks get every alert.
    recipients = models.ManyToManyField(Membership, blank=True, related_name="+")
    # The result of the last evaluation.
    value = models.FloatField(null=True)
    n = models.PositiveIntegerField(default=0)
    detail = models.CharField(max_length=200, blank=True)
    evaluated_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name"], name="alert_rule_name_once"
            ),
            models.CheckConstraint(
                condition=models.Q(measure__in=Measure.values),
                name="alert_rule_measure_known",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Alert(TimestampedModel):
    """A period during which a metric exceeded its threshold."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    rule = models.ForeignKey(AlertRule, on_delete=models.CASCADE, related_name="alerts")
    # Copied from the rule, which may be changed later.
    name = models.CharField(max_length=AlertRule.MAX_NAME)
    measure = models.CharField(max_length=30, choices=Measure)
    threshold = models.FloatField()
    agent = models.CharField(max_length=200, blank=True)
    detail = models.CharField(max_length=200, blank=True)
    # The value that raised it, and the highest value since.
    value = models.FloatField()
    n = models.PositiveIntegerField()
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    peak = models.FloatField()
    raised_at = models.DateTimeField()
    cleared_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["rule"],
                condition=models.Q(cleared_at__isnull=True),
                name="alert_once_at_a_time",
            ),
        ]
        indexes = [
            models.Index(fields=["project", "-raised_at", "-id"], name="alert_recent")
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.raised_at:%Y-%m-%d %H:%M}"


class ReportPlan(TimestampedModel):
    """The schedule of a project's weekly report, and its recipients by e-mail."""

    SETTINGS = ("enabled", "weekday", "hour", "time_zone")

    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="+")
    enabled = models.BooleanField(default=True)
    # From 0, for Monday.
    weekday = models.PositiveSmallIntegerField(choices=WEEKDAYS, default=0)
    # The hour of the day in `time_zone`.
    hour = models.PositiveSmallIntegerField(
        default=7, validators=[MaxValueValidator(23)]
    )
    # A name of the IANA database.
    time_zone = models.CharField(max_length=64, default="UTC")
    recipients = models.ManyToManyField(Membership, blank=True, related_name="+")
    # The due time of the last scheduled report.
    made_for = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.project_id}: {self.get_weekday_display()} {self.hour}:00"


class WeeklyReport(TimestampedModel):
    """A week's metrics at the time of the report; never changed."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    # The seven days [since, until).
    since = models.DateTimeField()
    until = models.DateTimeField()
    figures = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "until"], name="weekly_report_once"
            )
        ]
        indexes = [models.Index(fields=["project", "-until"], name="weekly_report_new")]

    def __str__(self) -> str:
        return f"{self.project_id} {self.until:%Y-%m-%d}"

    @property
    def first_day(self) -> date:
        """The first of its days, in the plan's time zone at that time."""
        return date.fromisoformat(self.figures["days"]["first"])

    @property
    def last_day(self) -> date:
        """The last of its days."""
        return date.fromisoformat(self.figures["days"]["last"])


class Letter(QueuedRow):
    """An e-mail to one person. The row is queued work (ADR 0003)."""

    MAX_SUBJECT = 200

    State = WorkState

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    to = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    subject = models.CharField(max_length=MAX_SUBJECT)
    text = models.TextField()
    html = models.TextField(blank=True)
    state = models.CharField(
        max_length=20, choices=WorkState, default=WorkState.PENDING
    )

    class Meta:
        indexes = [
            models.Index(
                fields=["created_at", "id"],
                condition=models.Q(state__in=["pending", "running"]),
                name="letter_waiting",
            ),
            models.Index(fields=["project", "-created_at"], name="letter_recent"),
        ]

    def __str__(self) -> str:
        return f"{self.subject}: {self.state}"
