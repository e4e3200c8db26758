"""The queue's columns, duties, assignment rules and saved views."""

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models

from verifyhub.accounts.models import ApiKey, Project
from verifyhub.common.db import TimestampedModel
from verifyhub.verification.models import Verdict

OPEN = models.Q(state="open")
# Changes that end an item's lease and assignment.
FREE: dict[str, None] = {
    "lease_holder": None,
    "lease_key": None,
    "lease_token": None,
    "lease_until": None,
}


class QueuedFields(models.Model):
    """An item's rank, lease and assignment (ADR 0022, 0023).

    Columns that lists filter by are copied here from other tables: with a million
    items, a join would read a row for each one that does not match.
    """

    # The reasons as codes with parameters, worded when shown (`reason_words`).
    reason_facts = models.JSONField(default=list, db_default=[])
    agent_name = models.CharField(max_length=200, blank=True, default="", db_default="")
    machine_verdict = models.CharField(
        max_length=20, choices=Verdict, blank=True, default="", db_default=""
    )
    # Kinds of the names without evidence, and `claim` for a flagged claim.
    flagged_kinds = ArrayField(
        models.CharField(max_length=30), default=list, db_default=[]
    )
    # The uncertainty of the verdict, unitless in [0.4, 1].
    uncertainty = models.FloatField(default=1, db_default=1.0)
    # Number of other sessions with one of the flagged names, up to a limit.
    reach = models.IntegerField(default=0, db_default=0)
    # Base-2 logarithm of risk x uncertainty x reach x age, see `ranking`.
    rank = models.FloatField(default=0, db_default=0.0)
    # When it was opened, or last moved up.
    ranked_at = models.DateTimeField(null=True)
    # Items with the same names have not been updated yet, since it was changed; new
    # items are in `OpenedItems`.
    reach_due = models.BooleanField(default=True, db_default=False)
    due_at = models.DateTimeField(null=True)
    # Keys that are rarely set have partial indexes (`SELDOM_SET`).
    assignee = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        db_index=False,
    )
    assigned_at = models.DateTimeField(null=True)
    # The lease is valid until `lease_until`; then anybody may claim the item.
    lease_holder = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        db_index=False,
    )
    lease_key = models.ForeignKey(
        ApiKey, null=True, on_delete=models.SET_NULL, related_name="+", db_index=False
    )
    lease_token = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)
    # When the reviewer who decided it claimed it.
    taken_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True


# Each serves one query of `queue.selectors` or `queue.leases`; all are partial indexes
# on open items, so they stay small.
QUEUE_INDEXES = (
    # Unassigned items too: those assigned are few.
    models.Index(
        fields=["project", "-rank", "id"], condition=OPEN, name="review_item_rank"
    ),
    models.Index(
        fields=["project", "assignee", "-rank", "id"],
        condition=OPEN & models.Q(assignee__isnull=False),
        name="review_item_assignee",
    ),
    models.Index(
        fields=["project", "agent_name", "-rank", "id"],
        condition=OPEN,
        name="review_item_agent",
    ),
    models.Index(
        fields=["project", "machine_verdict", "-rank", "id"],
        condition=OPEN,
        name="review_item_verdict",
    ),
    models.Index(fields=["project", "risk"], condition=OPEN, name="review_item_risk"),
    models.Index(fields=["project", "due_at"], condition=OPEN, name="review_item_due"),
    models.Index(
        fields=["project", "created_at"], condition=OPEN, name="review_item_made"
    ),
    # Items opened in a period, decided or not.
    models.Index(fields=["project", "created_at"], name="review_item_opened"),
    models.Index(
        fields=["project", "ranked_at"], condition=OPEN, name="review_item_moved"
    ),
    models.Index(
        fields=["project", "lease_holder"],
        condition=OPEN & models.Q(lease_token__isnull=False),
        name="review_item_held",
    ),
    models.Index(
        fields=["id"], condition=models.Q(reach_due=True), name="review_item_spread"
    ),
    GinIndex(
        fields=["reason_kinds", "flagged_kinds"],
        condition=OPEN,
        name="review_item_kinds",
        # The least: its pages stay.
        gin_pending_list_limit=64,
    ),
)
# For the deletion of people and keys.
SELDOM_SET = tuple(
    models.Index(
        fields=[field],
        condition=models.Q((f"{field}__isnull", False)),
        name=f"review_item_{name}",
    )
    for field, name in {
        "assignee": "any_assignee",
        "lease_holder": "any_holder",
        "lease_key": "any_lease_key",
        "resolved_by": "any_resolver",
        "resolved_by_key": "any_resolved_key",
    }.items()
)


class OpenedItems(models.Model):
    """Items that were opened together, until others with their names are updated.

    Changing a mark in an item would write it again, with an entry in each index. A
    trigger inserts the rows, so that opening items takes no further statement.
    """

    items = ArrayField(models.UUIDField())

    def __str__(self) -> str:
        return f"{len(self.items)} items"


class QueueSettings(models.Model):
    """Settings of a project's queue; a project without a row has the defaults."""

    project = models.OneToOneField(
        Project, primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    # Hours in which an item's urgency doubles.
    doubling_hours = models.PositiveIntegerField(default=72)
    lease_minutes = models.PositiveIntegerField(default=10)
    # Hours until an item is due, by risk; null for never.
    due_high_hours = models.PositiveIntegerField(null=True, default=24)
    due_medium_hours = models.PositiveIntegerField(null=True, default=72)
    due_low_hours = models.PositiveIntegerField(null=True, default=168)
    # Whether items are assigned in rotation to the reviewers on duty.
    rotation = models.BooleanField(default=False)
    # Maximum open items of a reviewer of weight 1 for rotation.
    open_limit = models.PositiveIntegerField(default=10)
    # After a change of settings, a task updates open items from here on.
    rerank_from = models.UUIDField(null=True)

    def __str__(self) -> str:
        return f"queue of {self.project_id}"


class SavedView(TimestampedModel):
    """Filters of the queue under a name: a reviewer's own, or shared by a lead."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    name = models.CharField(max_length=60)
    # Values of `QueueFilterForm` that are not empty.
    filters = models.JSONField(default=dict)
    shared = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "owner", "name"], name="saved_view_once_per_name"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Duty(models.Model):
    """A person's duty in a project's rotation."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    on_duty = models.BooleanField(default=False)
    # Relative share of items.
    weight = models.PositiveIntegerField(default=1)
    default_view = models.ForeignKey(
        SavedView, null=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "user"], name="duty_once_per_person"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.project_id}"


class AssignmentRule(TimestampedModel):
    """The assignee of items of an agent or a reason; the oldest matching rule wins."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    # Empty: any agent, any reason.
    agent_name = models.CharField(max_length=200, blank=True, default="")
    reason_kind = models.CharField(max_length=40, blank=True, default="")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(agent_name="", reason_kind=""),
                name="assignment_rule_asks_for_something",
            ),
        ]
        indexes = [
            models.Index(fields=["project", "created_at"], name="assignment_rule_order")
        ]

    def __str__(self) -> str:
        return f"{self.agent_name or '*'} {self.reason_kind or '*'}: {self.user_id}"


class Skip(models.Model):
    """A snooze: one person does not get this item until a time."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    item = models.ForeignKey(
        "review.ReviewItem", on_delete=models.CASCADE, related_name="skips"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    until = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["item", "user"], name="skip_once_per_person"
            )
        ]
        indexes = [models.Index(fields=["user", "until"], name="skip_of_person")]

    def __str__(self) -> str:
        return f"{self.item_id} until {self.until}"


class Seat(models.Model):
    """One person's lease of an item that others may hold at the same time.

    For items with several judges, and for gold: `queue.seats`. The holder of the last
    free place has the lease in the item's own columns, so that it is no longer free.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    item = models.ForeignKey(
        "review.ReviewItem", on_delete=models.CASCADE, related_name="seats"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    token = models.UUIDField(default=uuid.uuid4)
    until = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["item", "user"], name="seat_once_per_person"
            )
        ]
        indexes = [models.Index(fields=["user", "until"], name="seat_of_person")]

    def __str__(self) -> str:
        return f"{self.item_id} until {self.until}"


class Question(TimestampedModel):
    """A reviewer's question to another about an item."""

    MAX_NOTE = 2000

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    item = models.ForeignKey(
        "review.ReviewItem", on_delete=models.CASCADE, related_name="questions"
    )
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    asked_of = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    note = models.CharField(max_length=MAX_NOTE)
    reply = models.CharField(max_length=MAX_NOTE, blank=True)
    replied_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["item", "created_at"], name="question_of_item"),
            models.Index(
                fields=["project", "asked_of"],
                condition=models.Q(replied_at__isnull=True),
                name="question_waiting",
            ),
        ]

    def __str__(self) -> str:
        return self.note[:60]
