"""Stored counts, and the changes since (ADR 0054)."""

from datetime import timedelta

from django.contrib.postgres.fields import ArrayField
from django.db import models

from verifyhub.accounts.models import Project

# The period that is recounted after a change; the triggers of migration 0002 use the
# same one.
SLICE = timedelta(minutes=15)


class Change(models.Model):
    """A change in a slice of time, recorded by triggers in the same transaction.

    Rows are only inserted and deleted, so that writers never wait for each other. The
    project has no foreign key: triggers also write while a project is deleted.
    """

    id = models.BigAutoField(primary_key=True)
    project = models.ForeignKey(
        Project,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        related_name="+",
        db_index=False,
    )
    slice = models.DateTimeField()
    created_at = models.DateTimeField(db_default=models.functions.Now())

    class Meta:
        indexes = [models.Index(fields=["project", "slice"], name="change_of_slice")]

    def __str__(self) -> str:
        return f"{self.project_id}: {self.slice}"


class Counted(models.Model):
    """Counts of a period, for one agent, tier and model."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    agent = models.CharField(max_length=200)
    tier = models.CharField(max_length=200)
    model = models.CharField(max_length=200)
    # `Tally.as_json`.
    figures = models.JSONField()
    # Answers received, and open review items that were opened in it.
    answers = models.PositiveIntegerField()
    open_items = models.PositiveIntegerField()
    counted_at = models.DateTimeField()

    class Meta:
        abstract = True


class SliceCount(Counted):
    """The counts of one slice of a recent day, and the names without evidence in it."""

    slice = models.DateTimeField()
    # Kind, key, text, reason, answers and sessions of each name.
    names = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "slice", "agent", "tier", "model"],
                name="slice_count_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project_id} {self.slice}: {self.answers}"


class DayCount(Counted):
    """The counts of one day (UTC): of each agent, tier and model, and of all."""

    day = models.DateField()
    # Whether it is of all agents; then agent, tier and model are empty.
    is_total = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "is_total", "day", "agent", "tier", "model"],
                name="day_count_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project_id} {self.day}: {self.answers}"


class Named(models.Model):
    """A name without evidence on one day (UTC), with its counts."""

    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    day = models.DateField()
    kind = models.CharField(max_length=30)
    key = models.CharField(max_length=500)
    text = models.TextField()
    reason = models.CharField(max_length=40)
    answers = models.PositiveIntegerField()
    sessions = ArrayField(models.UUIDField())

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.day} {self.key}: {self.answers}"


class DayName(Named):
    """A name in the answers of one agent, tier and model.

    Without a unique constraint: so many long texts exceed the size of an index row.
    """

    agent = models.CharField(max_length=200)
    tier = models.CharField(max_length=200)
    model = models.CharField(max_length=200)

    class Meta:
        indexes = [
            # The names of an agent's day in the most answers, and all days of a name.
            models.Index(
                *("project", "day", "agent", "tier", "model"),
                models.F("answers").desc(),
                name="day_name_most",
            ),
            models.Index(
                fields=["project", "kind", "key", "day"], name="day_name_days"
            ),
        ]


class TotalName(Named):
    """A name in the answers of all agents, so that their page reads few rows."""

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "kind", "key", "day"], name="total_name_once"
            ),
        ]
        indexes = [
            models.Index(
                *("project", "day", models.F("answers").desc(), "kind", "key"),
                name="total_name_most",
            ),
        ]


class CountState(models.Model):
    """The first days (UTC) of a project's stored counts; without a row: none."""

    project = models.OneToOneField(
        Project, primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    # Null once everything is counted.
    counted_from = models.DateField(null=True)
    # Days from here on are counted in slices; older ones, which seldom change, whole.
    sliced_from = models.DateField()
    changed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.project_id}: from {self.counted_from}"
