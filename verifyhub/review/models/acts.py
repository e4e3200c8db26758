"""Acts, reason codes and drafts."""

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import ApiKey, Project
from verifyhub.common.db import TimestampedModel
from verifyhub.ingest.models import Interaction


class Act(TimestampedModel):
    """A decision on one answer or on many, which is undone as one."""

    class Kind(models.TextChoices):
        SINGLE = "single", _("One answer")
        BULK = "bulk", _("Many answers")

    class State(models.TextChoices):
        # The answers are decided one by one, each in its own transaction.
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        UNDOING = "undoing", _("Undoing")
        UNDONE = "undone", _("Undone")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.SINGLE)
    state = models.CharField(max_length=10, choices=State, default=State.DONE)
    # The decision: `decisions.Decision.as_dict()`.
    decision = models.JSONField(default=dict)
    # How many answers were selected: by a filter or a likeness.
    chosen_by = models.JSONField(default=dict)
    # Exactly one of the two.
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    api_key = models.ForeignKey(
        ApiKey, null=True, on_delete=models.RESTRICT, related_name="+"
    )
    undone_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    undone_by_key = models.ForeignKey(
        ApiKey, null=True, on_delete=models.RESTRICT, related_name="+"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(reviewer__isnull=False, api_key__isnull=True)
                | models.Q(reviewer__isnull=True, api_key__isnull=False),
                name="act_has_one_actor",
            ),
        ]
        indexes = [
            models.Index(
                fields=["project", "reviewer", "-created_at"],
                condition=models.Q(undone_at=None),
                name="act_to_undo",
            ),
            models.Index(
                fields=["created_at"],
                condition=models.Q(state__in=["running", "undoing"]),
                name="act_under_way",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} act, {self.state}"

    @property
    def by(self) -> str:
        """The name of the reviewer."""
        return who(self.reviewer, self.api_key)


class ActMember(models.Model):
    """One answer of a bulk act, in the order of processing."""

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        DONE = "done", _("Done")
        # For a second person, or for the others who judge it; `reason` says which.
        WAITS = "waits", _("Waiting for other reviewers")
        SKIPPED = "skipped", _("Skipped")
        UNDONE = "undone", _("Undone")

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    act = models.ForeignKey(Act, on_delete=models.CASCADE, related_name="members")
    item = models.ForeignKey(
        "review.ReviewItem", on_delete=models.CASCADE, related_name="+"
    )
    # The item's version that the reviewer saw.
    version = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    # Why it was skipped or waits: a code, and a name or a sentence for it.
    reason = models.CharField(max_length=40, blank=True)
    detail = models.CharField(max_length=300, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["act", "item"], name="act_member_once"),
        ]
        indexes = [
            models.Index(fields=["act", "state", "id"], name="act_member_to_come"),
        ]

    def __str__(self) -> str:
        return f"{self.item_id} in {self.act_id}: {self.state}"


class ReasonCode(TimestampedModel):
    """A reason that reviewers of a project choose from; retired, never deleted."""

    MAX_LABEL = 80

    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="reason_codes"
    )
    code = models.CharField(max_length=40)
    label = models.CharField(max_length=MAX_LABEL)
    position = models.PositiveIntegerField(default=0)
    retired_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "code"], name="reason_code_once"
            ),
        ]

    def __str__(self) -> str:
        return self.label


class Draft(models.Model):
    """A reviewer's unsubmitted input about an answer."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    interaction = models.ForeignKey(
        Interaction, on_delete=models.CASCADE, related_name="+"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    # The values of fields by form.
    content = models.JSONField(default=dict)
    # Increases with each change, so that older pages do not overwrite it.
    version = models.PositiveIntegerField(default=1)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["interaction", "user"], name="draft_once_per_reviewer"
            ),
        ]

    def __str__(self) -> str:
        return f"draft {self.version} of {self.user_id}"


def who(user: models.Model | None, key: ApiKey | None) -> str:
    """Return the name of the person, or of the key that acted as itself."""
    if user is not None:
        return str(user)
    return f"key {key.name}" if key is not None else ""
