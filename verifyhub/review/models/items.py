"""Queue items and overrides."""

import uuid
from typing import Any

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import ApiKey, Project
from verifyhub.common.db import TimestampedModel, new_id
from verifyhub.ingest.models import Interaction
from verifyhub.review.models.acts import Act, who
from verifyhub.review.models.queue import QUEUE_INDEXES, SELDOM_SET, QueuedFields
from verifyhub.verification.models import MentionVerdict, Verdict, Verification


class ReviewItem(QueuedFields, TimestampedModel):
    """An answer for review, and its decision."""

    # Whether decisions are hidden from the viewer (`visibility.mask_list`).
    is_masked = False

    class State(models.TextChoices):
        OPEN = "open", _("Open")
        CONFIRMED = "confirmed", _("Confirmed")
        OVERRIDDEN = "overridden", _("Overridden")
        # Verified again before a decision: replaced by the newer item.
        SUPERSEDED = "superseded", _("Superseded")
        # Its verdict was known beforehand, so it needs no decision.
        GOLD = "gold", _("Gold")

    # States in which a reviewer may judge it.
    JUDGED_IN = (State.OPEN, State.GOLD)

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    verification = models.OneToOneField(
        Verification, on_delete=models.CASCADE, related_name="review_item"
    )
    interaction = models.ForeignKey(
        Interaction, on_delete=models.CASCADE, related_name="review_items"
    )
    # Reasons in English for programs, most serious first.
    # English sentences of items from before there were codes.
    reasons = ArrayField(models.CharField(max_length=300), default=list)
    # The reasons' stable codes (`queue.policy`), to filter by.
    reason_kinds = ArrayField(models.CharField(max_length=40), default=list)
    # The probability that the answer misleads, 0..1.
    risk = models.FloatField(default=0)
    state = models.CharField(max_length=20, choices=State, default=State.OPEN)
    human_verdict = models.CharField(max_length=20, choices=Verdict, blank=True)
    # Increases with each change, so that decisions of stale pages are refused.
    version = models.PositiveIntegerField(default=0)
    resolved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
    )
    # The key, if a program decided.
    resolved_by_key = models.ForeignKey(
        ApiKey,
        null=True,
        blank=True,
        on_delete=models.RESTRICT,
        related_name="+",
        db_index=False,
    )
    resolved_at = models.DateTimeField(null=True)
    # How many people judge it; null until the first judgement, then fixed.
    reviews_wanted = models.PositiveSmallIntegerField(null=True)
    # The round of judgements; reopening starts the next one.
    round = models.PositiveSmallIntegerField(default=1, db_default=1)
    # Since when all judgements are given and differ.
    disputed_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["project", "disputed_at"],
                condition=models.Q(disputed_at__isnull=False),
                name="review_item_disputed",
            ),
            *QUEUE_INDEXES,
            *SELDOM_SET,
            models.Index(
                fields=["project", "resolved_by", "resolved_at"],
                condition=~models.Q(state="open"),
                name="review_item_decided_by",
            ),
            models.Index(
                fields=["project", "-resolved_at", "id"],
                condition=~models.Q(state="open"),
                name="review_item_resolved",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.interaction_id}: {self.state}"

    @property
    def resolver(self) -> str:
        """The name of who decided; empty while it is open."""
        return who(self.resolved_by, self.resolved_by_key)


# Changes that make an item undecided.
UNDECIDED: dict[str, Any] = {
    "state": ReviewItem.State.OPEN,
    "human_verdict": "",
    "resolved_by": None,
    "resolved_by_key": None,
    "resolved_at": None,
}


class Override(TimestampedModel):
    """One statement of a person on a verification; may be undone, never deleted."""

    class Target(models.TextChoices):
        VERDICT = "verdict", _("Verdict")
        MENTION = "mention", _("Name")
        CLAIM = "claim", _("Claim of work")
        FACT = "fact", _("Claim of fact")
        VALUE = "value", _("Value")
        # A name or a claim that verification did not find.
        MISSED = "missed", _("Missed item")
        # The reviewer's own text instead of the answer.
        ANSWER = "answer", _("Answer")
        NOTE = "note", _("Note")
        AGREEMENT = "agreement", _("Agreement")

    # Targets that decide the whole answer.
    SETTLING = (Target.VERDICT, Target.AGREEMENT)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    item = models.ForeignKey(
        ReviewItem, on_delete=models.CASCADE, related_name="overrides"
    )
    target = models.CharField(max_length=20, choices=Target)
    # Without a constraint, since the table of names is divided. Both are deleted with
    # the interaction.
    mention = models.ForeignKey(
        MentionVerdict,
        null=True,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        related_name="overrides",
    )
    # The act that it belongs to; null for overrides from before acts.
    act = models.ForeignKey(
        Act, null=True, on_delete=models.RESTRICT, related_name="overrides"
    )
    # The claim or the missed item: `text`, `kind`, `key`, `span`, `index`.
    subject = models.JSONField(default=dict)
    before = models.CharField(max_length=20, blank=True)
    after = models.CharField(max_length=20, blank=True)
    # The note, or the corrected answer.
    text = models.TextField(blank=True, default="", db_default="")
    reason = models.CharField(max_length=1000, blank=True)
    # `ReasonCode.code`s of the project, also retired ones.
    reason_codes = ArrayField(models.CharField(max_length=40), default=list)
    # Exactly one of the two.
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="overrides",
    )
    api_key = models.ForeignKey(
        ApiKey, null=True, blank=True, on_delete=models.RESTRICT, related_name="+"
    )
    # Its effects on memory and constraints, for the page and for undo.
    effects = models.JSONField(default=list)
    undone_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    undone_by_key = models.ForeignKey(
        ApiKey, null=True, blank=True, on_delete=models.RESTRICT, related_name="+"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(target="mention") & models.Q(mention__isnull=True)
                | models.Q(target="mention", mention__isnull=False),
                name="override_names_its_target",
            ),
            models.CheckConstraint(
                condition=models.Q(reviewer__isnull=False, api_key__isnull=True)
                | models.Q(reviewer__isnull=True, api_key__isnull=False),
                name="override_has_one_actor",
            ),
        ]
        indexes = [
            models.Index(fields=["item", "-created_at"], name="override_of_item"),
            models.Index(fields=["project", "-created_at"], name="override_recent"),
        ]

    def __str__(self) -> str:
        return f"{self.target}: {self.before} to {self.after}"

    @property
    def by(self) -> str:
        """The name of who decided."""
        return who(self.reviewer, self.api_key)

    @property
    def taken_back_by(self) -> str:
        """The name of who undid it; empty if none did."""
        return who(self.undone_by, self.undone_by_key)
